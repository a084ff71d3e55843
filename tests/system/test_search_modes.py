"""Modes of search and rankings, through a running suite: none shows what another scope holds."""

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from grpc import aio

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.ingestion.v1 import ingestion_service_pb2 as ingestion_pb
from anamnesis.memory.v1 import entity_pb2, event_pb2, memory_pb2
from anamnesis.memory.v1 import knowledge_service_pb2 as knowledge_pb
from anamnesis.retrieval.v1 import retrieval_pb2
from anamnesis.retrieval.v1 import retrieval_service_pb2 as pb
from tests.support.clients import Clients, clients_of, everywhere
from tests.support.processes import start

ANN, BEN = Caller(user_id="ann"), Caller(user_id="ben")
DAYS = ("2026-03-02", "2026-05-04", "2026-05-20", "2026-08-01")
FACTS = (
    ("Mara", "works_with", "Tomas"),
    ("Tomas", "lives_in", "Porto"),
    ("Mara", "likes", "rye bread"),
    ("Bo", "likes", "rye bread"),
    ("Olga", "plays", "chess"),
)


@pytest.fixture
async def clients(tmp_path: Path) -> AsyncIterator[Clients]:
    """A suite where two people told the same, each for themselves."""
    process = start(tmp_path / "data")
    try:
        async with clients_of(everywhere(process.address)) as made:
            for caller in (ANN, BEN):
                await _told(made, caller.user_id)
            yield made
    finally:
        assert process.stop() == 0, "".join(process.output)


async def _told(clients: Clients, user: str) -> None:
    for index, day in enumerate(DAYS):
        said = event_pb2.Event(
            index=0,
            role=event_pb2.ROLE_USER,
            content=f"Mara baked rye bread in batch {index}.",
            event_time=_at(day),
        )
        await clients.ingestion.AppendEvents(
            ingestion_pb.AppendEventsRequest(
                namespace="n", session_id=f"{user}-{index}", user_id=user, events=[said]
            )
        )
    for subject, predicate, thing in FACTS:
        await clients.knowledge.AssertFact(
            knowledge_pb.AssertFactRequest(
                namespace="n",
                user_id=user,
                subject=subject,
                predicate=predicate,
                object=thing,
                entities=[
                    entity_pb2.NamedEntity(name=name, kind=entity_pb2.ENTITY_KIND_PERSON)
                    for name in (subject, thing)
                    if name in ("Mara", "Tomas", "Bo", "Olga")
                ],
            )
        )


def _at(day: str) -> Timestamp:
    made = Timestamp()
    made.FromJsonString(f"{day}T10:00:00Z")
    return made


async def _search(
    clients: Clients, query: str, caller: Caller, **fields: object
) -> Sequence[retrieval_pb2.SearchResult]:
    """All results of a search, page after page."""
    request = pb.SearchRequest(namespace="n", query=query, caller=caller, limit=3)
    request.MergeFrom(pb.SearchRequest(**fields))  # type: ignore[arg-type]
    results: list[retrieval_pb2.SearchResult] = []
    while True:
        answer = await clients.retrieval.Search(request)
        results += answer.results
        if not answer.next_page_token:
            return results
        assert len(answer.results) == request.limit
        request.page_token = answer.next_page_token


def _days(found: Sequence[retrieval_pb2.SearchResult]) -> set[str]:
    return {one.memory.event_time.ToJsonString()[:10] for one in found}


async def test_modes_and_rankings(clients: Clients) -> None:
    await _structured_has_facts_alone(clients)
    await _temporal_has_the_time_that_is_named(clients)
    await _graph_walks_over_entities(clients)
    await _recent_has_the_newest_first(clients)
    await _nobody_sees_another(clients)
    await _routes_are_told(clients)
    await _a_session_is_not_told_twice(clients)


async def _structured_has_facts_alone(clients: Clients) -> None:
    mode = retrieval_pb2.SEARCH_MODE_STRUCTURED
    found = await _search(clients, "Who likes rye bread?", ANN, mode=mode)
    assert {one.memory.kind for one in found} == {memory_pb2.MEMORY_KIND_SEMANTIC}
    assert {one.memory.fact.subject for one in found[:2]} == {"Mara", "Bo"}


async def _temporal_has_the_time_that_is_named(clients: Clients) -> None:
    mode = retrieval_pb2.SEARCH_MODE_TEMPORAL
    found = await _search(clients, "What did Mara bake in May 2026?", ANN, mode=mode)
    assert _days(found) == {"2026-05-04", "2026-05-20"}
    later = await _search(clients, "What was baked after 4 May 2026?", ANN, mode=mode)
    assert _days(later) == {"2026-05-20", "2026-08-01"}


async def _graph_walks_over_entities(clients: Clients) -> None:
    """What shares a person with the seed is two edges away; what shares none is not reached."""
    mode = retrieval_pb2.SEARCH_MODE_GRAPH
    structured = retrieval_pb2.SEARCH_MODE_STRUCTURED
    facts = await _search(clients, "Mara works with Tomas", ANN, mode=structured)
    seed = next(one for one in facts if one.memory.fact.predicate == "works_with").memory.memory_id
    found = await _search(clients, "anything", ANN, mode=mode, seed_memory_id=seed)
    told = {one.memory.fact.predicate: one.graph_distance for one in found}
    assert found[0].memory.memory_id == seed
    assert (told["works_with"], told["lives_in"], told["likes"]) == (0, 2, 2)
    assert "plays" not in told
    distances = [one.graph_distance for one in found]
    assert distances == sorted(distances)
    unnamed = await _search(clients, "Who lives in Porto?", ANN, mode=mode)
    assert "works_with" in {one.memory.fact.predicate for one in unnamed}
    for caller, unseen in ((ANN, "nothing"), (BEN, seed)):
        with pytest.raises(aio.AioRpcError) as failed:
            await _search(clients, "x", caller, mode=mode, seed_memory_id=unseen)
        assert failed.value.code() is grpc.StatusCode.NOT_FOUND


async def _recent_has_the_newest_first(clients: Clients) -> None:
    ranking = retrieval_pb2.RANKING_RECENT
    kinds = {"filter": {"kinds": [memory_pb2.MEMORY_KIND_EPISODIC]}}
    now = _at("2026-08-02")
    found = await _search(clients, "rye bread", ANN, ranking=ranking, now=now, **kinds)
    assert found[0].memory.event_time == _at("2026-08-01")


async def _nobody_sees_another(clients: Clients) -> None:
    """In every mode and ranking: own results alone, each once, and as many as there are."""
    for mode in retrieval_pb2.SearchMode.values():
        for ranking in retrieval_pb2.Ranking.values():
            query = "What did Mara do in May 2026?"
            found = await _search(clients, query, BEN, mode=mode, ranking=ranking)
            ids = [one.memory.memory_id for one in found]
            assert ids
            assert len(ids) == len(set(ids))
            assert {one.memory.user_id for one in found} == {"ben"}


async def _routes_are_told(clients: Clients) -> None:
    request = pb.RouteQueryRequest(namespace="n", query="What did I bake last week?", caller=ANN)
    routes = {one.name: one for one in (await clients.retrieval.RouteQuery(request)).routes}
    assert {"text", "dense", "window", "temporal"} <= set(routes)
    (week,) = routes["temporal"].times
    assert week.end_time.seconds - week.start_time.seconds == 7 * 24 * 3600


async def _a_session_is_not_told_twice(clients: Clients) -> None:
    caller = Caller(user_id="ann", session_id="s-1")
    request = pb.BuildContextRequest(
        namespace="n", query="Where does Tomas live?", caller=caller, exclude_shown=True
    )
    assert "Porto" in (await clients.retrieval.BuildContext(request)).text
    again = await clients.retrieval.BuildContext(request)
    assert "Porto" not in again.text
    request.caller.session_id = "s-2"
    assert "Porto" in (await clients.retrieval.BuildContext(request)).text
    request.caller.session_id = ""
    with pytest.raises(aio.AioRpcError, match="session_id"):
        await clients.retrieval.BuildContext(request)
    request.exclude_shown, request.exclude_own_session = False, True
    with pytest.raises(aio.AioRpcError, match="session_id"):
        await clients.retrieval.BuildContext(request)
