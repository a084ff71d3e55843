"""ProcedureService: reusable paths, and how they went."""

from collections.abc import Callable

from grpc import aio

from anamnesis.memory.v1 import procedure_service_pb2 as pb
from anamnesis.memory.v1 import procedure_service_pb2_grpc
from anamnesis_memory.api.convert.craft import from_procedure_match, new_procedure
from anamnesis_memory.api.convert.enums import PROCEDURE_STATUS
from anamnesis_memory.api.convert.memory import from_memory
from anamnesis_memory.api.convert.values import to_caller
from anamnesis_memory.api.creating import Creator
from anamnesis_memory.knowledge.write_outcome import Created
from anamnesis_memory.memories.craft.matching import match_procedures
from anamnesis_memory.memories.craft.proof import RecordRun, ReviewProcedure
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.runtime.calls import Calls
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from anamnesis_memory.runtime.revisions import revision_token


class ProcedureServicer(procedure_service_pb2_grpc.ProcedureServiceServicer):
    """Serves procedures; see the proto for what each rpc promises."""

    def __init__(self, calls: Calls, creator: Creator) -> None:
        self._calls = calls
        self._creator = creator

    async def CreateProcedure(
        self,
        request: pb.CreateProcedureRequest,
        context: aio.ServicerContext[pb.CreateProcedureRequest, pb.CreateProcedureResponse],
    ) -> pb.CreateProcedureResponse:
        """Store a procedure."""
        async with self._calls.writing(request.namespace) as opened:
            stated = [new_procedure(request.procedure)]
            write = await self._creator.ready(opened, stated, "procedure")
            return await self._calls.commit(
                opened, request, write, _created(opened), pb.CreateProcedureResponse
            )

    async def MatchProcedures(
        self,
        request: pb.MatchProceduresRequest,
        context: aio.ServicerContext[pb.MatchProceduresRequest, pb.MatchProceduresResponse],
    ) -> pb.MatchProceduresResponse:
        """List procedures that fit a task."""
        async with self._calls.reading(request.namespace) as opened:
            await self._calls.check_revision(opened, request.at_least_revision)
            caller = to_caller(request.caller)
            found = await match_procedures(
                opened.store, request.tags, caller, request.limit, request.success_rate_min
            )
            now_us = self._calls.now_us()
            return pb.MatchProceduresResponse(
                matches=[from_procedure_match(one, opened.namespace, now_us) for one in found]
            )

    async def RecordRun(
        self,
        request: pb.RecordRunRequest,
        context: aio.ServicerContext[pb.RecordRunRequest, pb.RecordRunResponse],
    ) -> pb.RecordRunResponse:
        """Add how a run went."""
        async with self._calls.changing(request.namespace) as opened:
            write = RecordRun(request.memory_id, to_caller(request.caller), request.success)
            return await self._calls.commit(
                opened, request, write, _recorded(opened), pb.RecordRunResponse
            )

    async def ReviewProcedure(
        self,
        request: pb.ReviewProcedureRequest,
        context: aio.ServicerContext[pb.ReviewProcedureRequest, pb.ReviewProcedureResponse],
    ) -> pb.ReviewProcedureResponse:
        """Say what a person thinks of a procedure."""
        async with self._calls.changing(request.namespace) as opened:
            write = ReviewProcedure(
                request.memory_id,
                to_caller(request.caller),
                PROCEDURE_STATUS.from_pb(request.status),
                await self._creator.clean(opened, request.note),
                request.etag,
            )
            return await self._calls.commit(
                opened, request, write, _reviewed(opened), pb.ReviewProcedureResponse
            )


def _reviewed(opened: OpenNamespace) -> Callable[[Memory, int], pb.ReviewProcedureResponse]:
    return lambda memory, revision: pb.ReviewProcedureResponse(
        memory=from_memory(memory, opened.namespace),
        revision=revision_token(opened.namespace, revision),
    )


def _created(
    opened: OpenNamespace,
) -> Callable[[tuple[Created, ...], int], pb.CreateProcedureResponse]:
    return lambda made, revision: pb.CreateProcedureResponse(
        memory=from_memory(made[0].memory, opened.namespace),
        revision=revision_token(opened.namespace, revision),
    )


def _recorded(opened: OpenNamespace) -> Callable[[Memory, int], pb.RecordRunResponse]:
    return lambda memory, revision: pb.RecordRunResponse(
        memory=from_memory(memory, opened.namespace),
        revision=revision_token(opened.namespace, revision),
    )
