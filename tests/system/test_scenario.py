"""The main job, end to end: the same scenario with one process and with four."""

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from grpc import aio

from anamnesis.cluster.v1 import cluster_service_pb2
from anamnesis.common.v1 import caller_pb2
from anamnesis.ingestion.v1 import ingestion_service_pb2
from anamnesis.memory.v1 import (
    admin_service_pb2,
    event_pb2,
    filter_pb2,
    ledger_service_pb2,
    memory_pb2,
    memory_service_pb2,
    namespace_pb2,
)
from anamnesis.retrieval.v1 import retrieval_pb2, retrieval_service_pb2
from anamnesis_libs.tokens import load_counter
from tests.support.clients import Clients
from tests.support.messages import made

pytestmark = pytest.mark.parametrize("addresses", ["one-process", "four-processes"], indirect=True)

WatchRequest = memory_service_pb2.WatchMemoriesRequest
WatchResponse = memory_service_pb2.WatchMemoriesResponse
START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
TALK = [
    ("user", "Ada", "I have moved from Berlin to Lisbon last month."),
    ("assistant", "Helper", "How do you like the new place?"),
    ("user", "Ada", "The apartment has a view of the river, I love it."),
    ("assistant", "Helper", "And what about your job?"),
    ("user", "Ada", "I joined a small studio that restores old accordions."),
    ("assistant", "Helper", "That sounds like a lovely craft."),
    ("user", "Ada", "我的貓叫做豆豆,牠很喜歡睡在窗邊。"),
    ("assistant", "Helper", "豆豆 is a cute name for a cat."),
]


def stamp(minutes: float) -> Timestamp:
    """A time of the conversation."""
    moment = Timestamp()
    moment.FromDatetime(START + timedelta(minutes=minutes))
    return moment


def lines() -> bytes:
    """The conversation as a file, with a line that cannot be read."""
    rows = [
        json.dumps(
            {
                "role": role,
                "name": name,
                "content": content,
                "timestamp": (START + timedelta(minutes=number)).isoformat(),
            },
            ensure_ascii=False,
        )
        for number, (role, name, content) in enumerate(TALK)
    ]
    return "\n".join([*rows[:3], "{not json", *rows[3:]]).encode()


async def upload(
    clients: Clients, namespace: str, body: bytes, session_id: str = ""
) -> ingestion_service_pb2.IngestFileResponse:
    """Stream a file in small chunks."""

    async def parts() -> AsyncIterator[ingestion_service_pb2.IngestFileRequest]:
        header = ingestion_service_pb2.IngestFileHeader(
            namespace=namespace, agent_id="helper", label="talk.jsonl", session_id=session_id
        )
        yield ingestion_service_pb2.IngestFileRequest(header=header)
        for start in range(0, len(body), 100):
            yield ingestion_service_pb2.IngestFileRequest(chunk=body[start : start + 100])

    return await clients.ingestion.IngestFile(parts())


async def found(
    clients: Clients, namespace: str, query: str, revision: str, **more: object
) -> list[str]:
    """Summaries of what a search finds, best first."""
    request = made(
        retrieval_service_pb2.SearchRequest,
        namespace=namespace,
        query=query,
        at_least_revision=revision,
        **more,
    )
    response = await clients.retrieval.Search(request)
    assert not response.degraded
    return [result.memory.summary for result in response.results]


async def test_a_conversation_goes_in_and_the_right_memories_come_out(clients: Clients) -> None:
    stored = await upload(clients, "main-job", lines())
    assert (stored.lines, stored.events, stored.appended) == (9, 8, 8)
    assert [line.line for line in stored.skipped_lines] == [4]
    assert stored.session.event_count == 8

    at = stored.revision
    assert "Lisbon" in (await found(clients, "main-job", "Where does Ada live now?", at))[0]
    craft = await found(clients, "main-job", "What craft does Ada work in?", at)
    assert any("accordions" in text for text in craft[:3])
    assert "豆豆" in (await found(clients, "main-job", "貓叫什麼名字?", at))[0]

    again = await upload(clients, "main-job", lines())
    assert (again.appended, again.replaced, again.unchanged) == (0, 0, 8)
    assert again.revision == stored.revision


async def test_search_explains_every_term_of_its_scores(clients: Clients) -> None:
    stored = await upload(clients, "explain", lines())
    response = await clients.retrieval.Search(
        retrieval_service_pb2.SearchRequest(
            namespace="explain",
            query="river view",
            explain=True,
            detail=retrieval_pb2.DETAIL_L1,
            at_least_revision=stored.revision,
        )
    )
    assert response.results
    for result in response.results:
        total = sum(factor.contribution for factor in result.factors)
        assert result.score == pytest.approx(total, abs=1e-6)
        assert result.memory.content == ""
        assert result.memory.overview
    assert "text" in response.results[0].routes


async def test_filters_hold_inside_the_search(clients: Clients) -> None:
    await upload(clients, "filters", lines(), session_id="first")
    last = await upload(clients, "filters", lines(), session_id="second")
    where = filter_pb2.MemoryFilter(session_ids=["second"])
    response = await clients.retrieval.Search(
        retrieval_service_pb2.SearchRequest(
            namespace="filters", query="Lisbon", filter=where, at_least_revision=last.revision
        )
    )
    assert response.results
    assert {result.memory.session_id for result in response.results} == {"second"}


async def test_a_context_keeps_its_budget_and_cites(clients: Clients) -> None:
    stored = await upload(clients, "context", lines())
    tokens = load_counter("o200k_base")
    for budget in (0, 20, 60, 200):
        context = await clients.retrieval.BuildContext(
            retrieval_service_pb2.BuildContextRequest(
                namespace="context",
                query="Where does Ada live?",
                token_budget=budget,
                pointers=True,
                at_least_revision=stored.revision,
            )
        )
        assert context.token_count == tokens.count(context.text)
        assert context.token_count <= (budget or 1024)
        for citation in context.citations:
            assert citation.pointer in context.text
    nothing = await clients.retrieval.BuildContext(
        retrieval_service_pb2.BuildContextRequest(
            namespace="context", query="zxqv wvutq", at_least_revision=stored.revision
        )
    )
    assert (nothing.text, nothing.token_count) == ("", 0)


async def test_an_observation_is_stored_when_it_matters(clients: Clients) -> None:
    seen = await clients.ingestion.Observe(
        ingestion_service_pb2.ObserveRequest(
            namespace="observe",
            session_id="s",
            agent_id="helper",
            source="user",
            content="Remember: I must never eat peanuts, they are dangerous for me.",
            event_time=stamp(0),
        )
    )
    assert seen.stored
    assert 0.2 <= seen.importance <= 1
    assert seen.event_id == "s/0"
    got = await clients.memory.GetMemory(
        memory_service_pb2.GetMemoryRequest(
            namespace="observe", memory_id=seen.memory_id, at_least_revision=seen.revision
        )
    )
    assert got.memory.content.startswith("Remember")
    assert got.memory.kind == memory_pb2.MEMORY_KIND_EPISODIC
    assert got.memory.pointer.startswith("§ W-")


async def test_secrets_are_gone_before_anything_is_stored(clients: Clients) -> None:
    secret = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vX7zA9cE1gI3kM5"
    stored = await clients.ingestion.AppendEvents(
        ingestion_service_pb2.AppendEventsRequest(
            namespace="secrets",
            session_id="s",
            agent_id="helper",
            events=[
                event_pb2.Event(
                    role=event_pb2.ROLE_USER,
                    content=f"push with {secret} please",
                    event_time=stamp(0),
                )
            ],
        )
    )
    listed = await clients.ledger.ListEvents(
        ledger_service_pb2.ListEventsRequest(
            namespace="secrets", session_id="s", at_least_revision=stored.revision
        )
    )
    assert secret not in listed.events[0].content
    assert listed.events[0].content.startswith("push with <")


async def test_lessons_gather_in_clusters(clients: Clients) -> None:
    texts = [
        "When the database is locked, retry the transaction after 2 seconds.",
        "When the database is locked, retry the transaction after 30 seconds.",
        "Bread needs a long cold rise in the fridge to get its flavour.",
    ]
    made = await clients.memory.BatchCreateMemories(
        memory_service_pb2.BatchCreateMemoriesRequest(
            namespace="lessons",
            memories=[
                memory_service_pb2.NewMemory(kind=memory_pb2.MEMORY_KIND_LEARNING, content=text)
                for text in texts
            ],
        )
    )
    clusters = await clients.cluster.ListClusters(
        cluster_service_pb2.ListClustersRequest(
            namespace="lessons", at_least_revision=made.revision
        ),
        timeout=20,
    )
    assert sorted(cluster.member_count for cluster in clusters.clusters) == [1, 2]
    (pair,) = [cluster for cluster in clusters.clusters if cluster.member_count == 2]
    members = await clients.cluster.ListClusterMemories(
        cluster_service_pb2.ListClusterMemoriesRequest(
            namespace="lessons", cluster_id=pair.cluster_id
        )
    )
    assert [memory.content for memory in members.memories] == texts[:2]


async def test_what_is_deleted_is_found_by_no_path(clients: Clients) -> None:
    stored = await upload(clients, "delete", lines())
    (best,) = (
        await clients.retrieval.Search(
            retrieval_service_pb2.SearchRequest(
                namespace="delete", query="accordions", limit=1, at_least_revision=stored.revision
            )
        )
    ).results
    gone = await clients.memory.DeleteMemory(
        memory_service_pb2.DeleteMemoryRequest(namespace="delete", memory_id=best.memory.memory_id)
    )
    hits = await found(clients, "delete", "accordions studio", gone.revision)
    assert not any("accordions" in hit for hit in hits)
    with pytest.raises(aio.AioRpcError) as missing:
        await clients.memory.GetMemory(
            memory_service_pb2.GetMemoryRequest(namespace="delete", memory_id=best.memory.memory_id)
        )
    assert missing.value.code() is grpc.StatusCode.NOT_FOUND
    events = await clients.ledger.ListEvents(
        ledger_service_pb2.ListEventsRequest(
            namespace="delete", session_id=stored.session.session_id
        )
    )
    assert not any("accordions" in event.content for event in events.events)


async def test_private_memories_are_seen_by_their_owner_only(clients: Clients) -> None:
    made = await clients.memory.CreateMemory(
        memory_service_pb2.CreateMemoryRequest(
            namespace="private",
            memory=memory_service_pb2.NewMemory(
                kind=memory_pb2.MEMORY_KIND_LEARNING,
                content="The vault opens with the word heliotrope.",
                visibility=event_pb2.VISIBILITY_PRIVATE_TO_AGENT,
                agent_id="keeper",
            ),
        )
    )
    keeper = caller_pb2.Caller(agent_id="keeper")
    other = caller_pb2.Caller(agent_id="other")
    assert await found(clients, "private", "vault word", made.revision, caller=keeper)
    assert not await found(clients, "private", "vault word", made.revision, caller=other)
    assert not await found(clients, "private", "vault word", made.revision)


async def next_item(
    watch: "aio.UnaryStreamCall[WatchRequest, WatchResponse]",
) -> WatchResponse:
    """The next item of a watch, within ten seconds."""
    item = await asyncio.wait_for(watch.read(), 10)
    assert isinstance(item, WatchResponse)
    return item


async def test_a_watch_tells_what_happens_after_it_began(clients: Clients) -> None:
    before = await upload(clients, "watch", lines())
    watch = clients.memory.WatchMemories(
        memory_service_pb2.WatchMemoriesRequest(namespace="watch", after_revision=before.revision)
    )
    first = await next_item(watch)
    assert first.bookmark
    made = await clients.memory.CreateMemory(
        memory_service_pb2.CreateMemoryRequest(
            namespace="watch",
            memory=memory_service_pb2.NewMemory(
                kind=memory_pb2.MEMORY_KIND_LEARNING, content="A new lesson."
            ),
        )
    )
    told = await next_item(watch)
    assert (told.memory_id, told.revision) == (made.memory.memory_id, made.revision)
    watch.cancel()


async def stats_when_vectors_are_stored(
    clients: Clients, namespace: str
) -> namespace_pb2.NamespaceStats:
    """Counts of a namespace; a search may find vectors a moment before the store has them."""
    request = admin_service_pb2.GetStatsRequest(namespace=namespace)
    async with asyncio.timeout(10):
        stats = (await clients.admin.GetStats(request)).stats
        while stats.pending_embeddings:
            await asyncio.sleep(0.01)
            stats = (await clients.admin.GetStats(request)).stats
    return stats


async def test_stats_and_namespaces(clients: Clients) -> None:
    stored = await upload(clients, "stats", lines())
    await found(clients, "stats", "Lisbon", stored.revision)
    stats = await stats_when_vectors_are_stored(clients, "stats")
    assert (stats.memories, stats.sessions, stats.events) == (8, 1, 8)
    assert (stats.indexed_memories, stats.vectors, stats.pending_embeddings) == (8, 8, 0)
    listed = await clients.admin.ListNamespaces(admin_service_pb2.ListNamespacesRequest())
    assert "stats" in [namespace.namespace for namespace in listed.namespaces]


async def test_ending_a_session(clients: Clients) -> None:
    stored = await upload(clients, "end", lines())
    ended = await clients.ingestion.EndSession(
        ingestion_service_pb2.EndSessionRequest(
            namespace="end",
            session_id=stored.session.session_id,
            caller=caller_pb2.Caller(agent_id="helper"),
        )
    )
    assert ended.session.state == event_pb2.SESSION_STATE_ENDED
    with pytest.raises(aio.AioRpcError) as missing:
        await clients.ingestion.EndSession(
            ingestion_service_pb2.EndSessionRequest(namespace="end", session_id="nobody")
        )
    assert missing.value.code() is grpc.StatusCode.NOT_FOUND
