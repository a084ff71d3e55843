"""Attempts to make a skill of a topic are kept with the skill, whose text goes with any lesson."""

from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import memory_pb2, procedure_service_pb2, topic_pb2
from anamnesis.memory.v1 import memory_service_pb2 as memories_pb
from anamnesis.memory.v1 import topic_service_pb2 as pb
from anamnesis.memory.v1.event_pb2 import VISIBILITY_PRIVATE_TO_USER
from tests.contract.conftest import Open
from tests.support.clock import SetClock
from tests.support.memory_service import Served, serving

SPACE, TOPIC = "n", "t-push"
ADA = Caller(user_id="ada")
PROPOSED = topic_pb2.CRYSTALLIZATION_OUTCOME_PROPOSED
REVISED = topic_pb2.CRYSTALLIZATION_OUTCOME_REVISED
FAILED = topic_pb2.CRYSTALLIZATION_OUTCOME_FAILED
DECLINED = topic_pb2.CRYSTALLIZATION_OUTCOME_DECLINED


@pytest.fixture
async def served(tmp_path: Path, clock: SetClock, open_stores: Open) -> AsyncIterator[Served]:
    """A service that has heard nothing."""
    async with serving(tmp_path, clock, open_stores) as running:
        yield running


@pytest.fixture
async def lessons(served: Served) -> list[str]:
    """Ids of three lessons of ada's, which are one topic."""
    told = ("set the upstream branch", "pull before pushing", "ask for the missing right")
    ids = []
    for number, what in enumerate(told):
        new = memories_pb.NewMemory(
            kind=memory_pb2.MEMORY_KIND_LEARNING,
            content=f"When a push is refused, {what}.",
            user_id="ada",
            visibility=VISIBILITY_PRIVATE_TO_USER,
            embedding=memory_pb2.Embedding(
                vector=[1.0 if at == number else 0.1 for at in range(32)]
            ),
        )
        request = memories_pb.CreateMemoryRequest(namespace=SPACE, memory=new)
        ids.append((await served.memory.CreateMemory(request)).memory.memory_id)
    listed = await served.topics.ListTopics(pb.ListTopicsRequest(namespace=SPACE))
    await served.topics.AssignTopicMembers(
        pb.AssignTopicMembersRequest(
            namespace=SPACE,
            assignments=[
                pb.TopicAssignment(memory_id=one, topic_id=TOPIC, label="push") for one in ids
            ],
            expected_topics_revision=listed.topics_revision,
        )
    )
    return ids


async def record(
    served: Served,
    attempt: int,
    outcome: topic_pb2.CrystallizationOutcome.ValueType,
    sources: list[str] | None = None,
    text: str = "",
) -> pb.RecordCrystallizationResponse:
    skill = None
    if sources:
        part = memory_pb2.Procedure(name="pushing", goal="a push", source_memory_ids=sources)
        skill = procedure_service_pb2.NewProcedure(procedure=part, tags=["skill"])
    request = pb.RecordCrystallizationRequest(
        namespace=SPACE,
        topic_id=TOPIC,
        crystallization=topic_pb2.Crystallization(
            attempt=attempt, outcome=outcome, reason="as it is", member_count=3, model="local"
        ),
        skill=skill,
        text=text,
    )
    return await served.topics.RecordCrystallization(request)


async def attempts(served: Served) -> list[topic_pb2.Crystallization]:
    request = pb.ListTopicsRequest(
        namespace=SPACE, for_assignment=True, include_crystallizations=True
    )
    (topic,) = (await served.topics.ListTopics(request)).topics
    return list(topic.crystallizations)


async def read(served: Served, memory_id: str, caller: Caller = ADA) -> memory_pb2.Memory:
    request = memories_pb.GetMemoryRequest(namespace=SPACE, memory_id=memory_id, caller=caller)
    return (await served.memory.GetMemory(request)).memory


async def test_a_skill_is_kept_with_its_versions_for_whoever_sees_the_topic(
    served: Served, lessons: list[str]
) -> None:
    assert (await record(served, 1, DECLINED)).crystallization.skill_memory_id == ""
    made = await record(served, 2, PROPOSED, lessons[:2], "Pull, then push.")
    skill = made.skill
    assert (skill.user_id, skill.visibility) == ("ada", VISIBILITY_PRIVATE_TO_USER)
    assert skill.provenance.origin == memory_pb2.ORIGIN_GENERATED
    after = await record(served, 3, REVISED, lessons[1:], "Pull, set the branch, push.")
    assert after.skill.memory_id == skill.memory_id
    found = await read(served, skill.memory_id)
    assert found.content == "Pull, set the branch, push."
    assert set(found.procedure.source_memory_ids) == set(lessons)
    request = memories_pb.GetMemoryRequest(
        namespace=SPACE, memory_id=skill.memory_id, caller=ADA, include_history=True
    )
    assert "Pull, then push." in str(await served.memory.GetMemory(request))
    told = [(one.attempt, one.outcome, one.skill_memory_id) for one in await attempts(served)]
    assert told == [
        (1, DECLINED, ""),
        (2, PROPOSED, skill.memory_id),
        (3, REVISED, skill.memory_id),
    ]
    with pytest.raises(grpc.aio.AioRpcError) as hidden:
        await read(served, skill.memory_id, Caller(user_id="bo"))
    assert hidden.value.code() is grpc.StatusCode.NOT_FOUND


async def test_attempts_that_failed_in_a_row_are_kept_as_one(
    served: Served, lessons: list[str]
) -> None:
    skill = (await record(served, 1, PROPOSED, lessons)).skill.memory_id
    for number, outcome in enumerate((FAILED, FAILED, FAILED, DECLINED, FAILED), 2):
        await record(served, number, outcome)
    told = [(one.attempt, one.outcome, one.skill_memory_id) for one in await attempts(served)]
    assert told == [
        (1, PROPOSED, skill),
        (4, FAILED, skill),
        (5, DECLINED, skill),
        (6, FAILED, skill),
    ]


async def test_of_two_attempts_at_once_one_is_kept(served: Served, lessons: list[str]) -> None:
    await record(served, 1, PROPOSED, lessons)
    with pytest.raises(grpc.aio.AioRpcError) as late:
        await record(served, 1, PROPOSED, lessons)
    assert late.value.code() is grpc.StatusCode.ABORTED
    listed = memories_pb.ListMemoriesRequest(namespace=SPACE, caller=ADA)
    kinds = [one.kind for one in (await served.memory.ListMemories(listed)).memories]
    assert kinds.count(memory_pb2.MEMORY_KIND_PROCEDURAL) == 1


async def test_a_skill_goes_with_any_lesson_that_is_erased(
    served: Served, lessons: list[str]
) -> None:
    skill = (await record(served, 1, PROPOSED, lessons, "Pull, then push.")).skill
    await served.memory.DeleteMemory(
        memories_pb.DeleteMemoryRequest(namespace=SPACE, memory_id=lessons[0], caller=ADA)
    )
    with pytest.raises(grpc.aio.AioRpcError) as gone:
        await read(served, skill.memory_id)
    assert gone.value.code() is grpc.StatusCode.NOT_FOUND
    with pytest.raises(grpc.aio.AioRpcError) as late:
        await record(served, 2, PROPOSED, lessons)
    assert late.value.code() is grpc.StatusCode.ABORTED
    made = await record(served, 2, PROPOSED, lessons[1:])
    assert made.skill.memory_id != skill.memory_id
