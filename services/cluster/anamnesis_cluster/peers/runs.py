"""Runs of one phase of sleep, claimed from memory's AdminService for this process."""

import os
import socket
import uuid
from collections.abc import Mapping

from anamnesis.memory.v1 import admin_service_pb2, ledger_service_pb2, sleep_pb2, work_pb2
from anamnesis.memory.v1.admin_service_pb2_grpc import AdminServiceStub
from anamnesis.memory.v1.ledger_service_pb2_grpc import LedgerServiceStub
from anamnesis_cluster.runs import Run
from anamnesis_libs.rpc.channels import Channels
from anamnesis_libs.rpc.peers import call

_KINDS: Mapping[sleep_pb2.SleepPhase.ValueType, work_pb2.WorkKind.ValueType] = {
    sleep_pb2.SLEEP_PHASE_MERGE: work_pb2.WORK_KIND_MERGE,
    sleep_pb2.SLEEP_PHASE_CRYSTALLISE: work_pb2.WORK_KIND_CRYSTALLISE,
    sleep_pb2.SLEEP_PHASE_REFINE: work_pb2.WORK_KIND_REFINE,
}


class RunsPeer:
    """Claims in the name of this process, and of this run of it."""

    def __init__(
        self,
        channels: Channels,
        phase: sleep_pb2.SleepPhase.ValueType,
        lease_s: int,
        timeout_s: float,
    ) -> None:
        channel = channels.to("memory")
        self._admin = AdminServiceStub(channel)
        self._ledger = LedgerServiceStub(channel)
        self._phase = phase
        self._lease_s = lease_s
        self._timeout_s = timeout_s
        self._holder = f"{socket.gethostname()}/{os.getpid()}/{uuid.uuid4().hex[:12]}"

    async def start(self, namespace: str) -> Run | None:
        """Begin a run in a namespace, or where one is due if none is named."""
        request = admin_service_pb2.StartRunRequest(
            namespace=namespace,
            phase=self._phase,
            holder=self._holder,
            lease_seconds=self._lease_s,
        )
        begun = await call(self._admin.StartRun, request, timeout_s=self._timeout_s)
        return Run(begun.namespace, begun.run_id, begun.lease.token) if begun.taken else None

    async def renew(self, run: Run) -> bool:
        """Keep the claim of a run; True if it is still held."""
        request = ledger_service_pb2.RenewWorkRequest(
            namespace=run.namespace, leases=[self.lease(run)], lease_seconds=self._lease_s
        )
        answer = await call(self._ledger.RenewWork, request, timeout_s=self._timeout_s)
        return not answer.lost

    async def finish(
        self, run: Run, counts: dict[str, int], model_tokens: int, reason: str, next_s: int
    ) -> None:
        """Record how a run ended."""
        request = admin_service_pb2.FinishRunRequest(
            namespace=run.namespace,
            run_id=run.run_id,
            lease=self.lease(run),
            counts=counts,
            model_tokens=model_tokens,
            reason=reason,
            next_seconds=next_s,
        )
        await call(self._admin.FinishRun, request, timeout_s=self._timeout_s)

    def lease(self, run: Run) -> work_pb2.Lease:
        """The claim of a run, which what is written for it shows."""
        return work_pb2.Lease(kind=_KINDS[self._phase], token=run.token)
