"""Lines of facts on every backend: what a write sees of them, what is kept, what goes with what."""

from dataclasses import replace

from anamnesis_memory.domain.facts.interval import Interval
from anamnesis_memory.erasure.delete_memory import DeleteMemory
from anamnesis_memory.model.memory import Caller
from anamnesis_memory.ports import NamespaceStore, ReadSet, ReadView, WriteSet
from anamnesis_memory.ports.knowledge import FactWhere
from tests.support.knowing import DAY_US, fact, telling, version, wanted_line
from tests.support.life import look, put

NOBODY = Caller()
PORTO = telling("m-1")
LYON = telling("m-2", "Lyon", Interval(DAY_US), known_from_us=6)


async def seen(store: NamespaceStore, *, whole: bool = False) -> ReadView:
    """The line of where Ada lives, as far as it concerns Porto or all of it."""
    return await look(store, ReadSet(lines=(wanted_line(PORTO, whole=whole),)))


async def told(store: NamespaceStore) -> tuple[str, str]:
    """Two facts of one line; the memories that hold them."""
    porto, lyon = fact(PORTO), fact(LYON)
    edits = WriteSet(
        memories=(porto, lyon),
        tellings=(PORTO, LYON),
        fact_versions=(version(PORTO), version(LYON, 6)),
    )
    assert await put(store, edits) == store.revision == 1
    return porto.memory_id, lyon.memory_id


async def test_nothing_is_seen_of_a_line_that_nobody_spoke_of(store: NamespaceStore) -> None:
    found = await seen(store)
    assert (found.lines, found.by_fact, found.memories) == ({}, {}, {})


async def test_a_statement_is_seen_without_others_of_its_line(store: NamespaceStore) -> None:
    porto, _ = await told(store)
    found = await seen(store)
    (line,) = found.lines.values()
    assert line.tellings == (PORTO,)
    assert line.versions == (version(PORTO),)
    assert line.settled_us == 5
    assert found.by_fact == {PORTO.fact_id: porto}
    assert [*found.memories] == [porto]


async def test_the_whole_line_is_seen_where_it_is_asked_for(store: NamespaceStore) -> None:
    porto, lyon = await told(store)
    found = await seen(store, whole=True)
    (line,) = found.lines.values()
    assert line.tellings == (PORTO, LYON)
    assert line.versions == (version(PORTO), version(LYON, 6))
    assert line.settled_us == 6
    assert found.by_fact == {PORTO.fact_id: porto, LYON.fact_id: lyon}


async def test_the_whole_line_is_seen_where_a_standing_telling_says_single_valued(
    store: NamespaceStore,
) -> None:
    await told(store)
    single = replace(LYON, single_valued=True)
    await put(store, WriteSet(tellings=(single,)))
    (line,) = (await seen(store)).lines.values()
    assert line.tellings == (PORTO, single)
    await put(store, WriteSet(tellings=(replace(single, known_to_us=9),)))
    (line,) = (await seen(store)).lines.values()
    assert line.tellings == (PORTO,)


async def test_what_was_taken_back_is_not_seen_but_when(store: NamespaceStore) -> None:
    porto, _ = await told(store)
    ended = replace(PORTO, known_to_us=8), version(PORTO, 5, 8)
    await put(store, WriteSet(tellings=ended[:1], fact_versions=ended[1:]))
    found = await seen(store)
    (line,) = found.lines.values()
    assert (line.tellings, line.versions, line.settled_us) == ((), (), 8)
    assert found.by_fact == {PORTO.fact_id: porto}, "the fact is asked for by its id"


async def test_a_void_version_goes(store: NamespaceStore) -> None:
    await told(store)
    await put(store, WriteSet(fact_versions=(version(PORTO, 5, 5),)))
    (line,) = (await seen(store)).lines.values()
    assert line.versions == ()
    assert line.tellings == (PORTO,)


async def test_what_is_kept_of_a_fact_goes_with_its_memory(store: NamespaceStore) -> None:
    porto, lyon = await told(store)
    await store.commit(DeleteMemory(porto, NOBODY))
    (line,) = (await seen(store, whole=True)).lines.values()
    assert line.tellings == (LYON,)
    assert line.versions == (version(LYON, 6),)
    await put(store, WriteSet(tellings=(PORTO,), fact_versions=(version(PORTO),)))
    found = await seen(store, whole=True)
    assert found.lines[PORTO.statement.line_id].tellings == (LYON,), "nothing holds that fact"
    assert found.by_fact == {LYON.fact_id: lyon}


async def test_a_fact_is_taken_over_by_another_memory(store: NamespaceStore) -> None:
    porto, lyon = await told(store)
    heir = fact(PORTO)
    await put(store, WriteSet(memories=(heir,), deleted_memories=(porto,)))
    found = await seen(store)
    assert found.by_fact == {PORTO.fact_id: heir.memory_id}
    assert found.lines[PORTO.statement.line_id].tellings == (PORTO,)
    held = {one.memory_id: one for one in await store.memories([heir.memory_id, lyon], None)}
    changed = (
        fact(LYON, replace(held[heir.memory_id], revision=0)),
        fact(PORTO, replace(held[lyon], revision=0)),
    )
    await put(store, WriteSet(memories=changed))
    found = await seen(store, whole=True)
    assert found.by_fact == {PORTO.fact_id: lyon, LYON.fact_id: heir.memory_id}
    assert found.lines[PORTO.statement.line_id].tellings == (PORTO, LYON)


async def test_a_telling_goes_by_its_id_and_a_fact_with_all_of_it(store: NamespaceStore) -> None:
    await told(store)
    await put(store, WriteSet(removed_tellings=(PORTO.telling_id,)))
    (line,) = (await seen(store, whole=True)).lines.values()
    assert line.tellings == (LYON,)
    assert len(line.versions) == 2
    await put(store, WriteSet(removed_facts=(LYON.fact_id,)))
    (line,) = (await seen(store, whole=True)).lines.values()
    assert (line.tellings, line.versions) == ((), (version(PORTO),))


async def test_memories_of_facts_are_told_by_fact(store: NamespaceStore) -> None:
    porto, lyon = await told(store)
    found = await store.fact_memories([LYON.fact_id, "none", PORTO.fact_id])
    assert {key: one.memory_id for key, one in found.items()} == {
        PORTO.fact_id: porto,
        LYON.fact_id: lyon,
    }
    assert not await store.fact_memories([])


async def test_facts_are_listed(store: NamespaceStore) -> None:
    await told(store)
    found = await store.list_facts(FactWhere(), None, None, 10)
    assert list(found) == [version(PORTO), version(LYON, 6)]
