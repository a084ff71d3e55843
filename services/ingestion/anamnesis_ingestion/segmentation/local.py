"""Segmentation without a model: where a person's turn shifts the topic.

Each turn but the first is weighed: what its words say (see `cues`), how much of its terms and of
its meaning occurred in the exchanges just before, how much it asks for, and how long the pause
before it was. The sum of the weights that apply decides; where an agent works with tools, that of
other weights (see `working`). Weights and threshold are those
of `benchmarks/segmentation/fit.py`; the benchmark measures them on conversations held out.
Deterministic: the same window gives the same tasks. What takes long runs in a thread.
"""

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.segmentation import cohesion, working
from anamnesis_ingestion.segmentation.cohesion import Baseline, Embed, measure_baseline
from anamnesis_ingestion.segmentation.cues import Cues, read_cues
from anamnesis_ingestion.segmentation.describing import Describer
from anamnesis_ingestion.segmentation.exchanges import Exchange, exchanges
from anamnesis_ingestion.segmentation.tasks import Task
from anamnesis_ingestion.segmentation.windows import Window
from anamnesis_ingestion.segmentation.working import WorkShift, begins_work, is_work, work_shift
from anamnesis_libs.index import analysis

_TERMS_FULL = 8
"""A request of so many terms or more stands on its own."""
_PAUSE_SHORT_S = 600.0
_PAUSE_LONG_S = 6 * 3600.0


@dataclass(frozen=True, slots=True)
class Shift:
    """Signals for and against a new task at one turn; each between 0 and 1."""

    new_task: float
    after_closing: float
    closed: float
    new_request: float
    continuing: float
    pointing: float
    substance: float
    shared_terms: float
    shared_meaning: float
    pause: float
    asked: float


WEIGHTS = Shift(
    new_task=4.2,
    after_closing=2.4,
    closed=2.8,
    new_request=1.7,
    continuing=-2.7,
    pointing=-1.2,
    substance=2.9,
    shared_terms=-3.7,
    shared_meaning=-3.3,
    pause=3.0,
    asked=-2.0,
)
THRESHOLD = 1.9


class LocalSegmenter:
    """A Segmenter that asks no model but an embedder."""

    name = "local"

    def __init__(self, embed: Embed) -> None:
        self._embed = embed
        self._baseline: Baseline | None = None

    async def tasks(self, window: Window) -> tuple[Task, ...]:
        """Return the tasks of a window.

        Raises:
            ModelUnavailable: the embedder does not answer.
        """
        found = exchanges(window.events)
        starts = [0]
        if len(found) > 1:
            shifts = await self.shifts(found)
            starts += await asyncio.to_thread(_starts, window.events, found, shifts)
        return await asyncio.to_thread(_described, window, starts)

    async def shifts(self, found: Sequence[Exchange]) -> tuple[Shift, ...]:
        """Return what speaks for and against a new task at each exchange but the first."""
        if self._baseline is None:
            self._baseline = await measure_baseline(self._embed)
        vectors = await self._embed([exchange.text for exchange in found])
        meaning = cohesion.shared_meaning(found, vectors, self._baseline)
        return await asyncio.to_thread(measure_shifts, found, meaning)


def _starts(
    events: Sequence[LedgerEvent], found: Sequence[Exchange], shifts: Sequence[Shift]
) -> list[int]:
    """Return where tasks begin behind the first, by the measure of talk or that of work."""
    if not is_work(events):
        turns = zip(found[1:], shifts, strict=True)
        return [turn.position for turn, shift in turns if is_new_task(shift)]
    return [
        found[at].position
        for at, shift in enumerate(shifts, start=1)
        if begins_work(_at_work(events, found, at, shift))
    ]


def _at_work(
    events: Sequence[LedgerEvent], found: Sequence[Exchange], at: int, shift: Shift
) -> WorkShift:
    start = found[max(0, at - working.BEFORE_MAX)].position
    known = events[start : found[at].position]
    return work_shift(known, found[at - 1], found[at], shift.shared_meaning, shift.substance)


def is_new_task(shift: Shift) -> bool:
    """True if the signals for a new task outweigh those against it."""
    return weigh(shift) > THRESHOLD


def weigh(shift: Shift) -> float:
    """Return the weighted sum."""
    names = Shift.__slots__
    return math.fsum(getattr(WEIGHTS, name) * getattr(shift, name) for name in names)


def measure_shifts(found: Sequence[Exchange], meaning: Sequence[float]) -> tuple[Shift, ...]:
    """Weigh words, terms and pauses; `meaning` is what each exchange shares of it."""
    cues = [read_cues(exchange.request) for exchange in found]
    terms = [exchange.terms() for exchange in found]
    rarity = cohesion.rarities(terms)
    return tuple(
        _shift(
            found[at - 1 : at + 1],
            cues[at - 1 : at + 1],
            cohesion.shared_terms(
                cues[at].rest, terms[max(0, at - cohesion.BEFORE_MAX) : at], rarity
            ),
            meaning[at],
        )
        for at in range(1, len(found))
    )


def _shift(
    pair: Sequence[Exchange], cues: Sequence[Cues], shared_terms: float, shared_meaning: float
) -> Shift:
    before, here = cues
    return Shift(
        new_task=float(here.new_task),
        after_closing=float(before.only_closing and not here.only_closing),
        closed=float(here.closed),
        new_request=float(here.new_request),
        continuing=float(here.continuing or here.only_closing),
        pointing=float(here.pointing),
        substance=_substance(here.rest),
        shared_terms=shared_terms,
        shared_meaning=shared_meaning,
        pause=_pause(*pair),
        asked=float(analysis.is_question(pair[0].answer)),
    )


def _substance(request: str) -> float:
    """The size of a request, 0 to 1; a Chinese word is about two of its pairs of characters."""
    terms = analysis.tokens(request)
    size = sum(0.5 if analysis.has_cjk(term) else 1.0 for term in terms)
    return min(1.0, size / _TERMS_FULL)


def _pause(before: Exchange, here: Exchange) -> float:
    """0 up to ten minutes, 1 from six hours on, by the logarithm between; 0 without times."""
    if before.end_time is None or here.start_time is None:
        return 0.0
    seconds = (here.start_time - before.end_time).total_seconds()
    if seconds <= _PAUSE_SHORT_S:
        return 0.0
    return min(1.0, math.log(seconds / _PAUSE_SHORT_S) / math.log(_PAUSE_LONG_S / _PAUSE_SHORT_S))


def _described(window: Window, starts: Sequence[int]) -> tuple[Task, ...]:
    """Return tasks that begin at these positions, with their words."""
    words = Describer(window.events)
    borders = pairwise([*starts, len(window.events)])
    return tuple(Task(first + 1, end, *words.described(first, end)) for first, end in borders)
