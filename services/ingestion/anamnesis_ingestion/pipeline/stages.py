"""The stages of the pipeline: each reads a session, does its work, and sends the result back.

A stage that dies or fails leaves what was sent so far, which is whole by itself: a cut, the
measures of one segment, all that one segment teaches. The next try goes on behind it.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from anamnesis_ingestion.intake.fingerprints import fingerprint
from anamnesis_ingestion.learning.closing.ends import with_ends
from anamnesis_ingestion.learning.closing.rivals import rivals
from anamnesis_ingestion.learning.gate import passed
from anamnesis_ingestion.learning.knowledge import (
    EntityKind,
    ExtractionInput,
    Extractor,
    Held,
    Knowledge,
    LearnedMention,
)
from anamnesis_ingestion.learning.links.trail import Trail, within
from anamnesis_ingestion.ledger import LedgerEvent, Session
from anamnesis_ingestion.pipeline.analyzers import FindsAnalyzers
from anamnesis_ingestion.pipeline.bounds import fitting, short_words
from anamnesis_ingestion.pipeline.compressing import Summarizer
from anamnesis_ingestion.pipeline.ports import PipelineMemory
from anamnesis_ingestion.pipeline.work import PipelineStage, Segment, StageClaim, StageOutcome
from anamnesis_ingestion.segmentation.cutting import segment
from anamnesis_ingestion.segmentation.tasks import PreviousCut, Segmenter, TaskCut
from anamnesis_ingestion.trajectory.extraction_windows import (
    LONG_SESSION_TURNS,
    WINDOW_TURNS_MAX,
    ExtractionWindow,
    extraction_windows,
    turn_starts,
)
from anamnesis_ingestion.trajectory.measures import Labeller, is_task, unmeasured
from anamnesis_libs.settings import WriteGate
from anamnesis_libs.tokens import TokenCounter

SPEAKERS_MAX = 4
"""Of so many speakers a model is shown what holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRules:
    """Budgets and thresholds: tokens of a window, and the score from which lessons are taken."""

    segment_window_tokens: int
    extract_window_tokens: int
    extract_overlap_events: int
    lesson_score_min: float


@dataclass(frozen=True, slots=True)
class _Told:
    """A session with all its events, of which some segments are to teach."""

    session: Session
    events: Sequence[LedgerEvent]
    trail: Trail
    drawers: Mapping[int, str]
    clocks: Mapping[int, int]
    """The offsets from UTC of events that have one, by their indices."""
    long: bool
    """It has so many turns that it is read a few at a time."""

    def events_of(self, one: Segment) -> Sequence[LedgerEvent]:
        """The events of a segment."""
        return within(self.events, _span(one), lambda event: event.index or 0)


class Stages:
    """Works on claims, each with the analyzers of its namespace."""

    def __init__(
        self,
        memory: PipelineMemory,
        analyzers: FindsAnalyzers,
        limits: WriteGate,
        rules: StageRules,
        counter: TokenCounter,
    ) -> None:
        self._memory = memory
        self._analyzers = analyzers
        self._limits = limits
        self._rules = rules
        self._counter = counter

    async def work(self, claim: StageClaim) -> StageOutcome:
        """Do the stage of the claim, and report its result to the ledger.

        Raises:
            LeaseLost: somebody else has the work by now.
            AnamnesisError: it failed; the caller says so to the ledger.
        """
        analyzers = await self._analyzers.of(claim.namespace)
        match claim.stage:
            case PipelineStage.SEGMENT:
                return await self._segment(claim, analyzers.segmenter)
            case PipelineStage.LABEL:
                return await self._label(claim, analyzers.labeller)
            case PipelineStage.EXTRACT:
                return await self._extract(claim, analyzers.extractor)
            case PipelineStage.COMPRESS:
                return await self._compress(claim, analyzers.summarizer)

    async def _segment(self, claim: StageClaim, segmenter: Segmenter) -> StageOutcome:
        """Cut the session; what did not change keeps its segments."""
        memory = self._memory
        session = await memory.session(claim.namespace, claim.session_id)
        events = await memory.events(claim.namespace, claim.session_id)
        there = await memory.segments(claim.namespace, claim.session_id)
        cuts = await segment(
            events,
            segmenter,
            self._rules.segment_window_tokens,
            self._counter,
            [earlier for one in there if (earlier := earlier_of(one, events)) is not None],
        )
        pieces = contiguous(list(map(short_words, cuts)), events, session.expired_before_index)
        return StageOutcome(segments=await memory.recut(claim, pieces, segmenter.name))

    async def _label(self, claim: StageClaim, labeller: Labeller) -> StageOutcome:
        """Measure the segments that have no measures yet."""
        memory = self._memory
        waiting = [
            one
            for one in await memory.segments(claim.namespace, claim.session_id)
            if not one.measured
        ]
        for one in waiting:
            events = await self._events_of(claim, one)
            measures = await labeller.measure(events) if is_task(events) else unmeasured()
            await memory.measured(claim, one.segment_id, measures, labeller.name)
        await memory.complete(claim)
        return StageOutcome(segments=len(waiting))

    async def _extract(self, claim: StageClaim, extractor: Extractor) -> StageOutcome:
        """Learn from the segments that have not taught yet."""
        memory, tally = self._memory, Counter[str]()
        session = await memory.session(claim.namespace, claim.session_id)
        segments = await memory.segments(claim.namespace, claim.session_id)
        waiting = [one for one in segments if not one.taught]
        events = await memory.events(claim.namespace, claim.session_id) if waiting else ()
        events = [event.on_own_clock() for event in events]
        told = await asyncio.to_thread(_told_by, session, events, segments)
        for one in waiting:
            knowledge = await self._learn(claim, told, one, extractor)
            tally.update(
                facts=len(knowledge.facts),
                lessons=len(knowledge.lessons),
                procedures=len(knowledge.procedures),
                refused=sum(knowledge.refusals.values()),
            )
        await memory.complete(claim)
        return StageOutcome(segments=len(waiting), **tally)

    async def _learn(
        self, claim: StageClaim, told: _Told, one: Segment, extractor: Extractor
    ) -> Knowledge:
        """Facts, names and told lessons always; the rest where the task went well enough.

        With them goes what the session shows of their causes, and of what came before.
        """
        session, events = told.session, told.events_of(one)
        eligible = one.score is not None and one.score >= self._rules.lesson_score_min
        knowledge = Knowledge()
        held = await self._held(claim, session, events) if extractor.reads_held else ()
        for each in self._lectures(events, session, one.topic, lessons=eligible, long=told.long):
            lecture = replace(each, held=held)
            learned = await extractor.learn(lecture)
            knowledge += await asyncio.to_thread(passed, learned, lecture, self._limits)
        knowledge = await self._closing(claim, session, knowledge.by_clocks(told.clocks))
        knowledge = fitting(replace(knowledge, mentions=(*_sides(session), *knowledge.mentions)))
        links = await asyncio.to_thread(told.trail.links, _span(one), knowledge)
        await self._memory.learned(claim, one, knowledge, told.drawers, extractor.name, links)
        return knowledge

    async def _closing(self, claim: StageClaim, session: Session, found: Knowledge) -> Knowledge:
        """The knowledge with the ends that it brings to what is held, or finds there."""
        asked = sorted({pair for fact in found.facts for pair in rivals(fact)})
        held = await self._memory.rivals(claim.namespace, asked, session.user_id) if asked else ()
        return replace(found, facts=tuple(with_ends(found.facts, held)))

    async def _held(
        self, claim: StageClaim, session: Session, events: Sequence[LedgerEvent]
    ) -> Sequence[Held]:
        """Facts that already hold of the speakers, before these events."""
        speakers = {session.user_id, *(one.name for one in events)} - {"", session.agent_id}
        said = (one.moment_beside_facts for one in events)
        said_at = next((one for one in said if one is not None), None)
        return await self._memory.held(
            claim.namespace, sorted(speakers)[:SPEAKERS_MAX], session.user_id, said_at
        )

    def _lectures(
        self,
        events: Sequence[LedgerEvent],
        session: Session,
        topic: str,
        *,
        lessons: bool,
        long: bool,
    ) -> Iterator[ExtractionInput]:
        """The inputs of extraction: each event once for facts and names, once for lessons.

        In a long session facts and names are read for a few turns at a time; a lesson and a
        procedure may go on over many, and are read for as a task, as everywhere.
        """
        few = self._windows(events, WINDOW_TURNS_MAX if long else 0)
        whole = self._windows(events, 0) if long and lessons else few
        together = len(few) == len(whole)
        parts = [(window, True, lessons and together) for window in few]
        parts += [] if together else [(window, False, True) for window in whole]
        for window, facts, taught in parts:
            yield ExtractionInput(
                events=window.new,
                context=window.context,
                user=session.user_id,
                agent=session.agent_id,
                lessons=taught,
                proven=facts and not lessons,
                facts=facts,
                topic=topic,
            )

    def _windows(
        self, events: Sequence[LedgerEvent], turns_max: int
    ) -> tuple[ExtractionWindow, ...]:
        rules = self._rules
        return extraction_windows(
            events,
            self._counter,
            rules.extract_window_tokens,
            rules.extract_overlap_events,
            turns_max,
        )

    async def _compress(self, claim: StageClaim, summarizer: Summarizer) -> StageOutcome:
        """Summarise the drawers that matter most."""
        events = await self._memory.events(claim.namespace, claim.session_id)
        summaries = await summarizer.summaries(events)
        return StageOutcome(promoted=await self._memory.promoted(claim, summaries))

    async def _events_of(self, claim: StageClaim, one: Segment) -> Sequence[LedgerEvent]:
        return await self._memory.events(
            claim.namespace, claim.session_id, one.first_index, one.last_index
        )


def _told_by(session: Session, events: Sequence[LedgerEvent], segments: Sequence[Segment]) -> _Told:
    """A session as its segments are learned from."""
    return _Told(
        session=session,
        events=events,
        trail=Trail(events, [_span(one) for one in segments]),
        drawers={event.index: event.memory_id for event in events if event.index is not None},
        clocks={one.index or 0: one.utc_offset_minutes for one in events if one.utc_offset_minutes},
        long=len(turn_starts(events)) > LONG_SESSION_TURNS,
    )


def _span(one: Segment) -> tuple[int, int]:
    return one.first_index, one.last_index


def _sides(session: Session) -> Iterator[LearnedMention]:
    """The users and the agent, whom facts name though no event has to spell them."""
    for user in session.users:
        yield LearnedMention(name=user, kind=EntityKind.PERSON, sources=())
    if session.agent_id:
        yield LearnedMention(name=session.agent_id, kind=EntityKind.AGENT, sources=())


def contiguous(
    cuts: Sequence[TaskCut], events: Sequence[LedgerEvent], kept_from: int = 0
) -> tuple[PreviousCut, ...]:
    """The cuts with their fingerprints, and without gaps where indices have none of their own.

    A session may lack indices (nobody sent them): a gap belongs to the segment before it. The
    first begins where the ledger does, at `kept_from`.
    """
    found: list[PreviousCut] = []
    for place, cut in enumerate(cuts):
        first = kept_from if place == 0 else cut.first_index
        last = cuts[place + 1].first_index - 1 if place + 1 < len(cuts) else cut.last_index
        mark = fingerprint(
            event
            for event in events
            if event.index is not None and cut.first_index <= event.index <= cut.last_index
        )
        found.append(PreviousCut(TaskCut(first, last, cut.topic, cut.summary), mark))
    return tuple(found)


def earlier_of(one: Segment, events: Sequence[LedgerEvent]) -> PreviousCut | None:
    """A segment as it was cut, from its first event to its last; None where none is left."""
    inside = [
        event.index
        for event in events
        if event.index is not None and one.first_index <= event.index <= one.last_index
    ]
    if not inside:
        return None
    return PreviousCut(TaskCut(inside[0], inside[-1], one.topic, one.summary), one.fingerprint)
