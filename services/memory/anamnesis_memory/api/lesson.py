"""LessonService: what any agent could use again, and whether it helped."""

from collections.abc import Callable

from grpc import aio

from anamnesis.memory.v1 import lesson_service_pb2 as pb
from anamnesis.memory.v1 import lesson_service_pb2_grpc
from anamnesis_memory.api.convert.craft import from_lesson_match, new_lesson
from anamnesis_memory.api.convert.memory import from_memory, from_outcome
from anamnesis_memory.api.convert.values import to_caller
from anamnesis_memory.api.creating import Creator
from anamnesis_memory.api.duplicates import DuplicateRpcs
from anamnesis_memory.api.seeds import SeedRpcs
from anamnesis_memory.knowledge.write_outcome import Created
from anamnesis_memory.maintenance.usage.buffer import UsageBuffer
from anamnesis_memory.memories.craft.matching import match_lessons
from anamnesis_memory.memories.craft.proof import ApplyLesson, ValidateLesson
from anamnesis_memory.preparation.prepare import Preparer
from anamnesis_memory.runtime.calls import Calls
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from anamnesis_memory.runtime.revisions import revision_token
from anamnesis_memory.seeding.withdrawing import SeedEraser


class LessonServicer(DuplicateRpcs, SeedRpcs, lesson_service_pb2_grpc.LessonServiceServicer):
    """Serves lessons; see the proto for what each rpc promises."""

    def __init__(
        self,
        calls: Calls,
        creator: Creator,
        prepare: Preparer,
        uses: UsageBuffer,
        seeds: SeedEraser,
    ) -> None:
        DuplicateRpcs.__init__(self, calls, prepare)
        SeedRpcs.__init__(self, calls, prepare, seeds)
        self._calls = calls
        self._creator = creator
        self._uses = uses

    async def CreateLesson(
        self,
        request: pb.CreateLessonRequest,
        context: aio.ServicerContext[pb.CreateLessonRequest, pb.CreateLessonResponse],
    ) -> pb.CreateLessonResponse:
        """Store a lesson, or merge it into one that says the same."""
        async with self._calls.writing(request.namespace) as opened:
            write = await self._creator.ready(opened, [new_lesson(request.lesson)], "lesson")
            async with self._calls.work_due(opened, self._calls.lessons_due(write.kinds)):
                return await self._calls.commit(
                    opened, request, write, _created(opened), pb.CreateLessonResponse
                )

    async def MatchLessons(
        self,
        request: pb.MatchLessonsRequest,
        context: aio.ServicerContext[pb.MatchLessonsRequest, pb.MatchLessonsResponse],
    ) -> pb.MatchLessonsResponse:
        """List lessons that fit a task."""
        async with self._calls.reading(request.namespace) as opened:
            await self._calls.check_revision(opened, request.at_least_revision)
            caller = to_caller(request.caller)
            found = await match_lessons(
                opened.store,
                request.tags,
                caller,
                request.limit,
                request.categories,
                request.confidence_min,
            )
            now_us = self._calls.now_us()
            return pb.MatchLessonsResponse(
                matches=[from_lesson_match(one, opened.namespace, now_us) for one in found]
            )

    async def ValidateLesson(
        self,
        request: pb.ValidateLessonRequest,
        context: aio.ServicerContext[pb.ValidateLessonRequest, pb.ValidateLessonResponse],
    ) -> pb.ValidateLessonResponse:
        """Add evidence for or against a lesson."""
        async with self._calls.changing(request.namespace) as opened:
            write = ValidateLesson(
                request.memory_id,
                to_caller(request.caller),
                request.success,
                tuple(request.evidence_memory_ids),
            )
            return await self._calls.commit(
                opened,
                request,
                write,
                lambda memory, revision: pb.ValidateLessonResponse(
                    memory=from_memory(memory, opened.namespace),
                    revision=revision_token(opened.namespace, revision),
                ),
                pb.ValidateLessonResponse,
            )

    async def ApplyLesson(
        self,
        request: pb.ApplyLessonRequest,
        context: aio.ServicerContext[pb.ApplyLessonRequest, pb.ApplyLessonResponse],
    ) -> pb.ApplyLessonResponse:
        """Count that a lesson was applied; applying counts as a use."""
        async with self._calls.changing(request.namespace) as opened:
            write = ApplyLesson(request.memory_id, to_caller(request.caller))
            answer = await self._calls.commit(
                opened,
                request,
                write,
                lambda memory, revision: pb.ApplyLessonResponse(
                    memory=from_memory(memory, opened.namespace),
                    revision=revision_token(opened.namespace, revision),
                ),
                pb.ApplyLessonResponse,
            )
            self._uses.fetched(request.namespace, [request.memory_id])
            return answer


def _created(
    opened: OpenNamespace,
) -> Callable[[tuple[Created, ...], int], pb.CreateLessonResponse]:
    return lambda made, revision: pb.CreateLessonResponse(
        memory=from_memory(made[0].memory, opened.namespace),
        outcome=from_outcome(made[0].outcome),
        revision=revision_token(opened.namespace, revision),
    )
