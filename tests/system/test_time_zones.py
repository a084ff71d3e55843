"""Days are the speaker's days, over a running suite: told, learned and asked for, in two languages.

What is said at half past midnight in Tokyo is of that day there, and of the day before in UTC.
"""

import uuid
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.cluster.v1 import projection_service_pb2 as projection_pb
from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.ingestion.v1 import ingestion_service_pb2 as ingestion_pb
from anamnesis.memory.v1 import admin_service_pb2 as admin_pb
from anamnesis.memory.v1 import event_pb2, ledger_service_pb2, memory_pb2, policy_pb2
from anamnesis.memory.v1 import knowledge_service_pb2 as knowledge_pb
from anamnesis.memory.v1 import memory_service_pb2 as memory_pb
from anamnesis.retrieval.v1 import retrieval_pb2
from anamnesis.retrieval.v1 import retrieval_service_pb2 as pb
from tests.support.clients import Clients, clients_of, everywhere
from tests.support.processes import start

ME = Caller(user_id="mei")
USER = event_pb2.ROLE_USER
TOKYO, SHANGHAI, NEW_YORK = 540, 480, -300
SERVER = (pytest.mark.server, pytest.mark.long)


@pytest.fixture(scope="module", params=["sqlite", pytest.param("neo4j", marks=SERVER)])
def address(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """Where a suite of its own is, on each store."""
    data_dir: Path = tmp_path_factory.mktemp("zones") / "data"
    settings = {"ANAMNESIS_MODELS__EMBEDDER": "static"}
    if request.param == "neo4j":
        settings |= {
            "ANAMNESIS_STORAGE__BACKEND": "neo4j",
            "ANAMNESIS_STORAGE__NEO4J_URI": request.getfixturevalue("neo4j_address").uri,
            "ANAMNESIS_STORAGE__NEO4J_CATALOGUE": f"zones-{uuid.uuid4().hex}",
        }
    process = start(data_dir, settings=settings)
    yield process.address
    assert process.stop() == 0, "".join(process.output)


@pytest.fixture
async def clients(address: str) -> AsyncIterator[Clients]:
    """Stubs of the suite."""
    async with clients_of(everywhere(address)) as made:
        yield made


@pytest.fixture
def place() -> str:
    """A namespace of a test's own."""
    return f"z{uuid.uuid4().hex[:12]}"


def at(written: str) -> Timestamp:
    moment = Timestamp()
    moment.FromJsonString(written)
    return moment


async def say(
    clients: Clients,
    place: str,
    lines: Mapping[str, str],
    minutes: int | None = None,
    *,
    learn: bool = False,
) -> str:
    """Append what was said at some times, by a clock so far from UTC; gives the revision."""
    events = [
        event_pb2.Event(role=USER, content=text, event_time=at(time), utc_offset_minutes=minutes)
        for time, text in lines.items()
    ]
    request = ingestion_pb.AppendEventsRequest(
        namespace=place, session_id="s", user_id=ME.user_id, events=events, end_session=True
    )
    revision = (await clients.ingestion.AppendEvents(request)).revision
    if learn:
        async for _ in clients.ingestion.RunPipeline(
            ingestion_pb.RunPipelineRequest(namespace=place)
        ):
            pass
    return revision


async def context(clients: Clients, place: str, query: str, revision: str, now: str) -> str:
    request = pb.BuildContextRequest(
        namespace=place, query=query, caller=ME, at_least_revision=revision, now=at(now)
    )
    return (await clients.retrieval.BuildContext(request)).text


async def facts(clients: Clients, place: str) -> list[memory_pb2.Memory]:
    request = knowledge_pb.ListFactsRequest(namespace=place, caller=ME, subject=ME.user_id)
    return [one.memory for one in (await clients.knowledge.ListFacts(request)).facts]


async def set_zone(clients: Clients, place: str, zone: str) -> None:
    await clients.admin.UpdateNamespacePolicy(
        admin_pb.UpdateNamespacePolicyRequest(
            namespace=place, policy=policy_pb2.Policy(time_zone=zone)
        )
    )


@pytest.mark.parametrize(
    ("line", "query", "heading"),
    [
        ("I planted two fig trees behind the shed.", "fig trees behind the shed", "6 January"),
        ("我在院子里种了两棵无花果树。", "无花果树种在哪里？", "1月6日"),
    ],
)
async def test_a_line_stands_under_the_day_of_its_speaker(
    clients: Clients, place: str, line: str, query: str, heading: str
) -> None:
    revision = await say(clients, place, {"2026-01-05T15:30:00Z": line}, TOKYO)
    text = await context(clients, place, query, revision, "2026-02-01T12:00:00Z")
    assert heading in text.splitlines()


@pytest.mark.parametrize(
    ("line", "minutes", "time", "day", "object_"),
    [
        ("I moved to Hamburg yesterday.", TOKYO, "2026-01-05T15:30:00Z", "2026-01-05", "Hamburg"),
        ("我昨天搬到了成都。", SHANGHAI, "2026-01-05T23:00:00Z", "2026-01-05", "成都"),
        ("我今天搬到了成都。", SHANGHAI, "2026-01-05T23:00:00Z", "2026-01-06", "成都"),
        ("I moved to Hamburg today.", NEW_YORK, "2026-01-06T01:00:00Z", "2026-01-05", "Hamburg"),
    ],
)
async def test_a_fact_begins_on_the_day_that_its_speaker_meant(
    clients: Clients, place: str, line: str, minutes: int, time: str, day: str, object_: str
) -> None:
    await say(clients, place, {time: line}, minutes, learn=True)
    (told,) = [one for one in await facts(clients, place) if one.fact.object == object_]
    assert told.fact.valid_from == at(f"{day}T00:00:00Z")
    assert told.utc_offset_minutes == minutes
    local_us = told.event_time.ToMicroseconds() + minutes * 60_000_000
    assert local_us == at(f"{day}T00:00:00Z").ToMicroseconds()


@pytest.mark.parametrize(
    ("query", "before", "meant"),
    [
        ("我昨天做了什么？", "我修好了自行车的链条。", "我去游泳馆游了一公里。"),
        ("What did I plant yesterday?", "I planted tulips.", "I planted carrots."),
    ],
)
async def test_yesterday_is_the_day_before_where_it_is_asked(
    clients: Clients, place: str, query: str, before: str, meant: str
) -> None:
    """At 07:00 in Shanghai on 6 January, yesterday is the 5th there."""
    lines = {"2026-01-04T09:00:00Z": before, "2026-01-05T01:00:00Z": meant}
    revision = await say(clients, place, lines, SHANGHAI)

    async def found(zone: str = "") -> list[str]:
        request = pb.SearchRequest(
            namespace=place,
            query=query,
            caller=ME,
            now=at("2026-01-05T23:00:00Z"),
            at_least_revision=revision,
            mode=retrieval_pb2.SEARCH_MODE_TEMPORAL,
            time_zone=zone,
        )
        return [one.memory.summary for one in (await clients.retrieval.Search(request)).results]

    assert await found("Asia/Shanghai") == [meant]
    assert await found("+08:00") == [meant]
    assert await found() == [before]
    await set_zone(clients, place, "Asia/Shanghai")
    assert await found() == [meant]
    assert await found("UTC") == [before]


async def test_the_zone_of_the_policy_is_that_of_events_that_say_nothing(
    clients: Clients, place: str
) -> None:
    await say(clients, place, {"2026-01-05T23:30:00Z": "Before there was a policy."})
    await set_zone(clients, place, "America/New_York")
    lines = {"2026-01-05T23:31:00Z": "In winter.", "2026-07-05T23:31:00Z": "In summer."}
    await say(clients, place, lines)
    await say(clients, place, {"2026-07-05T23:32:00Z": "Elsewhere."}, TOKYO)
    await say(clients, place, {"2026-07-05T23:33:00Z": "Told to be UTC."}, 0)
    listed = await clients.ledger.ListEvents(
        ledger_service_pb2.ListEventsRequest(namespace=place, session_id="s", caller=ME)
    )
    stored = [
        one.utc_offset_minutes if one.HasField("utc_offset_minutes") else None
        for one in listed.events
    ]
    assert stored == [None, -300, -240, TOKYO, 0]


async def test_the_way_of_a_query_tells_the_instants_of_local_days(
    clients: Clients, place: str
) -> None:
    """On the day after the clocks went forward, yesterday had 23 hours."""
    request = pb.RouteQueryRequest(
        namespace=place,
        query="What did I do yesterday?",
        now=at("2026-03-30T06:00:00Z"),
        time_zone="Europe/Berlin",
        mode=retrieval_pb2.SEARCH_MODE_TEMPORAL,
    )
    routes = (await clients.retrieval.RouteQuery(request)).routes
    (time,) = next(one.times for one in routes if one.name == "temporal")
    assert time.start_time == at("2026-03-28T23:00:00Z")
    assert time.end_time == at("2026-03-29T22:00:00Z")


async def test_a_profile_tells_the_days_of_who_told_it(clients: Clients, place: str) -> None:
    await say(clients, place, {"2026-01-05T23:00:00Z": "我住在成都。"}, SHANGHAI, learn=True)
    request = projection_pb.GetUserProfileRequest(namespace=place, subject=ME.user_id, caller=ME)
    text = (await clients.projections.GetUserProfile(request)).profile.text
    assert "2026-01-06" in text, text


@pytest.mark.parametrize("minutes", [-841, 841, 100_000])
async def test_an_offset_beyond_all_clocks_is_refused(
    clients: Clients, place: str, minutes: int
) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await say(clients, place, {"2026-01-05T23:00:00Z": "hello there"}, minutes)
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "utc_offset_minutes" in (refused.value.details() or "")
    with pytest.raises(grpc.aio.AioRpcError) as gone:
        await clients.memory.ListMemories(memory_pb.ListMemoriesRequest(namespace=place))
    assert gone.value.code() is grpc.StatusCode.NOT_FOUND


@pytest.mark.parametrize("zone", ["Asia/Atlantis", "+15:00", "../etc/passwd", "Asia", "亚洲"])
async def test_a_zone_that_is_none_is_refused(clients: Clients, place: str, zone: str) -> None:
    await say(clients, place, {"2026-01-05T23:00:00Z": "hello there"})
    ask = pb.SearchRequest(namespace=place, query="hello", caller=ME, time_zone=zone)
    for asking in (clients.retrieval.Search(ask), set_zone(clients, place, zone)):
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await asking
        assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
        assert "time_zone" in (refused.value.details() or "")
    known = await clients.admin.GetNamespace(admin_pb.GetNamespaceRequest(namespace=place))
    assert not known.namespace.policy.time_zone
