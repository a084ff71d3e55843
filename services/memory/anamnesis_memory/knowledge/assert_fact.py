"""Facts of one write come in, in order: each is told on its line, and the line settles anew.

This is the decision of a write: lines were loaded in the same transaction, so that of two writers
who say the same, or what excludes it, the second finds the first.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from anamnesis_memory.dedup.merging import merge
from anamnesis_memory.domain.facts.asof import holding
from anamnesis_memory.domain.facts.interval import Interval
from anamnesis_memory.domain.facts.key import Statement
from anamnesis_memory.domain.facts.predicates import SingleValued
from anamnesis_memory.domain.facts.transitions import LineEdits as LineOutcome
from anamnesis_memory.domain.facts.transitions import Transition, tell
from anamnesis_memory.domain.facts.versions import FactLine, Telling
from anamnesis_memory.domain.lifecycle.vitals import Vitals
from anamnesis_memory.knowledge.workspace import FactWorkspace
from anamnesis_memory.knowledge.write_outcome import Created, CreateOutcome
from anamnesis_memory.model.edges import Edge
from anamnesis_memory.model.expiry import longer
from anamnesis_memory.model.memory import Memory, Status, Vectors
from anamnesis_memory.model.memory_details import Fact
from anamnesis_memory.model.memory_versions import Copy
from anamnesis_memory.model.scopes import scope_of
from anamnesis_memory.model.segments import SEGMENT_TAG_PREFIX
from anamnesis_memory.model.tags import unite_tags
from anamnesis_memory.model.visibility import derivations
from anamnesis_memory.ports import CommitStamp, IndexRecord, ReadView, WriteSet
from anamnesis_memory.ports.knowledge import LineWanted


def lines_wanted(memories: Iterable[Memory], predicates: SingleValued) -> tuple[LineWanted, ...]:
    """The lines that these memories stand on, or would."""
    told: dict[str, list[tuple[Memory, Fact]]] = {}
    for one in memories:
        if isinstance(one.part, Fact):
            told.setdefault(statement_of(one, one.part).line_id, []).append((one, one.part))
    return tuple(_line_wanted(line_id, group, predicates) for line_id, group in told.items())


def _line_wanted(
    line_id: str, told: Sequence[tuple[Memory, Fact]], predicates: SingleValued
) -> LineWanted:
    return LineWanted(
        line_id,
        tuple(sorted({statement_of(*each).key for each in told})),
        tuple(sorted({fact_id for each in told for fact_id in _possible_ids(*each)})),
        any(predicates.decide(part.predicate, part.single_valued) for _, part in told),
    )


def _possible_ids(memory: Memory, part: Fact) -> Iterable[str]:
    """The fact that a memory holds, or those that it may come to."""
    if part.fact_id:
        yield part.fact_id
        return
    statement, told = statement_of(memory, part), _told(part)
    yield statement.fact_id(told)
    if told == Interval() and memory.event_time_us is not None:
        yield statement.fact_id(Interval(memory.event_time_us))


def statement_of(memory: Memory, part: Fact) -> Statement:
    """The statement that a memory makes, and its scope."""
    return Statement(scope_of(memory), part.subject, part.predicate, part.object)


class FactAssertions:
    """Takes facts in, one after another, and gathers the edits that come of it.

    `learned` says that they come out of talk, and not from somebody who states when they hold.
    """

    def __init__(
        self, predicates: SingleValued, seen: ReadView, stamp: CommitStamp, *, learned: bool = False
    ) -> None:
        """`seen` has the lines that `lines_wanted` names."""
        self._predicates = predicates
        self._stamp = stamp
        self._learned = learned
        self._sources: Mapping[str, Memory] = seen.memories
        self.board = FactWorkspace(seen, stamp)
        self._vectors: dict[str, Vectors] = {}
        self._vitals: dict[str, Vitals] = {}
        self._copies: list[Copy] = []
        self._derivations: list[Edge] = []

    def take(self, incoming: IndexRecord, part: Fact) -> Created:
        """Tell a fact: a new one is stored, one that is known becomes surer."""
        telling = self._telling(incoming.memory, part)
        line = self.board.line(telling.statement.line_id)
        outcome = tell(line, telling, self._predicates)
        known = self.board.memory_of(telling.fact_id)
        if known is not None and _says_nothing_new(outcome, known, incoming.memory):
            return self._created(known, CreateOutcome.MERGED, telling)
        if known is None:
            self._found(incoming, replace(part, fact_id=telling.fact_id, source=telling.source))
        else:
            self._join(known, incoming)
        self.board.settle(telling.statement.line_id, outcome)
        memory = self.board.memory_of(telling.fact_id)
        assert memory is not None, "a fact that was told has a memory"
        closed = self.board.ids_of(outcome.of(Transition.CLOSED))
        kind = CreateOutcome.CREATED if known is None else CreateOutcome.MERGED
        return self._created(memory, kind, telling, closed)

    def edits(self) -> WriteSet:
        """The edits of all facts that were taken in."""
        edits = self.board.edits()
        return replace(
            edits,
            embeddings=self._vectors,
            vitals=tuple(self._vitals.values()),
            copies=tuple(self._copies),
            edges=(*self._derivations, *edits.edges),
        )

    def _created(
        self, memory: Memory, outcome: CreateOutcome, telling: Telling, closed: tuple[str, ...] = ()
    ) -> Created:
        version = self.board.version(telling)
        closed_by = self.board.holders(version.state.closed_by)
        return Created(memory, outcome, version, closed, closed_by)

    def _telling(self, memory: Memory, part: Fact) -> Telling:
        statement = statement_of(memory, part)
        told = _told(part)
        if self._learned and told == Interval():
            told = self._since_said(memory, part, statement)
        return Telling(
            memory.memory_id,
            statement,
            told,
            source_of(memory, part),
            memory.confidence,
            self._stamp.now_us,
            part.single_valued,
        )

    def _since_said(self, memory: Memory, part: Fact, statement: Statement) -> Interval:
        """The interval of a fact that somebody stated without a date.

        For a single-valued predicate: the interval of the fact that held then with the same object,
        or else from the time of the statement on, so that a later statement closes the fact. For
        any other predicate: unbounded, since nobody knows.
        """
        said_us = memory.event_time_us
        single = self._predicates.decide(part.predicate, part.single_valued)
        if said_us is None or not single:
            return Interval()
        line = self.board.line(statement.line_id)
        for state in holding(line.versions, said_us):
            told = _as_told(line, state.fact_id)
            end_alone = told.from_us is None and told.to_us is not None
            if state.statement.key == statement.key and not end_alone:
                return told
        return Interval(said_us)

    def _found(self, incoming: IndexRecord, part: Fact) -> None:
        memory = replace(incoming.memory, part=part)
        self.board.put(part.fact_id, memory)
        if incoming.vectors is not None:
            self._vectors[memory.memory_id] = incoming.vectors
        self._derivations += derivations(memory, self._sources, self._stamp.now_us)

    def _join(self, known: Memory, incoming: IndexRecord) -> None:
        merged = merge(known, incoming, 1.0, self._stamp)
        assert isinstance(merged.memory.part, Fact)
        self._vitals[known.memory_id] = merged.vitals
        self._copies.append(merged.copy)
        self._derivations += merged.edges
        awake = replace(
            merged.memory,
            status=Status.ACTIVE,
            archive_time_us=None,
            expire_time_us=longer(known.expire_time_us, incoming.memory.expire_time_us),
        )
        self.board.put(merged.memory.part.fact_id, _told_anew(known, awake, incoming.memory))


def source_of(memory: Memory, part: Fact) -> str:
    """The source of a statement: as it was named, else the session, the agent, the user."""
    return part.source or memory.session_id or memory.agent_id or memory.user_id


def _told(part: Fact) -> Interval:
    return Interval(part.valid_from_us, part.valid_to_us)


def _as_told(line: FactLine, fact_id: str) -> Interval:
    """The interval of a fact before anything closed it."""
    return next(one.told for one in line.tellings if one.fact_id == fact_id)


def _told_anew(known: Memory, awake: Memory, incoming: Memory) -> Memory:
    """The memory of a withdrawn fact that its own session asserts again, from there now."""
    assert isinstance(known.part, Fact), "only facts are told"
    segment_id = incoming.provenance.segment_id
    if not known.part.retracted or not segment_id or known.session_id != incoming.session_id:
        return awake
    own = [tag for tag in awake.tags if not tag.startswith(SEGMENT_TAG_PREFIX)]
    of_segment = [tag for tag in incoming.tags if tag.startswith(SEGMENT_TAG_PREFIX)]
    return replace(awake, tags=unite_tags(of_segment, own), provenance=incoming.provenance)


def _says_nothing_new(outcome: LineOutcome, known: Memory, incoming: Memory) -> bool:
    """True if the same was told again, word by word, for no longer, in the same segment or none."""
    same = known.content == incoming.content and known.status is Status.ACTIVE
    same &= incoming.provenance.segment_id in ("", known.provenance.segment_id)
    same &= longer(known.expire_time_us, incoming.expire_time_us) == known.expire_time_us
    return same and all(
        not change.transitions or change.transitions == (Transition.REPEATED,)
        for change in outcome.changes
    )
