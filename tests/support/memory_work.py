"""The clustering work of the scripted memory services, under leases: one piece a namespace.

It keeps the promises of `ledger_service.proto` that the cluster service relies on: a claim takes a
new token, nobody else gets what is claimed until the lease has run out, what an earlier holder
sends is refused, and lessons that come while it is claimed make it due again when it is completed.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

from google.protobuf.message import Message
from grpc import aio

from anamnesis.memory.v1 import ledger_service_pb2 as pb
from anamnesis.memory.v1 import work_pb2
from anamnesis.memory.v1.ledger_service_pb2_grpc import LedgerServiceServicer
from anamnesis_libs.errors import LeaseLost

Context = aio.ServicerContext[Message, Message]


@dataclass
class Work:
    """The clustering of one namespace."""

    state: "work_pb2.WorkState.ValueType" = work_pb2.WORK_STATE_DONE
    token: int = 0
    holder: str = ""
    ready_s: float = 0.0
    reason: str = ""
    again: bool = False

    def make_due(self) -> None:
        """Lessons came."""
        if self.state == work_pb2.WORK_STATE_CLAIMED:
            self.again = True
        else:
            self.state, self.ready_s = work_pb2.WORK_STATE_PENDING, 0.0

    def claim(self, holder: str, lease_s: float) -> bool:
        """Whether it was free and due."""
        if self.state == work_pb2.WORK_STATE_DONE or self.ready_s > time.monotonic():
            return False
        self.state, self.holder, self.token = work_pb2.WORK_STATE_CLAIMED, holder, self.token + 1
        self.ready_s = time.monotonic() + lease_s
        return True

    def holds(self, lease: work_pb2.Lease) -> bool:
        """Whether a lease is the current one."""
        return self.state == work_pb2.WORK_STATE_CLAIMED and self.token == lease.token

    def check(self, lease: work_pb2.Lease) -> None:
        """Refuse a lease that is lost."""
        if not self.holds(lease):
            raise LeaseLost("cluster", "")


class WorkServer(LedgerServiceServicer):
    """The part of LedgerService that the cluster service calls.

    `take` notes a request and may fail it; `of` gives the work of a namespace; `names` are all.
    """

    def __init__(
        self,
        take: Callable[[str, Message], None],
        of: Callable[[str], Work],
        names: Callable[[], list[str]],
    ) -> None:
        self._take = take
        self._of = of
        self._names = names

    async def ClaimWork(  # noqa: N802 - the proto names it
        self, request: pb.ClaimWorkRequest, context: Context
    ) -> pb.ClaimWorkResponse:
        """Claims by name."""
        self._take("ClaimWork", request)
        answer = pb.ClaimWorkResponse()
        for name in [request.namespace] if request.namespace else self._names():
            if len(answer.items) == request.limit:
                break
            work = self._of(name)
            if work.claim(request.holder, request.lease_seconds):
                answer.items.add(namespace=name, kind=work_pb2.WORK_KIND_CLUSTER, token=work.token)
        return answer

    async def RenewWork(  # noqa: N802
        self, request: pb.RenewWorkRequest, context: Context
    ) -> pb.RenewWorkResponse:
        """Moves the expiry."""
        self._take("RenewWork", request)
        work, (lease,) = self._of(request.namespace), request.leases
        if not work.holds(lease):
            return pb.RenewWorkResponse(lost=[lease])
        work.ready_s = time.monotonic() + request.lease_seconds
        return pb.RenewWorkResponse(items=[work_pb2.WorkItem(namespace=request.namespace)])

    async def CompleteWork(  # noqa: N802
        self, request: pb.CompleteWorkRequest, context: Context
    ) -> pb.CompleteWorkResponse:
        """Done, unless lessons came meanwhile."""
        self._take("CompleteWork", request)
        work = self._of(request.namespace)
        work.check(request.lease)
        done, pending = work_pb2.WORK_STATE_DONE, work_pb2.WORK_STATE_PENDING
        work.state, work.ready_s = (pending if work.again else done), 0.0
        work.again = False
        return pb.CompleteWorkResponse()

    async def FailWork(  # noqa: N802
        self, request: pb.FailWorkRequest, context: Context
    ) -> pb.FailWorkResponse:
        """Waits as long as is said."""
        self._take("FailWork", request)
        work = self._of(request.namespace)
        work.check(request.lease)
        work.state, work.reason = work_pb2.WORK_STATE_FAILED, request.reason
        work.ready_s = time.monotonic() + request.retry_after_seconds
        return pb.FailWorkResponse()
