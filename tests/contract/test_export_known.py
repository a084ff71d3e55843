"""What is known of the world on every backend: exported, put back as it was, and gone for good."""

from collections.abc import Sequence
from dataclasses import replace

from anamnesis_memory.domain.entities.names import KnownEntity, Mention
from anamnesis_memory.domain.facts.interval import Interval
from anamnesis_memory.domain.facts.review import Ground, ReviewReason
from anamnesis_memory.domain.facts.versions import FactVersion, Telling
from anamnesis_memory.model.edges import EdgeType
from anamnesis_memory.model.ids import new_incarnation
from anamnesis_memory.model.memory import Namespace
from anamnesis_memory.ports import NamespaceStore, ReadSet, WriteSet
from anamnesis_memory.ports.catalogue import Stores
from anamnesis_memory.ports.knowledge import FactWhere
from anamnesis_memory.ports.upkeep import Record, RecordType
from tests.contract.test_export import exported
from tests.support.knowing import DAY_US, entity, fact, mention, telling, version, wanted_line
from tests.support.life import edge, everything, look, put
from tests.support.records import BASE_US, lesson

KNOWN: tuple[type[Record], ...] = (KnownEntity, Mention, Telling, FactVersion, ReviewReason)
PORTO = telling("m-1", "Porto", Interval(None, DAY_US), scope="user:Zoltan")
LYON = replace(telling("m-2", "Lyon", Interval(-DAY_US, None)), single_valued=True)


async def fill(store: NamespaceStore) -> tuple[str, str, str]:
    """Two facts, one with a past, what is derived from one, and whom they name."""
    porto, lyon, derived = fact(PORTO), fact(LYON), lesson("derived")
    ids = (porto.memory_id, lyon.memory_id, derived.memory_id)
    told = replace(version(LYON, 7).state, closed_by=("f-1",), contradicted=True)
    edits = WriteSet(
        memories=(porto, lyon, derived),
        edges=(edge(ids[2], ids[0], EdgeType.DERIVED_FROM),),
        tellings=(replace(PORTO, known_to_us=9), LYON),
        fact_versions=(version(PORTO, 5, 9), version(LYON, 5, 7), FactVersion(told, 7)),
        shaken=(Ground(ids[0], None), Ground(ids[0], 77)),
        entities=(entity("e-1"), replace(entity("e-2"), merged_into_id="e-1")),
        mentions=(
            mention(ids[0], "e-1", "Zoltan", scope="user:Zoltan"),
            mention(ids[1], "e-1", "Zoltan", time_us=8),
            mention(ids[2], "e-1", "Zoltan", time_us=3, is_alias=True),
            mention(ids[2], "e-2", "Kovácsné"),
        ),
    )
    await put(store, edits)
    return ids


def known(records: Sequence[Record]) -> list[Record]:
    """Those of an export that say what is known."""
    return [one for one in records if isinstance(one, KNOWN)]


async def copied(stores: Stores, namespace: Namespace, records: Sequence[Record]) -> NamespaceStore:
    """The records in another namespace, put there in small batches, each twice."""
    target = replace(namespace, name="copy", incarnation=new_incarnation(BASE_US + 1_000_000))
    made = await stores.open(target)
    for start in range(0, len(records), 3):
        for _ in range(2):
            await made.import_batch(records[start : start + 3])
    return made


async def test_what_is_known_is_exported_in_order(store: NamespaceStore) -> None:
    ids = await fill(store)
    records = known(await exported(store))
    order = [KNOWN.index(type(one)) for one in records]
    assert order == sorted(order)
    assert [one for one in records if isinstance(one, KnownEntity)] == [
        entity("e-1"),
        replace(entity("e-2"), merged_into_id="e-1"),
    ]
    mentions = [one for one in records if isinstance(one, Mention)]
    assert mentions == sorted(mentions, key=lambda one: (one.memory_id, one.entity_id))
    assert len(mentions) == 4
    tellings = [one for one in records if isinstance(one, Telling)]
    assert tellings == [replace(PORTO, known_to_us=9), LYON]
    versions = [one for one in records if isinstance(one, FactVersion)]
    assert [(one.state.fact_id, one.known_from_us) for one in versions] == sorted(
        [(PORTO.fact_id, 5), (LYON.fact_id, 5), (LYON.fact_id, 7)]
    )
    assert {one for one in records if isinstance(one, ReviewReason)} == {
        ReviewReason(ids[2], ids[0], None),
        ReviewReason(ids[2], ids[0], 77),
    }


async def test_what_is_known_is_counted(store: NamespaceStore) -> None:
    await fill(store)
    async with store.export() as export:
        counts = {kind: export.counts[kind] for kind in RecordType}
    assert counts[RecordType.ENTITIES] == 2
    assert counts[RecordType.MENTIONS] == 4
    assert counts[RecordType.TELLINGS] == 2
    assert counts[RecordType.FACT_VERSIONS] == 3
    assert counts[RecordType.REASONS] == 2


async def test_what_is_known_comes_back_as_it_was(
    store: NamespaceStore, stores: Stores, namespace: Namespace
) -> None:
    ids = await fill(store)
    made = await copied(stores, namespace, await exported(store))
    assert known(await exported(made)) == known(await exported(store))
    assert await everything(made) == await everything(store)
    asked = ReadSet(
        lines=(wanted_line(LYON),), entities=("e-2",), mentions_of=ids, memories=(ids[2],)
    )
    before, after = await look(store, asked), await look(made, asked)
    assert before == after
    for one, other in zip(before.entities.values(), after.entities.values(), strict=True):
        assert one.names == other.names, "names are counted anew"
    assert await made.entity_groups(["e-2"]) == {"e-2": ("e-1", "e-2")}
    listed = [await one.list_facts(FactWhere(), None, None, 9) for one in (store, made)]
    assert list(listed[0]) == list(listed[1])
    await made.close()


async def test_what_hangs_on_nothing_is_passed_over(store: NamespaceStore) -> None:
    await store.import_batch(
        [
            entity("e-1"),
            mention("nobody", "e-1", "Zoltan"),
            mention("nobody", "e-2", "Zoltan"),
            PORTO,
            version(PORTO),
            ReviewReason("nobody", "nobody", None),
        ]
    )
    assert known(await exported(store)) == [entity("e-1")]
    assert not await store.entities(["e-1"], None)


async def test_nothing_is_left_of_what_was_known_of_deleted_memories(
    store: NamespaceStore,
) -> None:
    ids = await fill(store)
    words = ("Zoltan", "Kovácsné", "Porto", "lives in", ids[0], ids[2])
    found, _ = await store.occurrences(words)
    assert {one.needle for one in found} == set(range(len(words)))
    await put(store, WriteSet(deleted_memories=ids))
    assert known(await exported(store)) == []
    await store.scrub()
    found, _ = await store.occurrences(words)
    assert {one.needle for one in found} <= {4, 5}, "only the ids, for those who follow the log"
