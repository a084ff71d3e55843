"""Statements: who states them, what of a memory is changed, what is answered."""

from anamnesis.memory.v1.knowledge_pb2 import KnownFact
from anamnesis.memory.v1.knowledge_service_pb2 import (
    AssertFactRequest,
    AssertFactResponse,
    RetractFactRequest,
    RetractFactResponse,
)
from anamnesis.memory.v1.lesson_service_pb2 import CreateLessonRequest, CreateLessonResponse
from anamnesis.memory.v1.memory_pb2 import Fact, Memory
from anamnesis.memory.v1.memory_service_pb2 import UpdateMemoryRequest, UpdateMemoryResponse
from anamnesis_client.revisions import Revisions
from tests.unit.client.flows import driven, operations

FACT = Memory(memory_id="m-1", fact=Fact(subject="Nadia", predicate="lives_in", object="Utrecht"))


def test_a_fact_is_stated_by_the_user_and_answered_as_it_is_known() -> None:
    revisions = Revisions()
    flow = operations(revisions=revisions).assert_fact(
        "Nadia", "lives_in", "Utrecht", valid_from="2021-03-01"
    )
    known, (call,), _ = driven(
        flow, [AssertFactResponse(fact=KnownFact(memory=FACT), revision="a-2")]
    )
    assert isinstance(call.request, AssertFactRequest)
    assert (call.request.user_id, call.request.valid_from.seconds) == ("mara", 1614556800)
    assert not call.request.HasField("valid_to")
    assert (known.memory_id, known.object) == ("m-1", "Utrecht")
    assert revisions.of("app") == "a-2"


def test_a_fact_is_taken_back_for_the_caller() -> None:
    back, (call,), _ = driven(operations().retract_fact("m-1"), [RetractFactResponse(memory=FACT)])
    assert isinstance(call.request, RetractFactRequest)
    assert (call.request.memory_id, call.request.caller.user_id) == ("m-1", "mara")
    assert back.id == "m-1"


def test_a_lesson_has_its_tags() -> None:
    answer = CreateLessonResponse(memory=Memory(memory_id="m-2"))
    _, (call,), _ = driven(operations().lesson("Turn on WAL.", tags=["sqlite"]), [answer])
    assert isinstance(call.request, CreateLessonRequest)
    stated = call.request.lesson
    assert (stated.content, list(stated.tags), stated.user_id) == (
        "Turn on WAL.",
        ["sqlite"],
        "mara",
    )


def test_only_what_is_given_is_changed() -> None:
    answer = UpdateMemoryResponse(memory=Memory(memory_id="m-1", tags=[]))
    _, (call,), _ = driven(operations().update("m-1", tags=[], pinned=True), [answer])
    assert isinstance(call.request, UpdateMemoryRequest)
    assert list(call.request.update_mask.paths) == ["tags", "pinned"]
    assert call.request.change.pinned
