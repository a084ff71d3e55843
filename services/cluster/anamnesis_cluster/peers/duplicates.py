"""Duplicates and runs of consolidation, asked for from memory for all scopes."""

import os
import socket
import uuid

from anamnesis.memory.v1 import (
    admin_service_pb2,
    ledger_service_pb2,
    lesson_service_pb2,
    sleep_pb2,
)
from anamnesis.memory.v1.admin_service_pb2_grpc import AdminServiceStub
from anamnesis.memory.v1.ledger_service_pb2_grpc import LedgerServiceStub
from anamnesis.memory.v1.lesson_service_pb2_grpc import LessonServiceStub
from anamnesis_cluster.consolidation.model import (
    Decision,
    Duplicate,
    DuplicatesPage,
    Outcome,
    Run,
    Verdict,
)
from anamnesis_cluster.convert.consolidation import OUTCOME, from_run, to_duplicate
from anamnesis_libs.rpc.channels import Channels
from anamnesis_libs.rpc.peers import call

PAGE_LESSONS = 50
"""Lessons of a page, which comes with all that they may be one with."""


class DuplicatesPeer:
    """Asks memory in the name of this process, and of this run of it."""

    def __init__(self, channels: Channels, lease_s: int, timeout_s: float) -> None:
        channel = channels.to("memory")
        self._admin = AdminServiceStub(channel)
        self._ledger = LedgerServiceStub(channel)
        self._lessons = LessonServiceStub(channel)
        self._lease_s = lease_s
        self._timeout_s = timeout_s
        self._holder = f"{socket.gethostname()}/{os.getpid()}/{uuid.uuid4().hex[:12]}"

    async def start(self, namespace: str) -> Run | None:
        """Begin a run in a namespace, or where one is due if none is named."""
        request = admin_service_pb2.StartRunRequest(
            namespace=namespace,
            phase=sleep_pb2.SLEEP_PHASE_MERGE,
            holder=self._holder,
            lease_seconds=self._lease_s,
        )
        begun = await call(self._admin.StartRun, request, timeout_s=self._timeout_s)
        return Run(begun.namespace, begun.run_id, begun.lease.token) if begun.taken else None

    async def renew(self, run: Run) -> bool:
        """Keep the claim of a run; True if it is still held."""
        request = ledger_service_pb2.RenewWorkRequest(
            namespace=run.namespace, leases=[from_run(run)], lease_seconds=self._lease_s
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
            lease=from_run(run),
            counts=counts,
            model_tokens=model_tokens,
            reason=reason,
            next_seconds=next_s,
        )
        await call(self._admin.FinishRun, request, timeout_s=self._timeout_s)

    async def page(self, namespace: str, token: str) -> DuplicatesPage:
        """List what may be one at the next lessons."""
        request = lesson_service_pb2.ListDuplicatesRequest(
            namespace=namespace, page_size=PAGE_LESSONS, page_token=token, all_visibilities=True
        )
        page = await call(self._lessons.ListDuplicates, request, timeout_s=self._timeout_s)
        return DuplicatesPage(
            [to_duplicate(one) for one in page.duplicates], page.lessons, page.next_page_token
        )

    async def settle(
        self, namespace: str, run: Run | None, duplicate: Duplicate, verdict: Verdict
    ) -> Decision:
        """Write what became of two lessons; only compare the text where there is no run."""
        request = lesson_service_pb2.SettleDuplicateRequest(
            namespace=namespace,
            lease=from_run(run) if run else None,
            lease_seconds=self._lease_s,
            known_id=duplicate.known.memory_id,
            known_etag=duplicate.known.etag,
            other_id=duplicate.other.memory_id,
            other_etag=duplicate.other.etag,
            outcome=OUTCOME.to_pb(verdict.outcome),
            content=verdict.text if verdict.outcome is Outcome.MERGED else "",
            reason=verdict.reason,
            model=verdict.model,
            validate_only=run is None,
        )
        answer = await call(self._lessons.SettleDuplicate, request, timeout_s=self._timeout_s)
        outcome = OUTCOME.from_pb(answer.outcome)
        return Decision(duplicate, outcome, answer.reason or verdict.reason, verdict.text)
