"""KnowledgeService over gRPC: facts that are stated, taken back and listed."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from grpc import StatusCode, aio

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import entity_pb2, event_pb2, memory_pb2
from anamnesis.memory.v1 import knowledge_pb2 as known
from anamnesis.memory.v1 import knowledge_service_pb2 as pb
from anamnesis.memory.v1 import memory_service_pb2 as memories_pb
from anamnesis_libs.rpc.status import from_rpc_error
from tests.support.memory_service import Served, serving

SPACE = "team-a"
TIMEOUT_S = 30
CREATED = memories_pb.CREATE_OUTCOME_CREATED
MERGED = memories_pb.CREATE_OUTCOME_MERGED


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    """A running service."""
    async with serving(tmp_path) as running:
        yield running


def at(text: str) -> Timestamp:
    """A time in UTC."""
    stamp = Timestamp()
    stamp.FromDatetime(datetime.fromisoformat(text).replace(tzinfo=UTC))
    return stamp


MINE: dict[str, Any] = {
    "user_id": "nadia",
    "visibility": event_pb2.VISIBILITY_PRIVATE_TO_USER,
}


def lives_in(city: str, since: str = "", **given: object) -> pb.AssertFactRequest:
    """Where Nadia lives."""
    return pb.AssertFactRequest(
        namespace=SPACE,
        subject="Nadia",
        predicate="lives_in",
        object=city,
        valid_from=at(since) if since else None,
        **given,  # type: ignore[arg-type]
    )


async def tell(served: Served, *requests: pb.AssertFactRequest) -> list[pb.AssertFactResponse]:
    """State facts, one after another."""
    return [await served.knowledge.AssertFact(one, timeout=TIMEOUT_S) for one in requests]


async def facts(served: Served, **asked: object) -> list[known.KnownFact]:
    """One page of facts."""
    request = pb.ListFactsRequest(namespace=SPACE, **asked)  # type: ignore[arg-type]
    return list((await served.knowledge.ListFacts(request, timeout=TIMEOUT_S)).facts)


def objects(found: list[known.KnownFact]) -> list[str]:
    """What facts are about, in order."""
    return [one.memory.fact.object for one in found]


def fields(error: aio.AioRpcError) -> list[str]:
    """Which fields were refused."""
    refused = from_rpc_error(error, "server")
    return [one.field for one in getattr(refused, "violations", ())]


async def refused(served: Served, request: pb.AssertFactRequest) -> list[str]:
    """The fields for which a fact is refused as invalid."""
    with pytest.raises(aio.AioRpcError) as error:
        await served.knowledge.AssertFact(request, timeout=TIMEOUT_S)
    assert error.value.code() is StatusCode.INVALID_ARGUMENT
    return fields(error.value)


async def test_a_fact_is_answered_as_it_is_known(served: Served) -> None:
    person = entity_pb2.NamedEntity(
        name="Nadia", kind=entity_pb2.ENTITY_KIND_PERSON, aliases=["N. Visser"]
    )
    (made,) = await tell(
        served,
        lives_in(
            "Utrecht",
            "2021-03-01",
            time_precision=memory_pb2.TIME_PRECISION_MONTH,
            fact_kind=memory_pb2.FACT_KIND_IDENTITY,
            entities=[person, entity_pb2.NamedEntity(name="Utrecht")],
            tags=["home"],
            importance=0.7,
            session_id="s-1",
            agent_id="juno",
        ),
    )
    fact, memory = made.fact, made.fact.memory
    assert (made.outcome, list(made.closed_ids), list(fact.closed_by_ids)) == (CREATED, [], [])
    assert (memory.content, list(memory.tags)) == ("Nadia lives in Utrecht", ["home"])
    assert (memory.confidence, memory.importance) == (0.8, 0.7)
    assert (memory.fact.valid_from, memory.fact.HasField("valid_to")) == (at("2021-03-01"), False)
    assert memory.fact.time_precision == memory_pb2.TIME_PRECISION_MONTH
    assert memory.fact.fact_kind == memory_pb2.FACT_KIND_IDENTITY
    assert list(memory.fact.persons) == ["Nadia"]
    assert list(memory.entities) == ["Nadia", "Utrecht"]
    assert list(fact.sources) == ["s-1"]
    assert (fact.HasField("known_from"), fact.HasField("known_to")) == (True, False)
    assert not fact.flags
    (listed,) = await facts(served, at_least_revision=made.revision)
    listed.memory.retention = memory.retention
    assert listed == fact
    entity = await served.knowledge.GetTimeline(
        pb.GetTimelineRequest(namespace=SPACE, name="n visser"), timeout=TIMEOUT_S
    )
    assert (entity.entity.kind, entity.entity.name) == (entity_pb2.ENTITY_KIND_PERSON, "Nadia")


async def test_a_date_covers_its_period(served: Served) -> None:
    month, year = memory_pb2.TIME_PRECISION_MONTH, memory_pb2.TIME_PRECISION_YEAR
    ends = lives_in("Delft", "2018-06-15", valid_to=at("2019-02-03"), time_precision=month)
    (delft, gouda) = await tell(served, ends, lives_in("Gouda", "2020-06-01", time_precision=year))
    assert delft.fact.memory.fact.valid_from == at("2018-06-01")
    assert delft.fact.memory.fact.valid_to == at("2019-03-01")
    assert gouda.fact.memory.fact.valid_from == at("2020-01-01")
    same_day = lives_in(
        "Breda",
        "2017-05-05",
        valid_to=at("2017-05-05"),
        time_precision=memory_pb2.TIME_PRECISION_DAY,
    )
    (breda,) = await tell(served, same_day)
    assert breda.fact.memory.fact.valid_to == at("2017-05-06")


async def test_what_ends_before_it_begins_is_refused_and_nothing_is_stored(served: Served) -> None:
    await tell(served, lives_in("Delft", "2018-01-01"))
    before = await facts(served)
    for until in ("2021-03-01", "2020-12-31"):
        assert await refused(served, lives_in("Utrecht", "2021-03-01", valid_to=at(until))) == [
            "valid_to"
        ]
    assert await facts(served) == before


async def test_what_is_refused_makes_no_namespace(served: Served) -> None:
    assert await refused(served, lives_in("Delft", "2021-01-01", valid_to=at("2020-01-01"))) == [
        "valid_to"
    ]
    for field in ("subject", "predicate", "object"):
        blank = lives_in("Delft")
        setattr(blank, field, " \u3000 ")
        assert await refused(served, blank) == [field]
    with pytest.raises(aio.AioRpcError) as error:
        await facts(served)
    assert error.value.code() is StatusCode.NOT_FOUND


async def test_private_to_nobody_is_refused(served: Served) -> None:
    private = lives_in("Delft", visibility=event_pb2.VISIBILITY_PRIVATE_TO_USER)
    assert await refused(served, private) == ["user_id"]


async def test_a_memory_that_ends_before_it_begins_is_refused_too(served: Served) -> None:
    parts = [
        memory_pb2.Fact(
            subject="Nadia", predicate="lives_in", object=city, valid_to=at("2020-01-01")
        )
        for city in ("Delft", "Gouda")
    ]
    parts[1].valid_from.CopyFrom(at("2020-01-01"))
    told = [
        memories_pb.NewMemory(kind=memory_pb2.MEMORY_KIND_SEMANTIC, content="home", fact=part)
        for part in parts
    ]
    with pytest.raises(aio.AioRpcError) as error:
        await served.memory.BatchCreateMemories(
            memories_pb.BatchCreateMemoriesRequest(namespace=SPACE, memories=told),
            timeout=TIMEOUT_S,
        )
    assert error.value.code() is StatusCode.INVALID_ARGUMENT
    assert fields(error.value) == ["memories[1].fact.valid_to"]
    assert await facts(served) == []


async def test_it_names_what_it_closed_and_what_closed_it(served: Served) -> None:
    delft, utrecht, gouda = await tell(
        served,
        lives_in("Delft", "2018-01-01"),
        lives_in("Utrecht", "2021-03-01"),
        lives_in("Gouda", "2019-01-01"),
    )
    ids = [one.fact.memory.memory_id for one in (delft, utrecht, gouda)]
    assert list(utrecht.closed_ids) == [ids[0]]
    assert list(gouda.closed_ids) == [ids[0]]
    assert list(gouda.fact.closed_by_ids) == [ids[1]]
    assert list(gouda.fact.flags) == [known.FACT_FLAG_SUPERSEDED]
    found = await facts(served)
    assert objects(found) == ["Delft", "Gouda", "Utrecht"]
    assert [list(one.closed_by_ids) for one in found] == [[ids[2]], [ids[1]], []]


async def test_a_repeated_request_gets_its_first_answer(served: Served) -> None:
    await tell(served, lives_in("Delft", "2018-01-01", source="chat"))
    request = lives_in("Delft", "2018-01-01", source="mail", request_id="r-1")
    first, second, third = await tell(served, request, request, request)
    assert first == second == third
    assert first.fact.memory.confidence == pytest.approx(0.85)
    taken = pb.RetractFactRequest(
        namespace=SPACE, memory_id=first.fact.memory.memory_id, request_id="r-2"
    )
    once = await served.knowledge.RetractFact(taken, timeout=TIMEOUT_S)
    await tell(served, lives_in("Delft", "2018-01-01", source="cv"))
    assert await served.knowledge.RetractFact(taken, timeout=TIMEOUT_S) == once
    assert objects(await facts(served)) == ["Delft"]


async def test_a_batch_meets_itself(served: Served) -> None:
    fact = memory_pb2.Fact(subject="Nadia", predicate="lives_in", object="Delft")
    told = [
        memories_pb.NewMemory(
            kind=memory_pb2.MEMORY_KIND_SEMANTIC, content="Delft", session_id=session, fact=fact
        )
        for session in ("s-1", "s-1", "s-2")
    ]
    answer = await served.memory.BatchCreateMemories(
        memories_pb.BatchCreateMemoriesRequest(namespace=SPACE, memories=told), timeout=TIMEOUT_S
    )
    assert list(answer.outcomes) == [CREATED, MERGED, MERGED]
    assert len({one.memory_id for one in answer.memories}) == 1
    (only,) = await facts(served)
    assert list(only.sources) == ["s-1", "s-2"]
    assert only.memory.confidence == pytest.approx(0.85)


async def test_many_who_say_the_same_at_once_are_one_fact(served: Served) -> None:
    sources = [f"source-{number % 4}" for number in range(20)]
    answers = await asyncio.gather(
        *(tell(served, lives_in("Delft", "2018-01-01", source=source)) for source in sources)
    )
    outcomes = [made.outcome for (made,) in answers]
    assert outcomes.count(CREATED) == 1
    assert outcomes.count(MERGED) == 19
    (only,) = await facts(served)
    assert {made.fact.memory.memory_id for (made,) in answers} == {only.memory.memory_id}
    assert sorted(only.sources) == sorted(set(sources))
    assert only.memory.confidence == pytest.approx(0.8 + 3 * 0.05)


async def test_who_says_so_is_the_source_else_session_agent_or_user(served: Served) -> None:
    for given in (
        {"source": "cv", "session_id": "s-1", "agent_id": "juno"},
        {"session_id": "s-1", "agent_id": "juno", "user_id": "mara"},
        {"agent_id": "juno", "user_id": "mara"},
        {"user_id": "mara"},
    ):
        served.clock.move(seconds=1)
        await tell(served, lives_in("Delft", visibility=event_pb2.VISIBILITY_SHARED, **given))
    (only,) = await facts(served)
    assert list(only.sources) == ["cv", "s-1", "juno", "mara"]


async def test_a_retraction_opens_what_was_closed(served: Served) -> None:
    delft, utrecht = await tell(
        served, lives_in("Delft", "2018-01-01"), lives_in("Utrecht", "2021-03-01")
    )
    then = datetime.fromtimestamp(served.clock.now().timestamp(), UTC)
    served.clock.move(days=1)
    done = await served.knowledge.RetractFact(
        pb.RetractFactRequest(namespace=SPACE, memory_id=utrecht.fact.memory.memory_id),
        timeout=TIMEOUT_S,
    )
    assert list(done.reopened_ids) == [delft.fact.memory.memory_id]
    assert done.memory.status == memory_pb2.MEMORY_STATUS_ARCHIVED
    assert done.memory.fact.retracted
    (left,) = await facts(served, as_of=at("2022-01-01"), at_least_revision=done.revision)
    assert (left.memory.fact.object, left.memory.fact.HasField("valid_to")) == ("Delft", False)
    stamp = Timestamp()
    stamp.FromDatetime(then)
    before = await facts(served, as_of=at("2022-01-01"), known_at=stamp)
    assert objects(before) == ["Utrecht"]
    assert before[0].HasField("known_to")
    assert list(before[0].flags) == [known.FACT_FLAG_RETRACTED]
    assert not before[0].memory.fact.retracted


async def test_a_retraction_that_cannot_be(served: Served) -> None:
    (hidden,) = await tell(served, lives_in("Delft", **MINE))
    lesson = await served.memory.CreateMemory(
        memories_pb.CreateMemoryRequest(
            namespace=SPACE,
            memory=memories_pb.NewMemory(
                kind=memory_pb2.MEMORY_KIND_LEARNING, content="Ask before moving"
            ),
        ),
        timeout=TIMEOUT_S,
    )
    for memory_id, etag, code in (
        ("nothing", "", StatusCode.NOT_FOUND),
        (hidden.fact.memory.memory_id, "", StatusCode.NOT_FOUND),
        (lesson.memory.memory_id, "", StatusCode.INVALID_ARGUMENT),
    ):
        with pytest.raises(aio.AioRpcError) as error:
            await served.knowledge.RetractFact(
                pb.RetractFactRequest(namespace=SPACE, memory_id=memory_id, etag=etag),
                timeout=TIMEOUT_S,
            )
        assert error.value.code() is code
    with pytest.raises(aio.AioRpcError) as stale:
        await served.knowledge.RetractFact(
            pb.RetractFactRequest(
                namespace=SPACE,
                memory_id=hidden.fact.memory.memory_id,
                caller=Caller(user_id="nadia"),
                etag="other",
            ),
            timeout=TIMEOUT_S,
        )
    assert stale.value.code() is StatusCode.ABORTED


async def test_private_facts_stay_apart(served: Served) -> None:
    shared, private = await tell(
        served, lives_in("Delft", "2018-01-01"), lives_in("Utrecht", "2021-01-01", **MINE)
    )
    assert (private.outcome, list(private.closed_ids)) == (CREATED, [])
    assert objects(await facts(served)) == ["Delft"]
    nadia, piet = Caller(user_id="nadia"), Caller(user_id="piet")
    assert objects(await facts(served, caller=nadia)) == ["Delft", "Utrecht"]
    assert objects(await facts(served, caller=piet)) == ["Delft"]
    assert not (await facts(served))[0].memory.fact.HasField("valid_to")
    assert shared.fact.memory.memory_id != private.fact.memory.memory_id


async def test_pages_end_and_belong_to_their_query(served: Served) -> None:
    await tell(served, *(lives_in(f"town {year}", f"{year}-01-01") for year in range(2001, 2008)))
    request = pb.ListFactsRequest(namespace=SPACE, subject="nadia", page_size=3)
    found: list[known.KnownFact] = []
    sizes = []
    while True:
        page = await served.knowledge.ListFacts(request, timeout=TIMEOUT_S)
        found += page.facts
        sizes.append(len(page.facts))
        if not page.next_page_token:
            break
        request.page_token = page.next_page_token
    assert sizes == [3, 3, 1]
    assert objects(found) == [f"town {year}" for year in range(2001, 2008)]
    request.subject = "piet"
    with pytest.raises(aio.AioRpcError) as error:
        await served.knowledge.ListFacts(request, timeout=TIMEOUT_S)
    assert error.value.code() is StatusCode.INVALID_ARGUMENT


async def test_filters_mind_neither_case_nor_spaces(served: Served) -> None:
    await tell(served, lives_in("Den Haag", "2018-01-01"))
    for asked in (
        {"subject": " NADIA "},
        {"predicate": "Lives_In"},
        {"predicates": ["Lives_In", "works at"]},
        {"object": "den  haag"},
        {"object": "Ｄen Haag"},
    ):
        assert objects(await facts(served, **asked)) == ["Den Haag"]
    assert await facts(served, object="Haag") == []


async def test_a_timeline_has_what_names_the_entity(served: Served) -> None:
    halden = entity_pb2.NamedEntity(name="Halden", kind=entity_pb2.ENTITY_KIND_ORGANISATION)
    job = pb.AssertFactRequest(
        namespace=SPACE, subject="Nadia", predicate="works_at", object="Halden", entities=[halden]
    )
    await tell(served, lives_in("Delft", "2018-01-01"), lives_in("Utrecht", "2021-01-01"), job)
    request = pb.GetTimelineRequest(namespace=SPACE, name="nadia", page_size=2)
    first = await served.knowledge.GetTimeline(request, timeout=TIMEOUT_S)
    assert objects(list(first.facts)) == ["Halden", "Delft"]
    request.page_token = first.next_page_token
    second = await served.knowledge.GetTimeline(request, timeout=TIMEOUT_S)
    assert (objects(list(second.facts)), second.next_page_token) == (["Utrecht"], "")
    by_id = pb.GetTimelineRequest(namespace=SPACE, entity_id=first.entity.entity_id)
    whole = await served.knowledge.GetTimeline(by_id, timeout=TIMEOUT_S)
    assert objects(list(whole.facts)) == ["Halden", "Delft", "Utrecht"]
    other = await served.knowledge.GetTimeline(
        pb.GetTimelineRequest(namespace=SPACE, name="halden"), timeout=TIMEOUT_S
    )
    assert objects(list(other.facts)) == ["Halden"]
    assert other.entity.kind == entity_pb2.ENTITY_KIND_ORGANISATION


async def test_a_timeline_of_whom_nobody_may_see(served: Served) -> None:
    await tell(served, lives_in("Delft", **MINE))
    for caller, code in ((Caller(), StatusCode.NOT_FOUND), (Caller(user_id="nadia"), None)):
        request = pb.GetTimelineRequest(namespace=SPACE, name="Nadia", caller=caller)
        if code is None:
            answer = await served.knowledge.GetTimeline(request, timeout=TIMEOUT_S)
            assert objects(list(answer.facts)) == ["Delft"]
            continue
        with pytest.raises(aio.AioRpcError) as error:
            await served.knowledge.GetTimeline(request, timeout=TIMEOUT_S)
        assert error.value.code() is code


@pytest.mark.parametrize("given", [{}, {"name": "Nadia", "entity_id": "e-1"}])
async def test_a_timeline_of_exactly_one(served: Served, given: dict[str, str]) -> None:
    await tell(served, lives_in("Delft"))
    with pytest.raises(aio.AioRpcError) as error:
        await served.knowledge.GetTimeline(
            pb.GetTimelineRequest(namespace=SPACE, **given),  # type: ignore[arg-type]
            timeout=TIMEOUT_S,
        )
    assert error.value.code() is StatusCode.INVALID_ARGUMENT
    assert fields(error.value) == ["entity_id"]


async def test_what_it_was_derived_from_changes(served: Served) -> None:
    (base,) = await tell(served, lives_in("Delft", "2018-01-01"))
    derived = pb.AssertFactRequest(
        namespace=SPACE,
        subject="Nadia",
        predicate="commutes by",
        object="tram 1",
        source_memory_ids=[base.fact.memory.memory_id],
    )
    await tell(served, derived, lives_in("Utrecht", "2021-01-01"))
    flags = {one.memory.fact.object: list(one.flags) for one in await facts(served)}
    assert flags == {
        "Delft": [known.FACT_FLAG_SUPERSEDED],
        "Utrecht": [],
        "tram 1": [known.FACT_FLAG_NEEDS_REVIEW],
    }
    (tram,) = await facts(served, object="tram 1")
    assert tram.memory.needs_review


async def test_a_secret_is_not_kept_in_who_says_so(served: Served) -> None:
    (made,) = await tell(served, lives_in("Delft", source="nadia.visser@example.com"))
    assert "example.com" not in str(made)
