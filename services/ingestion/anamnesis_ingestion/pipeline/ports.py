"""The pipeline's port to the memory service."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from anamnesis_ingestion.learning.knowledge import Held, Knowledge
from anamnesis_ingestion.learning.links.model import LearnedLink
from anamnesis_ingestion.ledger import Caller, LedgerEvent, Session
from anamnesis_ingestion.pipeline.work import (
    Counts,
    PipelineStage,
    Segment,
    StageClaim,
    StageState,
    Wish,
    WorkItem,
)
from anamnesis_ingestion.segmentation.tasks import PreviousCut
from anamnesis_ingestion.trajectory.measures import Measures
from anamnesis_libs.models.ports import Matrix


class WorkBoard(Protocol):
    """Claims, and what became of them."""

    async def claim(self, wish: Wish) -> Sequence[StageClaim]:
        """Claim due work, oldest first; empty if none is due."""
        ...

    async def renew(self, claims: Sequence[StageClaim]) -> Sequence[StageClaim]:
        """Keep claims of one namespace; answers those that are lost."""
        ...

    async def complete(self, claim: StageClaim) -> None:
        """Say that a stage is done.

        Raises:
            LeaseLost: the claim is no longer ours.
        """
        ...

    async def fail(self, claim: StageClaim, reason: str, wait_s: float) -> None:
        """Say that a try failed; with a wait it was not the session's fault, and counts as none.

        Raises:
            LeaseLost: the claim is no longer ours.
        """
        ...

    async def counts(self, namespace: str, session_id: str = "") -> Counts:
        """Number of sessions in each state of each stage."""
        ...

    async def items(
        self,
        namespace: str,
        session_id: str,
        states: Sequence[StageState],
        page_size: int,
        page_token: str,
    ) -> tuple[Sequence[WorkItem], str]:
        """A page of work in these states, and the token of the next page."""
        ...

    async def retry(self, namespace: str, session_id: str, stages: Sequence[PipelineStage]) -> int:
        """Make failed work due now; answers how many."""
        ...


class Sessions(Protocol):
    """Sessions as they are worked on: every one, whoever may see it."""

    async def session(self, namespace: str, session_id: str) -> Session:
        """Read one session.

        Raises:
            NotFound: it is gone.
        """
        ...

    async def events(
        self, namespace: str, session_id: str, first_index: int = 0, last_index: int | None = None
    ) -> Sequence[LedgerEvent]:
        """Read events by index, with the drawers that hold them."""
        ...

    async def segments(self, namespace: str, session_id: str) -> Sequence[Segment]:
        """Read the segments of a session, in order."""
        ...

    async def segments_seen_by(
        self,
        namespace: str,
        caller: Caller,
        task_type: str,
        min_score: float,
        page_token: str,
    ) -> tuple[Sequence[Segment], str]:
        """A page of segments that a caller may see, and the token of the next page."""
        ...

    async def held(
        self, namespace: str, subjects: Collection[str], user_id: str, as_of: datetime | None
    ) -> Sequence[Held]:
        """The facts of these subjects that held then, as far as the user knows them."""
        ...

    async def rivals(
        self, namespace: str, asked: Collection[tuple[str, str]], user_id: str
    ) -> Sequence[Held]:
        """The facts of these subjects and predicates, of any time, as far as the user knows them.

        An empty predicate asks for all of the subject.
        """
        ...

    async def embed(self, namespace: str, texts: Sequence[str]) -> Matrix:
        """Make a row of unit length for each text."""
        ...


class Results(Protocol):
    """Results of the stages, each under its claim; a lost claim raises LeaseLost."""

    async def recut(
        self, claim: StageClaim, segments: Sequence[PreviousCut], segmenter: str
    ) -> int:
        """Store how a session is cut, which completes the stage; answers how many segments."""
        ...

    async def measured(
        self, claim: StageClaim, segment_id: str, measures: Measures, labeller: str
    ) -> None:
        """Store how a segment went."""
        ...

    async def learned(
        self,
        claim: StageClaim,
        segment: Segment,
        knowledge: Knowledge,
        drawers: Mapping[int, str],
        extractor: str,
        links: Sequence[LearnedLink] = (),
    ) -> None:
        """Store what a segment teaches; `drawers` names the memory of each event of `links`."""
        ...

    async def promoted(self, claim: StageClaim, summaries: Mapping[str, str]) -> int:
        """Promote drawers with their summaries, which completes the stage; answers how many."""
        ...


class PipelineMemory(WorkBoard, Sessions, Results, Protocol):
    """All of it."""
