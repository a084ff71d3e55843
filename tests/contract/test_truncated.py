"""Taking back the end of a session: over gRPC, on every backend."""

from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from grpc import aio

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import admin_service_pb2 as admin_pb
from anamnesis.memory.v1 import event_pb2, memory_pb2
from anamnesis.memory.v1 import ledger_service_pb2 as pb
from anamnesis.memory.v1 import memory_service_pb2 as memory_service
from tests.contract.conftest import Open
from tests.support.clock import SetClock
from tests.support.memory_service import Served, serving

SPACE, SESSION = "n", "s-1"
ADA, BOB = Caller(user_id="ada"), Caller(user_id="bob")
SAID = ("I live in Delft.", "Nice.", "My pin is xylophone-77.", "I will forget it.")


@pytest.fixture
async def served(tmp_path: Path, clock: SetClock, open_stores: Open) -> AsyncIterator[Served]:
    """A service that has heard a session of Ada's."""
    async with serving(tmp_path, clock, open_stores) as running:
        await say(running, *SAID)
        yield running


async def say(served: Served, *texts: str, first: int = 0) -> pb.AppendEventsResponse:
    events = [
        event_pb2.Event(
            role=event_pb2.ROLE_USER, content=text, event_time=Timestamp(seconds=60 + first + place)
        )
        for place, text in enumerate(texts)
    ]
    request = pb.AppendEventsRequest(
        namespace=SPACE, session_id=SESSION, user_id="ada", events=events
    )
    return await served.ledger.AppendEvents(request)


async def truncate(
    served: Served, first_index: int, caller: Caller = ADA
) -> pb.TruncateSessionResponse:
    request = pb.TruncateSessionRequest(
        namespace=SPACE, caller=caller, session_id=SESSION, first_event_index=first_index
    )
    return await served.ledger.TruncateSession(request)


async def events(served: Served) -> list[tuple[int, str]]:
    request = pb.ListEventsRequest(namespace=SPACE, session_id=SESSION, caller=ADA)
    return [(one.index, one.content) for one in (await served.ledger.ListEvents(request)).events]


async def learned_from(served: Served, place: int) -> str:
    """A lesson that rests on the drawer of one event."""
    listed = memory_service.ListMemoriesRequest(namespace=SPACE, caller=ADA)
    drawers = (await served.memory.ListMemories(listed)).memories
    drawer = next(one for one in drawers if one.event_index == place)
    lesson = memory_service.NewMemory(
        kind=memory_pb2.MEMORY_KIND_LEARNING,
        content=f"A lesson from {SAID[place]}",
        user_id="ada",
        lesson=memory_pb2.Lesson(title="t", evidence_memory_ids=[drawer.memory_id]),
    )
    request = memory_service.CreateMemoryRequest(namespace=SPACE, memory=lesson)
    return (await served.memory.CreateMemory(request)).memory.memory_id


async def test_the_last_events_go_and_their_places_are_given_again(served: Served) -> None:
    answer = await truncate(served, 2)
    assert await events(served) == [(0, SAID[0]), (1, SAID[1])]
    assert (answer.session.event_count, answer.receipt.records["events"]) == (2, 2)
    assert answer.session.end_time.seconds == 61
    await say(served, "I moved to Porto.", first=2)
    assert await events(served) == [(0, SAID[0]), (1, SAID[1]), (2, "I moved to Porto.")]


async def test_nothing_of_them_is_found_by_any_path(served: Served) -> None:
    going, staying = await learned_from(served, 2), await learned_from(served, 0)
    await truncate(served, 2)
    request = admin_pb.VerifyErasureRequest(namespace=SPACE, canaries=["xylophone-77"])
    assert not (await served.admin.VerifyErasure(request)).places
    wanted = memory_service.BatchGetMemoriesRequest(
        namespace=SPACE, memory_ids=[going, staying], caller=ADA
    )
    found = await served.memory.BatchGetMemories(wanted)
    assert [one.memory_id for one in found.memories] == [staying]


async def test_sent_again_it_changes_nothing(served: Served) -> None:
    first = await truncate(served, 3)
    again = await truncate(served, 3)
    assert again.session == first.session
    assert not any(again.receipt.records.values())
    assert [index for index, _ in await events(served)] == [0, 1, 2]


async def test_a_session_may_be_emptied_and_stays(served: Served) -> None:
    answer = await truncate(served, 0)
    assert answer.session.event_count == 0
    assert not answer.session.HasField("start_time")
    assert await events(served) == []
    appended = await say(served, SAID[0])
    assert [one.index for one in appended.results] == [0]


async def test_the_session_is_to_be_cut_anew(served: Served) -> None:
    await truncate(served, 1)
    work = pb.ListWorkRequest(namespace=SPACE)
    due = {one.kind: one for one in (await served.ledger.ListWork(work)).items}
    assert any(one.session_id == SESSION for one in due.values())


async def test_only_its_owner_shortens_it(served: Served) -> None:
    with pytest.raises(aio.AioRpcError) as refused:
        await truncate(served, 1, BOB)
    assert refused.value.code() is grpc.StatusCode.NOT_FOUND
    assert len(await events(served)) == len(SAID)
