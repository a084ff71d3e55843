"""Duplicates and runs of consolidation, asked for from memory for all scopes."""

from anamnesis.memory.v1 import (
    lesson_service_pb2,
    sleep_pb2,
)
from anamnesis.memory.v1.lesson_service_pb2_grpc import LessonServiceStub
from anamnesis_cluster.consolidation.model import (
    Decision,
    Duplicate,
    DuplicatesPage,
    MergeOutcome,
    Verdict,
)
from anamnesis_cluster.convert.consolidation import OUTCOME, to_duplicate
from anamnesis_cluster.peers.runs import RunsPeer
from anamnesis_cluster.runs import Run
from anamnesis_libs.rpc.channels import Channels
from anamnesis_libs.rpc.peers import call

PAGE_LESSONS = 50
"""Lessons of a page, which comes with all that they may be one with."""


class DuplicatesPeer(RunsPeer):
    """Duplicates, and the runs of MERGE that settle them."""

    def __init__(self, channels: Channels, lease_s: int, timeout_s: float) -> None:
        super().__init__(channels, sleep_pb2.SLEEP_PHASE_MERGE, lease_s, timeout_s)
        self._lessons = LessonServiceStub(channels.to("memory"))

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
            lease=self.lease(run) if run else None,
            lease_seconds=self._lease_s,
            known_id=duplicate.known.memory_id,
            known_etag=duplicate.known.etag,
            other_id=duplicate.other.memory_id,
            other_etag=duplicate.other.etag,
            outcome=OUTCOME.to_pb(verdict.outcome),
            content=verdict.text if verdict.outcome is MergeOutcome.MERGED else "",
            reason=verdict.reason,
            model=verdict.model,
            validate_only=run is None,
        )
        answer = await call(self._lessons.SettleDuplicate, request, timeout_s=self._timeout_s)
        outcome = OUTCOME.from_pb(answer.outcome)
        return Decision(duplicate, outcome, answer.reason or verdict.reason, verdict.text)
