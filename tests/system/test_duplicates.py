"""Lessons that say the same become one, however they come; one token keeps them apart."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path

import pytest
from grpc import StatusCode, aio

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import event_pb2, lesson_service_pb2, memory_pb2
from anamnesis.memory.v1 import memory_service_pb2 as pb
from anamnesis.memory.v1.lesson_service_pb2_grpc import LessonServiceStub
from anamnesis.retrieval.v1 import retrieval_service_pb2
from tests.support.clients import Clients, clients_of, everywhere
from tests.support.processes import Process, start

STATIC = {"ANAMNESIS_MODELS__EMBEDDER": "static", "ANAMNESIS_INGESTION__PIPELINE_EVERY_S": "3600"}
RETRY = "Retry the payment call with exponential backoff when the server answers 503."
REWORDED = "Please retry the payment call with exponential backoff when the server answers 503."
OTHER_NUMBER = "Retry the payment call with exponential backoff when the server answers 504."
UNRELATED = "Water the tomatoes in the evening, since the soil keeps moisture overnight."


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """A suite of its own."""
    process = start(tmp_path_factory.mktemp("duplicates") / "data", settings=STATIC)
    yield process
    assert process.stop() == 0, "".join(process.output)


@pytest.fixture
async def clients(process: Process) -> AsyncIterator[Clients]:
    """Stubs of it."""
    async with clients_of(everywhere(process.address)) as made:
        yield made


@pytest.fixture
def space() -> str:
    """A namespace of the test's own."""
    return f"space-{uuid.uuid4().hex[:12]}"


def lesson(content: str, **given: object) -> pb.NewMemory:
    """A lesson as a caller states it."""
    return pb.NewMemory(
        kind=memory_pb2.MEMORY_KIND_LEARNING,
        content=content,
        **{"category": "pattern", **given},  # type: ignore[arg-type]
    )


async def add(
    clients: Clients, space: str, content: str, **given: object
) -> pb.CreateMemoryResponse:
    """Send one lesson."""
    request = pb.CreateMemoryRequest(namespace=space, memory=lesson(content, **given))
    return await clients.memory.CreateMemory(request, timeout=60)


async def held(clients: Clients, space: str) -> Sequence[memory_pb2.Memory]:
    """All that is in a namespace."""
    request = pb.ListMemoriesRequest(namespace=space, page_size=500)
    return (await clients.memory.ListMemories(request, timeout=30)).memories


async def history(clients: Clients, space: str, memory_id: str) -> pb.GetMemoryResponse:
    """A memory with what was merged into it."""
    return await clients.memory.GetMemory(
        pb.GetMemoryRequest(namespace=space, memory_id=memory_id, include_history=True), timeout=30
    )


async def test_identical_lessons_sent_at_once_are_one(clients: Clients, space: str) -> None:
    answers = await asyncio.gather(*(add(clients, space, RETRY) for _ in range(50)))
    (only,) = await held(clients, space)
    assert {one.memory.memory_id for one in answers} == {only.memory_id}
    outcomes = [one.outcome for one in answers]
    assert outcomes.count(pb.CREATE_OUTCOME_CREATED) == 1
    assert outcomes.count(pb.CREATE_OUTCOME_MERGED) == 49
    told = await history(clients, space, only.memory_id)
    assert len(told.copies) == 49
    assert told.memory.hit_count >= 49


async def test_near_identical_lessons_sent_at_once_are_one(clients: Clients, space: str) -> None:
    endings = ("", "!", " !", "!!", " Thanks.")
    variants = [f"{(RETRY, REWORDED)[at % 2]}{endings[at % 5]}" for at in range(50)]
    await asyncio.gather(*(add(clients, space, text) for text in variants))
    (only,) = await held(clients, space)
    told = await history(clients, space, only.memory_id)
    kept = sorted([only.content, *(copy.memory.content for copy in told.copies)])
    assert kept == sorted(variants)


async def test_a_batch_meets_itself(clients: Clients, space: str) -> None:
    texts = [RETRY, UNRELATED, RETRY, REWORDED, OTHER_NUMBER]
    request = pb.BatchCreateMemoriesRequest(namespace=space, memories=map(lesson, texts))
    answer = await clients.memory.BatchCreateMemories(request, timeout=60)
    assert list(answer.outcomes) == [
        pb.CREATE_OUTCOME_CREATED,
        pb.CREATE_OUTCOME_CREATED,
        pb.CREATE_OUTCOME_MERGED,
        pb.CREATE_OUTCOME_MERGED,
        pb.CREATE_OUTCOME_KEPT_APART,
    ]
    first, second, third, fourth, fifth = (one.memory_id for one in answer.memories)
    assert first == third == fourth
    assert {one.memory_id for one in await held(clients, space)} == {first, second, fifth}


async def test_what_is_added_twice_lives_on(clients: Clients, space: str) -> None:
    first = await add(clients, space, RETRY, tags=["Payments", "http"], confidence=0.5)
    again = await add(clients, space, RETRY, tags=["payments", "retry"], confidence=0.9)
    assert again.outcome == pb.CREATE_OUTCOME_MERGED
    (only,) = await held(clients, space)
    assert only.memory_id == first.memory.memory_id
    assert only.content == RETRY
    assert list(only.tags) == ["Payments", "http", "retry"]
    assert only.confidence == pytest.approx(0.9)
    assert only.hit_count == 1
    assert only.status == memory_pb2.MEMORY_STATUS_ACTIVE


async def test_one_number_keeps_two_lessons_apart(clients: Clients, space: str) -> None:
    first = (await add(clients, space, RETRY)).memory
    other = await add(clients, space, OTHER_NUMBER)
    assert other.outcome == pb.CREATE_OUTCOME_KEPT_APART
    assert other.memory.memory_id != first.memory_id
    (pair,) = (await history(clients, space, first.memory_id)).similar
    assert (pair.memory_id, pair.other_memory_id) == (first.memory_id, other.memory.memory_id)
    assert [(one.aspect, one.here, one.there) for one in pair.differences] == [
        (memory_pb2.DIFFERENCE_ASPECT_NUMBER, "503", "504")
    ]


async def test_a_search_says_what_two_look_alikes_differ_in(clients: Clients, space: str) -> None:
    first = (await add(clients, space, RETRY)).memory
    other = (await add(clients, space, OTHER_NUMBER)).memory
    answer = await clients.retrieval.Search(
        retrieval_service_pb2.SearchRequest(
            namespace=space, query="retry the payment call", at_least_revision=other.revision
        ),
        timeout=30,
    )
    found = {result.memory.memory_id: result for result in answer.results}
    assert len(answer.results) == len(found) == 2
    numbers = {first.memory_id: "503", other.memory_id: "504"}
    for one, there in ((first, other), (other, first)):
        (pair,) = found[one.memory_id].similar
        assert (pair.memory_id, pair.other_memory_id) == (one.memory_id, there.memory_id)
        (what,) = pair.differences
        assert what.aspect == memory_pb2.DIFFERENCE_ASPECT_NUMBER
        assert (what.here, what.there) == (numbers[one.memory_id], numbers[there.memory_id])


async def test_a_context_has_both_of_two_look_alikes(clients: Clients, space: str) -> None:
    first = (await add(clients, space, RETRY)).memory
    other = (await add(clients, space, OTHER_NUMBER)).memory
    context = await clients.retrieval.BuildContext(
        retrieval_service_pb2.BuildContextRequest(
            namespace=space, query="retry the payment call", at_least_revision=other.revision
        ),
        timeout=30,
    )
    assert {one.memory_id for one in context.citations} == {first.memory_id, other.memory_id}
    assert all(context.text.count(text) == 1 for text in (RETRY, OTHER_NUMBER))


async def test_a_reworded_one_finds_its_own_among_look_alikes(clients: Clients, space: str) -> None:
    first = (await add(clients, space, RETRY)).memory
    other = (await add(clients, space, OTHER_NUMBER)).memory
    again = await add(clients, space, REWORDED.replace("503", "504"))
    assert again.outcome == pb.CREATE_OUTCOME_MERGED
    assert again.memory.memory_id == other.memory_id != first.memory_id


async def test_lessons_of_others_are_never_merged(clients: Clients, space: str) -> None:
    private = {"visibility": event_pb2.VISIBILITY_PRIVATE_TO_AGENT}
    scopes: list[dict[str, object]] = [
        {"agent_id": "a"},
        {"agent_id": "a", **private},
        {"agent_id": "b", **private},
        {"agent_id": "a", "category": "error"},
    ]
    made = [await add(clients, space, RETRY, **one) for one in scopes]
    assert len({one.memory.memory_id for one in made}) == 4
    shared = await add(clients, space, REWORDED, agent_id="b")
    assert shared.memory.memory_id == made[0].memory.memory_id
    assert shared.memory.agent_id == "a"
    mine = await add(clients, space, REWORDED, agent_id="b", **private)
    assert mine.memory.memory_id == made[2].memory.memory_id


async def test_a_repeated_request_counts_once(clients: Clients, space: str) -> None:
    await add(clients, space, RETRY)
    request = pb.CreateMemoryRequest(namespace=space, memory=lesson(REWORDED), request_id="r")
    answers = [await clients.memory.CreateMemory(request, timeout=60) for _ in range(3)]
    assert answers[0] == answers[1] == answers[2]
    (only,) = await held(clients, space)
    assert only.hit_count == 1
    assert len((await history(clients, space, only.memory_id)).copies) == 1


async def test_an_undone_merge_stays_undone(clients: Clients, space: str) -> None:
    first = (await add(clients, space, RETRY, tags=["http"])).memory
    sent = await add(clients, space, REWORDED, tags=["http", "later"])
    assert sent.outcome == pb.CREATE_OUTCOME_MERGED
    assert list(sent.memory.tags) == ["http", "later"]
    split = await clients.memory.UndoMerge(
        pb.UndoMergeRequest(namespace=space, memory_id=first.memory_id), timeout=30
    )
    assert (split.memory.content, list(split.memory.tags)) == (RETRY, ["http"])
    assert (split.restored.content, list(split.restored.tags)) == (REWORDED, ["http", "later"])
    assert {one.memory_id for one in await held(clients, space)} == {
        first.memory_id,
        split.restored.memory_id,
    }
    told = await history(clients, space, first.memory_id)
    assert not told.copies
    assert [one.other_memory_id for one in told.similar] == [split.restored.memory_id]
    assert not told.similar[0].differences
    for text, owner in ((RETRY, first), (REWORDED, split.restored)):
        again = await add(clients, space, text)
        assert again.outcome == pb.CREATE_OUTCOME_MERGED
        assert again.memory.memory_id == owner.memory_id
    assert len(await held(clients, space)) == 2


async def test_there_is_nothing_to_undo(clients: Clients, space: str) -> None:
    first = (await add(clients, space, RETRY, agent_id="a")).memory
    with pytest.raises(aio.AioRpcError) as nothing:
        await clients.memory.UndoMerge(
            pb.UndoMergeRequest(namespace=space, memory_id=first.memory_id), timeout=30
        )
    assert nothing.value.code() is StatusCode.NOT_FOUND
    with pytest.raises(aio.AioRpcError) as nobody:
        await clients.memory.UndoMerge(
            pb.UndoMergeRequest(namespace=space, memory_id="nobody", caller=Caller(agent_id="b")),
            timeout=30,
        )
    assert nobody.value.code() is StatusCode.NOT_FOUND


async def test_a_lesson_of_its_own_service_is_checked_too(
    process: Process, clients: Clients, space: str
) -> None:
    first = (await add(clients, space, RETRY)).memory
    async with aio.insecure_channel(process.address) as channel:
        new = lesson_service_pb2.NewLesson(content=RETRY, category="pattern")
        answer = await LessonServiceStub(channel).CreateLesson(
            lesson_service_pb2.CreateLessonRequest(namespace=space, lesson=new), timeout=30
        )
    assert answer.outcome == pb.CREATE_OUTCOME_MERGED
    assert answer.memory.memory_id == first.memory_id


async def test_the_server_says_what_a_lesson_is_about(clients: Clients, space: str) -> None:
    texts = {
        "security": "Found an XSS hole in the comment form; the traceback hid it.",
        "error": "报错的时候先看日志",
        "pattern": "Keep each migration in a file of its own.",
    }
    for expected, text in texts.items():
        assert (await add(clients, space, text, category="")).memory.category == expected


async def test_what_was_merged_outlives_a_kill(tmp_path: Path, space: str) -> None:
    data_dir = tmp_path / "data"
    process = start(data_dir, settings=STATIC)
    async with clients_of(everywhere(process.address)) as clients:
        first = (await add(clients, space, RETRY)).memory
        await add(clients, space, REWORDED)
    process.kill()
    process = start(data_dir, settings=STATIC)
    async with clients_of(everywhere(process.address)) as clients:
        again = await add(clients, space, RETRY)
        assert again.memory.memory_id == first.memory_id
        other = await add(clients, space, REWORDED.replace("503", "500"))
        assert other.outcome == pb.CREATE_OUTCOME_KEPT_APART
        told = await history(clients, space, first.memory_id)
        assert [one.memory.content for one in told.copies] == [REWORDED, RETRY]
        assert told.memory.hit_count >= 2
    assert process.stop() == 0, "".join(process.output)
