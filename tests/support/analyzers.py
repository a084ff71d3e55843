"""Analyzers that a test steers: they wait until they may go on, and fail when they are told to."""

import asyncio
from collections import deque
from collections.abc import Sequence

from anamnesis_ingestion.learning.knowledge import ExtractionInput, FactKind, Knowledge, LearnedFact
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role
from anamnesis_ingestion.pipeline.analyzers import Analyzers
from anamnesis_ingestion.pipeline.compressing import LocalSummarizer
from anamnesis_ingestion.segmentation.tasks import Task
from anamnesis_ingestion.segmentation.windows import Window
from anamnesis_ingestion.trajectory.measures import Measures, TaskType
from anamnesis_libs.models.chat import Json
from anamnesis_libs.tokens import load_counter

MARK = "Task "


class Steered:
    """Counts its calls; `begun` is set by each, `free` lets them pass, `errors` come first."""

    name = "steered"

    def __init__(self) -> None:
        self.calls = 0
        self.begun = asyncio.Event()
        self.free = asyncio.Event()
        self.free.set()
        self.errors: deque[Exception] = deque()

    async def pass_gate(self) -> None:
        """Wait, then fail if an error is due."""
        self.calls += 1
        self.begun.set()
        await self.free.wait()
        if self.errors:
            raise self.errors.popleft()


class SteeredSegmenter(Steered):
    """A task begins with each event that begins with "Task "."""

    async def tasks(self, window: Window) -> Sequence[Task]:
        """The tasks of a window."""
        await self.pass_gate()
        marked = [at for at, event in enumerate(window.events, 1) if event.content.startswith(MARK)]
        starts = sorted({1, *marked})
        ends = [*(start - 1 for start in starts[1:]), len(window.events)]
        return [
            Task(first, last, f"topic {window.events[first - 1].content[:20]}", "what was said")
            for first, last in zip(starts, ends, strict=True)
        ]


class SteeredLabeller(Steered):
    """Gives every task the same score."""

    score = 0.9

    async def measure(self, events: Sequence[LedgerEvent]) -> Measures:
        """The score."""
        await self.pass_gate()
        told: dict[str, Json] = {"overall_score": self.score, "task_type": "coding"}
        return Measures(self.score, TaskType.CODING, {"summary": told})


class SteeredExtractor(Steered):
    """Learns each thing that a user says, word for word, in `copies`; keeps what it was given."""

    copies = 1

    def __init__(self) -> None:
        super().__init__()
        self.lectures: list[ExtractionInput] = []

    @property
    def reads_held(self) -> bool:
        """False: it was told what to say."""
        return False

    async def learn(self, lecture: ExtractionInput) -> Knowledge:
        """A fact for each event of a user, where facts are wanted."""
        await self.pass_gate()
        self.lectures.append(lecture)
        if not lecture.facts:
            return Knowledge()
        said = [event for event in lecture.events if event.role is Role.USER]
        return Knowledge(
            tuple(self._fact(event, copy) for event in said for copy in range(self.copies))
        )

    def _fact(self, event: LedgerEvent, copy: int) -> LearnedFact:
        return LearnedFact(
            statement=event.content,
            subject="User",
            predicate=f"says_{copy}" if copy else "says",
            object=event.content,
            kind=FactKind.EXPERIENCE,
            sources=(event.index or 0,),
            importance=0.5 + copy / 10_000,
        )


class SteeredAnalyzers:
    """The same three for every namespace, and summaries by rules."""

    def __init__(self) -> None:
        self.segmenter = SteeredSegmenter()
        self.labeller = SteeredLabeller()
        self.extractor = SteeredExtractor()
        self.summarizer = LocalSummarizer(load_counter("o200k_base"))

    async def of(self, namespace: str) -> Analyzers:
        """Them."""
        return Analyzers(
            segmenter=self.segmenter,
            labeller=self.labeller,
            extractor=self.extractor,
            summarizer=self.summarizer,
        )
