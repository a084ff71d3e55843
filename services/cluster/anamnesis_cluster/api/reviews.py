"""ProjectionService, the part that lists skills and takes what a person says of them."""

from collections.abc import Mapping, Sequence

from grpc import aio

from anamnesis.cluster.v1 import projection_service_pb2 as pb
from anamnesis.memory.v1 import (
    filter_pb2,
    memory_pb2,
    memory_service_pb2,
    procedure_service_pb2,
)
from anamnesis.memory.v1.memory_service_pb2_grpc import MemoryServiceStub
from anamnesis.memory.v1.procedure_service_pb2_grpc import ProcedureServiceStub
from anamnesis_cluster.skill_model import SKILL_TAG
from anamnesis_libs.errors.not_found import MemoryNotFound
from anamnesis_libs.paging import coerced_size
from anamnesis_libs.rpc.channels import Channels
from anamnesis_libs.rpc.parts import in_parts
from anamnesis_libs.rpc.peers import call

_DEPRECATED = memory_pb2.PROCEDURE_STATUS_DEPRECATED
_STATUS: Mapping[pb.SkillVerdict.ValueType, memory_pb2.ProcedureStatus.ValueType] = {
    pb.SKILL_VERDICT_PUBLISH: memory_pb2.PROCEDURE_STATUS_ACTIVE,
    pb.SKILL_VERDICT_REJECT: _DEPRECATED,
}


class ReviewRpcs:
    """Serves the review of skills; see the proto for what each rpc promises."""

    def __init__(self, channels: Channels, timeout_s: float) -> None:
        channel = channels.to("memory")
        self._memories = MemoryServiceStub(channel)
        self._procedures = ProcedureServiceStub(channel)
        self._timeout_s = timeout_s

    async def ListSkills(
        self,
        request: pb.ListSkillsRequest,
        context: aio.ServicerContext[pb.ListSkillsRequest, pb.ListSkillsResponse],
    ) -> pb.ListSkillsResponse:
        """List skills in full."""
        listing = memory_service_pb2.ListMemoriesRequest(
            namespace=request.namespace,
            caller=request.caller,
            filter=filter_pb2.MemoryFilter(
                kinds=[memory_pb2.MEMORY_KIND_PROCEDURAL],
                tags=[SKILL_TAG],
                include_archived=request.status == _DEPRECATED,
            ),
            page_size=coerced_size(request.page_size),
            page_token=request.page_token,
            at_least_revision=request.at_least_revision,
        )
        page = await call(self._memories.ListMemories, listing, timeout_s=self._timeout_s)
        ids = [one.memory_id for one in page.memories if _stands(one, request.status)]

        async def batch(part: Sequence[str]) -> Sequence[memory_pb2.Memory]:
            wanted = memory_service_pb2.BatchGetMemoriesRequest(
                purpose=memory_service_pb2.READ_PURPOSE_INTERNAL,
                namespace=request.namespace,
                memory_ids=part,
                caller=request.caller,
            )
            answer = await call(self._memories.BatchGetMemories, wanted, timeout_s=self._timeout_s)
            return answer.memories

        return pb.ListSkillsResponse(
            skills=await in_parts(batch, ids) if ids else (), next_page_token=page.next_page_token
        )

    async def ReviewSkill(
        self,
        request: pb.ReviewSkillRequest,
        context: aio.ServicerContext[pb.ReviewSkillRequest, pb.ReviewSkillResponse],
    ) -> pb.ReviewSkillResponse:
        """Publish a skill, or reject it."""
        wanted = memory_service_pb2.GetMemoryRequest(
            purpose=memory_service_pb2.READ_PURPOSE_INTERNAL,
            namespace=request.namespace,
            memory_id=request.memory_id,
            caller=request.caller,
        )
        found = await call(self._memories.GetMemory, wanted, timeout_s=self._timeout_s)
        if SKILL_TAG not in found.memory.tags or not found.memory.HasField("procedure"):
            raise MemoryNotFound(request.memory_id)
        review = procedure_service_pb2.ReviewProcedureRequest(
            namespace=request.namespace,
            caller=request.caller,
            memory_id=request.memory_id,
            status=_STATUS[request.verdict],
            note=request.note,
            etag=request.etag,
            request_id=request.request_id,
        )
        answer = await call(self._procedures.ReviewProcedure, review, timeout_s=self._timeout_s)
        return pb.ReviewSkillResponse(skill=answer.memory)


def _stands(memory: memory_pb2.Memory, asked: memory_pb2.ProcedureStatus.ValueType) -> bool:
    """True if a skill stands where it was asked for."""
    status = memory.procedure.status
    return status == asked if asked else status != _DEPRECATED
