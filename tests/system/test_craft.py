"""Procedures, lessons and working memory, asked as clients ask: over a running suite."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import grpc
import pytest
from grpc import aio

from anamnesis.common.v1 import caller_pb2
from anamnesis.memory.v1 import (
    admin_service_pb2,
    event_pb2,
    lesson_service_pb2,
    memory_pb2,
    memory_service_pb2,
    procedure_service_pb2,
    sleep_pb2,
    working_memory_service_pb2,
)
from anamnesis_libs.tokens import load_counter
from tests.support.clients import Clients, clients_of, everywhere
from tests.support.processes import start

SPACE = "craft"
ROBOT = caller_pb2.Caller(agent_id="robot")
KEY = working_memory_service_pb2.WorkingMemoryKey(namespace=SPACE, agent_id="robot")
Item = working_memory_service_pb2.WorkingItem
SYSTEM, ACTIVE = working_memory_service_pb2.ZONE_SYSTEM, working_memory_service_pb2.ZONE_ACTIVE
STAGING = working_memory_service_pb2.ZONE_STAGING


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A suite in one process, with the embedder that starts at once."""
    directory: Path = tmp_path_factory.mktemp("craft") / "data"
    settings = {"ANAMNESIS_MODELS__EMBEDDER": "static", "ANAMNESIS_SLEEP__ENABLED": "false"}
    process = start(directory, settings=settings)
    yield process.address
    assert process.stop() == 0, "".join(process.output)


@pytest.fixture
async def clients(address: str) -> AsyncIterator[Clients]:
    """Stubs of it."""
    async with clients_of(everywhere(address)) as made:
        yield made


async def procedure(clients: Clients, name: str, *triggers: str) -> memory_pb2.Memory:
    """Store a procedure."""
    parts = memory_pb2.Procedure(
        name=name,
        goal=f"to {name}",
        steps=[
            memory_pb2.ProcedureStep(action="run", spec="make check", on_failure="read the log"),
            memory_pb2.ProcedureStep(spec="tag the release", retries_max=2),
        ],
        avoid=["skipping the check"],
        trigger_tags=triggers,
    )
    request = procedure_service_pb2.CreateProcedureRequest(
        namespace=SPACE, procedure=procedure_service_pb2.NewProcedure(procedure=parts, tags=["ops"])
    )
    return (await clients.procedures.CreateProcedure(request)).memory


async def ran(clients: Clients, memory_id: str, outcomes: str) -> memory_pb2.Procedure:
    """Record runs, `+` for each that reached its goal; the procedure afterwards."""
    for outcome in outcomes:
        request = procedure_service_pb2.RecordRunRequest(
            namespace=SPACE, caller=ROBOT, memory_id=memory_id, success=outcome == "+"
        )
        answer = await clients.procedures.RecordRun(request)
    return answer.memory.procedure


async def matched(clients: Clients, *tags: str, success_rate_min: float = 0.0) -> list[str]:
    """The names of the procedures that fit."""
    request = procedure_service_pb2.MatchProceduresRequest(
        namespace=SPACE, caller=ROBOT, tags=tags, success_rate_min=success_rate_min
    )
    answer = await clients.procedures.MatchProcedures(request)
    return [match.memory.procedure.name for match in answer.matches]


async def test_a_procedure_proves_itself_and_is_matched_by_its_triggers(clients: Clients) -> None:
    release = await procedure(clients, "release a version", "Release", "publish")
    rollback = await procedure(clients, "roll back a version", "release", "outage")
    assert release.kind == memory_pb2.MEMORY_KIND_PROCEDURAL
    assert release.content.splitlines() == [
        "release a version: to release a version",
        "1. run: make check (on failure: read the log)",
        "2. tag the release",
        "Avoid: skipping the check",
    ]
    assert release.procedure.status == memory_pb2.PROCEDURE_STATUS_DRAFT
    after = await ran(clients, release.memory_id, "+-")
    assert (after.runs, after.success_rate) == (2, 0.5)
    assert after.status == memory_pb2.PROCEDURE_STATUS_ACTIVE
    assert await matched(clients, "RELEASE") == ["release a version", "roll back a version"]
    assert await matched(clients, "outage", "release") == [
        "roll back a version",
        "release a version",
    ]
    assert await matched(clients, "gardening") == []
    assert await matched(clients, "release", success_rate_min=0.5) == ["release a version"]
    assert await matched(clients, "release", success_rate_min=0.6) == []
    failed = await ran(clients, rollback.memory_id, "-----")
    assert failed.status == memory_pb2.PROCEDURE_STATUS_DEPRECATED
    assert await matched(clients, "outage") == []


async def test_a_run_of_what_is_no_procedure_changes_nothing(clients: Clients) -> None:
    lesson = await told(clients, "Close the file before it is renamed.", "files")
    with pytest.raises(aio.AioRpcError) as refused:
        await ran(clients, lesson.memory_id, "+")
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    with pytest.raises(aio.AioRpcError) as absent:
        await ran(clients, "0" * 32, "+")
    assert absent.value.code() is grpc.StatusCode.NOT_FOUND


async def told(
    clients: Clients, content: str, *tags: str, impact: float = 0.8
) -> memory_pb2.Memory:
    """Store a lesson."""
    new = lesson_service_pb2.NewLesson(
        content=content, tags=tags, lesson=memory_pb2.Lesson(title="", impact=impact)
    )
    request = lesson_service_pb2.CreateLessonRequest(namespace=SPACE, lesson=new)
    return (await clients.lessons.CreateLesson(request)).memory


async def test_a_lesson_gains_and_loses_trust(clients: Clients) -> None:
    lesson = await told(clients, "Warm the cache before the first request.", "cache")
    request = lesson_service_pb2.ValidateLessonRequest(
        namespace=SPACE, caller=ROBOT, memory_id=lesson.memory_id, success=True
    )
    once = (await clients.lessons.ValidateLesson(request)).memory
    assert once.confidence == pytest.approx(0.9)
    assert once.lesson.validated
    request.success = False
    for _ in range(5):
        low = (await clients.lessons.ValidateLesson(request)).memory
    assert low.confidence == pytest.approx(0.15)
    assert low.lesson.validated
    asked = lesson_service_pb2.MatchLessonsRequest(namespace=SPACE, caller=ROBOT, tags=["Cache"])
    assert not (await clients.lessons.MatchLessons(asked)).matches
    applied = lesson_service_pb2.ApplyLessonRequest(
        namespace=SPACE, caller=ROBOT, memory_id=lesson.memory_id
    )
    assert (await clients.lessons.ApplyLesson(applied)).memory.lesson.applications == 1


async def test_lessons_are_ranked_by_confidence_and_impact(clients: Clients) -> None:
    await told(clients, "Sharpen the chisel on the leather strop.", "wood", impact=0.2)
    best = await told(clients, "Never plane against the grain of oak.", "wood", impact=0.9)
    asked = lesson_service_pb2.MatchLessonsRequest(namespace=SPACE, caller=ROBOT, tags=["wood"])
    matches = (await clients.lessons.MatchLessons(asked)).matches
    assert matches[0].memory.memory_id == best.memory_id
    assert [round(match.score, 3) for match in matches] == [0.72, 0.16]
    assert all(match.overlap == 1.0 for match in matches)
    asked.confidence_min = 0.9
    assert not (await clients.lessons.MatchLessons(asked)).matches
    asked = lesson_service_pb2.MatchLessonsRequest(
        namespace=SPACE, caller=ROBOT, tags=["wood"], categories=["error"]
    )
    assert not (await clients.lessons.MatchLessons(asked)).matches


async def put(clients: Clients, item: Item) -> working_memory_service_pb2.PutItemResponse:
    """Put an item into working memory."""
    request = working_memory_service_pb2.PutItemRequest(key=KEY, item=item)
    return await clients.working.PutItem(request)


async def test_working_memory_keeps_its_budgets_and_its_session(clients: Clients) -> None:
    count = load_counter("o200k_base").count
    started = working_memory_service_pb2.StartSessionRequest(key=KEY, session_id="s-1")
    await clients.working.StartSession(started)
    await put(clients, Item(item_id="rules", zone=SYSTEM, content="Answer in French."))
    long = "The chart shows rainfall by month. " * 600
    first = await put(clients, Item(item_id="old", zone=ACTIVE, content=long, importance=0.1))
    assert first.item.token_count == count(long)
    second = await put(clients, Item(item_id="new", zone=ACTIVE, content=long, importance=0.9))
    assert [item.item_id for item in second.evicted] == ["old"]
    assert second.tokens_left == 6144 - count(long)
    third = long[: len(long) // 3]
    await put(clients, Item(item_id="more rules", zone=SYSTEM, content=third))
    with pytest.raises(aio.AioRpcError) as full:
        await put(clients, Item(zone=SYSTEM, content=third))
    assert full.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    with pytest.raises(aio.AioRpcError) as never:
        await put(clients, Item(zone=STAGING, content=third))
    assert never.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    rendered = await clients.working.RenderContext(
        working_memory_service_pb2.RenderContextRequest(key=KEY)
    )
    assert rendered.token_count == count(rendered.text)
    assert [item.item_id for item in rendered.items] == ["rules", "more rules", "new"]
    active = next(one for one in rendered.zones if one.zone == ACTIVE)
    assert (active.items, active.tokens, active.tokens_max) == (1, count(long), 6144)
    again = await clients.working.StartSession(started)
    assert again.cleared == 0
    started.session_id = "s-2"
    other = await clients.working.StartSession(started)
    assert (other.cleared, other.previous_session_id) == (1, "s-1")
    run = admin_service_pb2.StartRunRequest(phase=sleep_pb2.SLEEP_PHASE_MERGE, holder="a test")
    assert (await clients.admin.StartRun(run)).namespace == SPACE
    asked = working_memory_service_pb2.GetItemRequest(key=KEY, item_id="rules")
    assert (await clients.working.GetItem(asked)).item.content == "Answer in French."
    asked.item_id = "new"
    with pytest.raises(aio.AioRpcError) as gone:
        await clients.working.GetItem(asked)
    assert gone.value.code() is grpc.StatusCode.NOT_FOUND


async def test_recall_fills_staging_with_what_the_agent_may_see(clients: Clients) -> None:
    for content, agent in (
        ("The greenhouse vents open at thirty degrees.", "robot"),
        ("The greenhouse code is on the back of the door.", "other"),
    ):
        await clients.memory.CreateMemory(
            memory_service_pb2.CreateMemoryRequest(
                namespace=SPACE,
                memory=memory_service_pb2.NewMemory(
                    kind=memory_pb2.MEMORY_KIND_SEMANTIC,
                    content=content,
                    agent_id=agent,
                    visibility=event_pb2.VISIBILITY_PRIVATE_TO_AGENT,
                ),
            )
        )
    request = working_memory_service_pb2.RenderContextRequest(
        key=KEY, zones=[STAGING], query="When do the greenhouse vents open?"
    )
    text = (await clients.working.RenderContext(request)).text
    assert "thirty degrees" in text
    assert "back of the door" not in text
