"""Statements: facts and lessons as a caller states them, and changes of what is remembered."""

from collections.abc import Sequence
from dataclasses import dataclass

from google.protobuf.field_mask_pb2 import FieldMask

from anamnesis.memory.v1.knowledge_service_pb2 import AssertFactRequest, RetractFactRequest
from anamnesis.memory.v1.lesson_service_pb2 import CreateLessonRequest, NewLesson
from anamnesis.memory.v1.memory_service_pb2 import MemoryChange, UpdateMemoryRequest
from anamnesis_client import methods
from anamnesis_client.answers import Fact, Memory
from anamnesis_client.asking import Asking, new_id
from anamnesis_client.convert import fact_of, memory_of
from anamnesis_client.steps import Flow
from anamnesis_client.times import Time, timestamp


@dataclass(frozen=True, slots=True)
class Statements(Asking):
    """The operations that state something, change it or take it back."""

    def assert_fact(
        self,
        subject: str,
        predicate: str,
        object: str,  # noqa: A002  # as the contracts name it
        *,
        valid_from: Time | None = None,
        valid_to: Time | None = None,
        text: str = "",
    ) -> Flow[Fact]:
        """States a fact; of a predicate with one object at a time it ends the one before.

        Args:
            subject: of whom or what it is said.
            predicate: what is said, e.g. "lives_in".
            object: the entity or value.
            valid_from: from when it holds.
            valid_to: until when it held; else it holds.
            text: the sentence that says it; else one is made of the parts.
        """
        request = AssertFactRequest(
            namespace=self.scope.namespace,
            subject=subject,
            predicate=predicate,
            object=object,
            valid_from=timestamp(valid_from, "valid_from"),
            valid_to=timestamp(valid_to, "valid_to"),
            statement=text,
            user_id=self.scope.user,
            agent_id=self.scope.agent,
            request_id=new_id(),
        )
        answer = yield from self.patience.ask(methods.ASSERT_FACT, request)
        self.revisions.wrote(self.scope.namespace, answer.revision)
        return fact_of(answer.fact)

    def retract_fact(self, id: str) -> Flow[Memory]:  # noqa: A002  # as answers name it
        """Takes a fact back, which was never true: it is archived, and what it ended goes on.

        Args:
            id: the `memory_id` of the fact.
        """
        request = RetractFactRequest(
            namespace=self.scope.namespace,
            memory_id=id,
            caller=self.scope.caller,
            request_id=new_id(),
        )
        answer = yield from self.patience.ask(methods.RETRACT_FACT, request)
        self.revisions.wrote(self.scope.namespace, answer.revision)
        return memory_of(answer.memory)

    def lesson(self, text: str, *, tags: Sequence[str] = ()) -> Flow[Memory]:
        """States a lesson, or counts it for one that says the same, which is answered then.

        Args:
            text: what to do when.
            tags: when it applies.
        """
        lesson = NewLesson(
            content=text, tags=tags, user_id=self.scope.user, agent_id=self.scope.agent
        )
        request = CreateLessonRequest(
            namespace=self.scope.namespace, lesson=lesson, request_id=new_id()
        )
        answer = yield from self.patience.ask(methods.CREATE_LESSON, request)
        self.revisions.wrote(self.scope.namespace, answer.revision)
        return memory_of(answer.memory)

    def update(
        self,
        id: str,  # noqa: A002  # as answers name it
        *,
        text: str | None = None,
        tags: Sequence[str] | None = None,
        pinned: bool | None = None,
        expires: Time | None = None,
    ) -> Flow[Memory]:
        """Changes a memory in what is given, and leaves the rest.

        Args:
            id: the memory.
            text: the corrected text; a drawer's cannot be changed.
            tags: all of its tags.
            pinned: never forgotten while true.
            expires: when it is to be forgotten.
        """
        given = {"content": text, "tags": tags, "pinned": pinned, "expire_time": expires}
        request = UpdateMemoryRequest(
            namespace=self.scope.namespace,
            caller=self.scope.caller,
            memory_id=id,
            change=MemoryChange(
                content=text or "",
                tags=tags or (),
                pinned=bool(pinned),
                expire_time=timestamp(expires, "expires"),
            ),
            update_mask=FieldMask(
                paths=[name for name, value in given.items() if value is not None]
            ),
            request_id=new_id(),
        )
        answer = yield from self.patience.ask(methods.UPDATE_MEMORY, request)
        self.revisions.wrote(self.scope.namespace, answer.revision)
        return memory_of(answer.memory)
