"""The part of AdminService that erases, and looks whether it did."""

from dataclasses import dataclass

from grpc import aio

from anamnesis.memory.v1 import admin_service_pb2 as pb
from anamnesis_libs.rpc.peers import remaining_s
from anamnesis_memory.api.convert.erasure import from_found, from_receipt, to_subject
from anamnesis_memory.erasure.canaries import CanarySearch
from anamnesis_memory.erasure.service import Eraser
from anamnesis_memory.model.memory import Namespace
from anamnesis_memory.runtime.calls import Calls
from anamnesis_memory.seeding.following import SourceFollower

WAIT_S_MAX = 600.0


@dataclass(frozen=True, slots=True)
class Erasure:
    """The verbs of erasure."""

    eraser: Eraser
    canaries: CanarySearch
    followers: SourceFollower


class ErasureRpcs:
    """Serves erasure; see the proto for what each rpc promises."""

    def __init__(self, calls: Calls, erasure: Erasure) -> None:
        self._calls = calls
        self._erasure = erasure

    async def DeleteSubject(
        self,
        request: pb.DeleteSubjectRequest,
        context: aio.ServicerContext[pb.DeleteSubjectRequest, pb.DeleteSubjectResponse],
    ) -> pb.DeleteSubjectResponse:
        """Erase everything of a user, an agent or a session."""
        wait_s = remaining_s(context, WAIT_S_MAX)
        response = await self._calls.deleting(lambda: self._delete_subject(request, wait_s))
        await self._erasure.followers.reach(self._calls, request.namespace)
        return response

    async def _delete_subject(
        self, request: pb.DeleteSubjectRequest, wait_s: float
    ) -> pb.DeleteSubjectResponse:
        async with self._calls.reading(request.namespace) as opened:
            receipt = await self._erasure.eraser.subject(opened, to_subject(request), wait_s)
            return pb.DeleteSubjectResponse(receipt=from_receipt(receipt, opened.namespace))

    async def DeleteNamespace(
        self,
        request: pb.DeleteNamespaceRequest,
        context: aio.ServicerContext[pb.DeleteNamespaceRequest, pb.DeleteNamespaceResponse],
    ) -> pb.DeleteNamespaceResponse:
        """Erase a namespace with all its files."""
        return await self._calls.deleting(lambda: self._delete_namespace(request))

    async def _delete_namespace(
        self, request: pb.DeleteNamespaceRequest
    ) -> pb.DeleteNamespaceResponse:
        await self._erasure.followers.erase_all(self._calls, request.namespace, request.incarnation)
        receipt = await self._erasure.eraser.namespace(request.namespace, request.incarnation)
        gone = Namespace(request.namespace, request.incarnation, 0, "", 0)
        return pb.DeleteNamespaceResponse(receipt=from_receipt(receipt, gone))

    async def VerifyErasure(
        self,
        request: pb.VerifyErasureRequest,
        context: aio.ServicerContext[pb.VerifyErasureRequest, pb.VerifyErasureResponse],
    ) -> pb.VerifyErasureResponse:
        """Look for texts that should be gone."""
        async with self._calls.reading(request.namespace) as opened:
            return from_found(await self._erasure.canaries.run(opened, request.canaries))
