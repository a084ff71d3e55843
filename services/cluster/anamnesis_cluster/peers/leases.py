"""Leases on the clustering of namespaces, claimed from memory's LedgerService."""

import os
import socket
import uuid
from collections.abc import Sequence

from anamnesis.memory.v1 import ledger_service_pb2, work_pb2
from anamnesis.memory.v1.ledger_service_pb2_grpc import LedgerServiceStub
from anamnesis_cluster.convert.topics import from_lease
from anamnesis_cluster.leases import Lease
from anamnesis_libs.rpc.channels import Channels
from anamnesis_libs.rpc.peers import call

CLAIMS_MAX = 100


class LeasePeer:
    """Claims in the name of this process, and of this run of it."""

    def __init__(self, channels: Channels, lease_s: int, timeout_s: float) -> None:
        self._ledger = LedgerServiceStub(channels.to("memory"))
        self._lease_s = lease_s
        self._timeout_s = timeout_s
        self._holder = f"{socket.gethostname()}/{os.getpid()}/{uuid.uuid4().hex[:12]}"

    async def claim(self, limit: int) -> Sequence[Lease]:
        """Claim what has been due longest, at most so many namespaces."""
        return await self._claim("", min(limit, CLAIMS_MAX))

    async def claim_in(self, namespace: str) -> Lease | None:
        """Claim one namespace; None where nothing is due there, or somebody else is at it."""
        return next(iter(await self._claim(namespace, 1)), None)

    async def renew(self, lease: Lease) -> bool:
        """Keep a lease from expiring; True if it is still held."""
        request = ledger_service_pb2.RenewWorkRequest(
            namespace=lease.namespace, leases=[from_lease(lease)], lease_seconds=self._lease_s
        )
        answer = await call(self._ledger.RenewWork, request, timeout_s=self._timeout_s)
        return not answer.lost

    async def complete(self, lease: Lease) -> None:
        """Nothing is left to assign."""
        request = ledger_service_pb2.CompleteWorkRequest(
            namespace=lease.namespace, lease=from_lease(lease)
        )
        await call(self._ledger.CompleteWork, request, timeout_s=self._timeout_s)

    async def fail(self, lease: Lease, reason: str, retry_after_s: int) -> None:
        """Give a lease back with work left, which may be claimed again after a pause."""
        request = ledger_service_pb2.FailWorkRequest(
            namespace=lease.namespace,
            lease=from_lease(lease),
            reason=reason,
            retry_after_seconds=retry_after_s,
        )
        await call(self._ledger.FailWork, request, timeout_s=self._timeout_s)

    async def _claim(self, namespace: str, limit: int) -> Sequence[Lease]:
        request = ledger_service_pb2.ClaimWorkRequest(
            namespace=namespace,
            kinds=[work_pb2.WORK_KIND_CLUSTER],
            holder=self._holder,
            limit=limit,
            lease_seconds=self._lease_s,
        )
        answer = await call(self._ledger.ClaimWork, request, timeout_s=self._timeout_s)
        return [Lease(item.namespace, item.token) for item in answer.items]
