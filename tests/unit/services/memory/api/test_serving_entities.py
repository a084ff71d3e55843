"""Tests of entities over real channels, on SQLite and Neo4j: who they are, and who sees that."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import (
    entity_pb2,
    event_pb2,
    filter_pb2,
    memory_pb2,
    memory_service_pb2,
    segment_pb2,
)
from anamnesis.memory.v1 import knowledge_service_pb2 as pb
from anamnesis.memory.v1 import ledger_service_pb2 as ledger
from anamnesis_libs.errors import AnamnesisError, EntityNotMerged, InvalidArgument
from tests.support.memory_service import Served, serving, serving_on_neo4j
from tests.support.messages import made
from tests.support.pipeline_calls import EXTRACT, LABEL, SEGMENT, claim, lease, refused, talk

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

PERSON, PLACE = entity_pb2.ENTITY_KIND_PERSON, entity_pb2.ENTITY_KIND_PLACE
ADA, BOB = Caller(user_id="ada"), Caller(user_id="bob")
ABSENT = "ENTITY_NOT_FOUND"
WRITERS = 20
SERVER = pytest.mark.server


@pytest.fixture(params=["sqlite", pytest.param("neo4j", marks=SERVER)])
async def served(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Served]:
    """A memory service on either store."""
    service = (
        serving_on_neo4j(tmp_path, request.getfixturevalue("neo4j_address"))
        if request.param == "neo4j"
        else serving(tmp_path)
    )
    async with service as running:
        yield running


def named(
    name: str, kind: "entity_pb2.EntityKind.ValueType" = PERSON, *aliases: str
) -> entity_pb2.NamedEntity:
    return entity_pb2.NamedEntity(name=name, kind=kind, aliases=aliases)


async def remember(
    served: Served, *names: entity_pb2.NamedEntity, content: str = "noted", **fields: object
) -> str:
    """Store a memory that names these; gives its id."""
    memory = made(
        memory_service_pb2.NewMemory,
        kind=memory_pb2.MEMORY_KIND_SEMANTIC,
        content=content,
        named_entities=names,
        **fields,
    )
    request = memory_service_pb2.CreateMemoryRequest(namespace="n", memory=memory)
    return (await served.memory.CreateMemory(request)).memory.memory_id


async def privately(served: Served, user_id: str, *names: entity_pb2.NamedEntity) -> str:
    """The same, seen by one user."""
    private = event_pb2.VISIBILITY_PRIVATE_TO_USER
    return await remember(served, *names, user_id=user_id, visibility=private)


async def get(served: Served, caller: Caller = ADA, **asked: object) -> entity_pb2.Entity:
    request = made(pb.GetEntityRequest, namespace="n", caller=caller, **asked)
    return (await served.knowledge.GetEntity(request)).entity


async def missing(served: Served, caller: Caller = ADA, **asked: object) -> AnamnesisError:
    request = made(pb.GetEntityRequest, namespace="n", caller=caller, **asked)
    return await refused(served.knowledge.GetEntity(request))


async def listed(served: Served, caller: Caller = ADA, **asked: object) -> list[str]:
    """Names of all entities, two a page, each once."""
    found: list[entity_pb2.Entity] = []
    token = ""
    while True:
        request = made(
            pb.ListEntitiesRequest,
            **{"namespace": "n", "caller": caller, "page_size": 2, "page_token": token, **asked},
        )
        answer = await served.knowledge.ListEntities(request)
        found += answer.entities
        token = answer.next_page_token
        if not token:
            assert len({one.entity_id for one in found}) == len(found)
            return [one.name for one in found]


async def merge(
    served: Served, entity_id: str, merged_ids: Sequence[str], **fields: object
) -> pb.MergeEntitiesResponse:
    return await served.knowledge.MergeEntities(_merging(entity_id, merged_ids, **fields))


def _merging(
    entity_id: str, merged_ids: Sequence[str], **fields: object
) -> pb.MergeEntitiesRequest:
    asked = {"namespace": "n", "caller": ADA, "entity_id": entity_id, "merged_ids": merged_ids}
    return made(pb.MergeEntitiesRequest, **{**asked, **fields})


async def split(served: Served, entity_id: str, **fields: object) -> pb.SplitEntityResponse:
    return await served.knowledge.SplitEntity(_splitting(entity_id, **fields))


def _splitting(entity_id: str, **fields: object) -> pb.SplitEntityRequest:
    return made(
        pb.SplitEntityRequest, **{"namespace": "n", "caller": ADA, "entity_id": entity_id, **fields}
    )


async def test_many_who_name_somebody_new_at_once_name_one(served: Served) -> None:
    """Half of them create memories, half state facts; spelled in several ways."""
    spelled = ["Zoë Quill", "zoe quill", "ZOE  QUILL", "Ｚｏｅ Quill"]

    async def write(number: int) -> None:
        name = named(spelled[number % len(spelled)])
        if number % 2:
            await remember(served, name, content=f"note {number}")
            return
        fact = pb.AssertFactRequest(
            namespace="n",
            subject=name.name,
            predicate="visited",
            object=f"city {number}",
            entities=[name],
            source=f"writer {number}",
        )
        await served.knowledge.AssertFact(fact)

    await asyncio.gather(*(write(number) for number in range(WRITERS)))
    found = await get(served, name="Zoe Quill")
    assert (found.kind, found.mention_count) == (PERSON, WRITERS)
    assert {found.name, *found.aliases} == set(spelled)
    assert await listed(served) == [found.name]


async def test_an_entity_is_read_by_id_and_by_any_of_its_names(served: Served) -> None:
    await remember(served, named("Mara Lopez", PERSON, "ML", "Mara"))
    entity = await get(served, name="MARA lopez")
    assert entity.entity_id.startswith("e-")
    assert (entity.name, list(entity.aliases)) == ("Mara Lopez", ["ML", "Mara"])
    assert entity.mention_count == 1
    assert entity.last_mention_time.seconds
    for asked in (
        {"name": "ml"},
        {"entity_id": entity.entity_id},
        {"name": "mara", "kind": PERSON},
    ):
        assert await get(served, **asked) == entity
    assert (await missing(served, name="nobody")).reason == ABSENT
    assert (await missing(served, name="?!")).reason == ABSENT
    assert (await missing(served, name="mara", kind=PLACE)).reason == ABSENT
    assert (await missing(served, entity_id="e-none")).reason == ABSENT
    assert isinstance(await missing(served), InvalidArgument)
    both = await missing(served, entity_id=entity.entity_id, name="mara")
    assert isinstance(both, InvalidArgument)


async def test_of_several_with_one_name_the_most_mentioned_is_meant(served: Served) -> None:
    await remember(served, named("Jordan", PERSON))
    for _ in range(2):
        await remember(served, named("Jordan", PLACE))
    assert (await get(served, name="jordan")).kind == PLACE
    assert (await get(served, name="jordan", kind=PERSON)).kind == PERSON


async def test_entities_are_listed_by_kind(served: Served) -> None:
    people = ["Ann Alder", "Ben Birch", "Cy Cedar"]
    await remember(served, *map(named, people), named("Lisbon", PLACE))
    assert sorted(await listed(served)) == [*people, "Lisbon"]
    assert sorted(await listed(served, kind=PERSON)) == people
    assert await listed(served, kind=entity_pb2.ENTITY_KIND_EVENT) == []


async def test_each_sees_the_names_that_their_memories_spell(served: Served) -> None:
    await remember(served, named("Mara Lopez", PERSON))
    await privately(
        served, "bob", named("Mara Lopez", PERSON, "Honey"), named("Secret Garden", PLACE)
    )
    for_ada, for_bob = [await get(served, who, name="Mara Lopez") for who in (ADA, BOB)]
    assert for_ada.entity_id == for_bob.entity_id
    assert (list(for_ada.aliases), for_ada.mention_count) == ([], 1)
    assert (list(for_bob.aliases), for_bob.mention_count) == (["Honey"], 2)
    assert (await missing(served, ADA, name="Honey")).reason == ABSENT
    garden = await get(served, BOB, name="secret garden")
    for asked in ({"name": "Secret Garden"}, {"entity_id": garden.entity_id}):
        assert (await missing(served, ADA, **asked)).reason == ABSENT
    assert await listed(served, ADA) == ["Mara Lopez"]
    assert sorted(await listed(served, BOB)) == ["Mara Lopez", "Secret Garden"]
    error = await refused(
        served.knowledge.MergeEntities(_merging(for_ada.entity_id, [garden.entity_id]))
    )
    assert error.reason == ABSENT
    assert "Garden" not in error.message


async def test_one_of_private_and_shared_names_shows_each_caller_its_own(served: Served) -> None:
    await privately(served, "bob", named("Dr. Mara Lopez"))
    await remember(served, named("Mara Lopez"))
    assert (await get(served, ADA, name="Mara Lopez")).name == "Mara Lopez"
    assert (await get(served, BOB, name="Mara Lopez")).name == "Dr. Mara Lopez"


async def test_erasing_a_memory_takes_its_names(served: Served) -> None:
    first = await remember(served, named("Mara Lopez", PERSON, "Honey"))
    await remember(served, named("Mara Lopez"))
    entity_id = (await get(served, name="honey")).entity_id
    await _delete(served, first)
    left = await get(served, entity_id=entity_id)
    assert (left.name, list(left.aliases), left.mention_count) == ("Mara Lopez", [], 1)
    assert (await missing(served, name="honey")).reason == ABSENT


async def test_an_entity_goes_with_its_last_name_and_no_kept_answer_has_one(
    served: Served,
) -> None:
    one = await remember(served, named("Quorra Vane"))
    other = await remember(served, named("Quorra V."))
    ids = [(await get(served, name=name)).entity_id for name in ("Quorra Vane", "Quorra V.")]
    answer = await merge(served, ids[0], [ids[1]], request_id="r-1")
    assert answer.entity.name == "Quorra Vane"
    for memory_id in (one, other):
        await _delete(served, memory_id)
    assert (await missing(served, entity_id=ids[0])).reason == ABSENT
    again = await merge(served, ids[0], [ids[1]], request_id="r-1")
    assert (again.revision, again.entity.entity_id) == (answer.revision, ids[0])
    assert "Quorra" not in str(again)


async def _delete(served: Served, memory_id: str) -> None:
    request = memory_service_pb2.DeleteMemoryRequest(namespace="n", memory_id=memory_id, caller=ADA)
    await served.memory.DeleteMemory(request)


async def test_merging_is_undone_by_splitting(served: Served) -> None:
    await remember(served, named("Mara Lopez"), named("ML"), named("Lisbon", PLACE))
    before = [await get(served, name=name) for name in ("Mara Lopez", "ML")]
    whole, part = [one.entity_id for one in before]
    answer = await merge(served, whole, [part, whole], request_id="r-1")
    assert (answer.entity.entity_id, answer.entity.name) == (whole, "Mara Lopez")
    assert list(answer.entity.aliases) == ["ML"]
    assert [(one.entity_id, one.name) for one in answer.entity.merged] == [(part, "ML")]
    assert answer.entity.mention_count == 2
    assert await get(served, entity_id=part) == await get(served, name="ml") == answer.entity
    assert sorted(await listed(served)) == ["Lisbon", "Mara Lopez"]
    assert await merge(served, whole, [part, whole], request_id="r-1") == answer
    assert (await merge(served, part, [whole])).entity == answer.entity, "it is so already"
    parted = await split(served, part, request_id="r-2")
    assert [parted.remaining, parted.entity] == before
    assert await split(served, part, request_id="r-2") == parted
    assert [await get(served, name=name) for name in ("Mara Lopez", "ML")] == before
    assert isinstance(
        await refused(served.knowledge.SplitEntity(_splitting(part))), EntityNotMerged
    )


async def test_a_whole_whose_own_name_is_hidden_is_listed_by_that_of_a_part(served: Served) -> None:
    said = await remember(served, named("Mara Lopez"))
    await privately(served, "bob", named("Mara Lopez"))
    await remember(served, named("ML"))
    whole, part = [(await get(served, name=name)).entity_id for name in ("Mara Lopez", "ML")]
    await merge(served, whole, [part])
    request = memory_service_pb2.DeleteMemoryRequest(namespace="n", memory_id=said)
    await served.memory.DeleteMemory(request)
    assert await listed(served, ADA) == await listed(served, ADA, kind=PERSON) == ["ML"]
    assert await listed(served, BOB) == ["Mara Lopez"]


async def test_only_what_is_of_one_kind_is_merged(served: Served) -> None:
    unknown = entity_pb2.ENTITY_KIND_UNSPECIFIED
    await remember(served, named("Mara"), named("Lisbon", PLACE), named("it", unknown))
    mara, lisbon, it = [
        (await get(served, name=name)).entity_id for name in ("Mara", "Lisbon", "it")
    ]
    error = await refused(served.knowledge.MergeEntities(_merging(it, [lisbon, mara])))
    assert isinstance(error, InvalidArgument)
    assert len(await listed(served)) == 3
    answer = await merge(served, it, [lisbon])
    assert (answer.entity.entity_id, answer.entity.kind) == (it, PLACE)
    assert await listed(served, kind=PLACE) == ["it"], "listed as what it is shown to be"
    assert isinstance(
        await refused(served.knowledge.MergeEntities(_merging(mara, [it]))), InvalidArgument
    )
    error = await refused(served.knowledge.MergeEntities(_merging(mara, ["e-none"])))
    assert error.reason == ABSENT


async def test_drawers_of_the_session_name_entities_and_get_tags(served: Served) -> None:
    appended = await talk(served)
    first, second = [one.memory_id for one in appended.results]
    other = (await talk(served, "other", end=False)).results[0].memory_id
    await remember(served, named("Lisbon", PLACE))
    mentions = [
        (first, named("Mara Lopez")),
        (first, named("Lisbon", entity_pb2.ENTITY_KIND_UNSPECIFIED)),
        (second, named("mara lopez")),
        (other, named("Somebody Else")),
        ("gone", named("Nobody Known")),
    ]
    revision = await _learn(served, mentions)
    drawers = {one.memory_id: one for one in await _drawers(served)}
    assert list(drawers[first].tags) == ["@t:1970-01-01", "@p:Mara Lopez", "@l:Lisbon"]
    assert list(drawers[second].tags) == ["@t:1970-01-01", "@p:mara lopez"]
    assert list(drawers[other].tags) == []
    assert (await get(served, name="Mara Lopez")).mention_count == 2
    assert (await get(served, name="Lisbon")).mention_count == 2
    assert sorted(await listed(served)) == ["Lisbon", "Mara Lopez"]
    found = await _drawers(served, tags=["@P:MARA LOPEZ"])
    assert {one.memory_id for one in found} == {first, second}
    named_so = await _drawers(served, entities=["Mara Lopez"])
    assert {one.memory_id for one in named_so} == {first, second}
    assert await _best(served, revision, "Lisbon") == first, "its tag says so"
    assert await _best(served, revision, "?", tags=["@l:lisbon"]) == first


async def _learn(served: Served, mentions: Sequence[tuple[str, entity_pb2.NamedEntity]]) -> str:
    """Cut, measure and learn from the session "s", whose drawers mention these."""
    asked = {"namespace": "n", "session_id": "s"}
    (item,) = (await claim(served, SEGMENT, **asked)).items
    pieces = [segment_pb2.NewSegment(first_event_index=0, last_event_index=1, fingerprint="a" * 16)]
    cut = await served.ledger.ReplaceSegments(
        ledger.ReplaceSegmentsRequest(
            namespace="n",
            lease=lease(item),
            session_etag=item.session_etag,
            segments=pieces,
            segmenter="local",
        )
    )
    segment_id = cut.segments[0].segment_id
    (item,) = (await claim(served, LABEL, **asked)).items
    await served.ledger.UpdateSegment(
        ledger.UpdateSegmentRequest(
            namespace="n",
            lease=lease(item),
            segment_id=segment_id,
            task_type="coding",
            score=0.75,
            metrics_json='{"summary": "fine"}',
            labeller="local",
        )
    )
    await served.ledger.CompleteWork(ledger.CompleteWorkRequest(namespace="n", lease=lease(item)))
    (item,) = (await claim(served, EXTRACT, **asked)).items
    request = ledger.RecordLearnedRequest(
        namespace="n",
        lease=lease(item),
        segment_id=segment_id,
        extractor="local",
        mentions=[
            ledger.DrawerMention(memory_id=memory_id, entity=entity)
            for memory_id, entity in mentions
        ],
    )
    answer = await served.ledger.RecordLearned(request)
    assert (await served.ledger.RecordLearned(request)).memory_ids == answer.memory_ids
    return answer.revision


async def _drawers(served: Served, **where: object) -> Sequence[memory_pb2.Memory]:
    request = memory_service_pb2.ListMemoriesRequest(
        namespace="n",
        filter=made(filter_pb2.MemoryFilter, kinds=[memory_pb2.MEMORY_KIND_EPISODIC], **where),
    )
    return (await served.memory.ListMemories(request)).memories


async def _best(served: Served, revision: str, text: str, **where: object) -> str:
    """The best drawer of session "s" for a text, by its words alone."""
    request = made(
        memory_service_pb2.FindCandidatesRequest,
        namespace="n",
        query=text,
        filter=made(filter_pb2.MemoryFilter, session_ids=["s"], **where),
        limit=10,
        at_least_revision=revision,
    )
    async with served.calls.reading("n") as opened:
        while opened.follower.behind or opened.follower.must_embed:
            await opened.follower.step(100)
            await opened.follower.embed()
    answer = await served.memory.FindCandidates(request)
    return max(answer.candidates, key=lambda one: one.text).memory_id
