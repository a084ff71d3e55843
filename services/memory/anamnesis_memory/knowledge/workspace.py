"""Lines of facts and the memories that hold them, while a write changes them."""

from collections.abc import Iterable
from dataclasses import replace

from anamnesis_memory.domain.facts.interval import Interval
from anamnesis_memory.domain.facts.review import Ground, reopened, shaken
from anamnesis_memory.domain.facts.transitions import FactChange, FactEdge, Transition, edges
from anamnesis_memory.domain.facts.transitions import LineEdits as LineOutcome
from anamnesis_memory.domain.facts.versions import FactLine, FactState, FactVersion, Telling
from anamnesis_memory.model.edges import Edge, EdgeKey, EdgeType, symmetric
from anamnesis_memory.model.memory import Memory, Status
from anamnesis_memory.model.memory_details import Fact, TimePrecision
from anamnesis_memory.ports import CommitStamp, ReadView, WriteSet


class FactWorkspace:
    """Lines of facts and their memories, while a write changes them."""

    def __init__(self, seen: ReadView, stamp: CommitStamp) -> None:
        """`seen` has the lines that the write wanted."""
        self._stamp = stamp
        self._lines = dict(seen.lines)
        self._memory_ids = dict(seen.by_fact)
        self._memories = {one: seen.memories[one] for one in seen.by_fact.values()}
        self._put: dict[str, None] = {}
        self._tellings: dict[str, Telling] = {}
        self._versions: dict[tuple[str, int], FactVersion] = {}
        self._edges: dict[EdgeKey, Edge | None] = {}
        self._shaken: list[Ground] = []
        self._lifted: list[Ground] = []

    def line(self, line_id: str) -> FactLine:
        """A line as it is now; an empty one where nothing stands on it."""
        return self._lines.get(line_id, FactLine())

    def memory_of(self, fact_id: str) -> Memory | None:
        """The memory that holds a fact."""
        memory_id = self._memory_ids.get(fact_id)
        return None if memory_id is None else self._memories.get(memory_id)

    def version(self, telling: Telling) -> FactVersion:
        """The current version of the fact that was told."""
        line = self.line(telling.statement.line_id)
        return next(one for one in line.versions if one.state.fact_id == telling.fact_id)

    def ids_of(self, changes: Iterable[FactChange]) -> tuple[str, ...]:
        """The memories of facts that have changed."""
        return self.holders(one.fact_id for one in changes)

    def holders(self, fact_ids: Iterable[str]) -> tuple[str, ...]:
        """The memories that hold facts; an export may name facts that none holds."""
        return tuple(self._memory_ids[one] for one in fact_ids if one in self._memory_ids)

    def put(self, fact_id: str, memory: Memory) -> None:
        """Hold a fact in a memory."""
        self._memory_ids[fact_id] = memory.memory_id
        self._memories[memory.memory_id] = memory
        self._put[memory.memory_id] = None

    def settle(self, line_id: str, outcome: LineOutcome) -> None:
        """Take over what became of a line."""
        before = self._held(edges(self.line(line_id)))
        self._lines[line_id] = outcome.line
        self._tellings.update((one.telling_id, one) for one in outcome.tellings)
        for change in outcome.changes:
            self._change(change)
        self._shaken += self._grounds(shaken(outcome))
        self._lifted += self._grounds(reopened(outcome))
        after = self._held(edges(outcome.line))
        for fact_ids in before - after:
            self._edges[self._edge_key(*fact_ids)] = None
        for fact_ids in after - before:
            key = self._edge_key(*fact_ids)
            now_us = self._stamp.now_us
            self._edges[key] = Edge(key.source_id, key.target_id, key.type, 1.0, now_us, now_us)

    def edits(self) -> WriteSet:
        """All that has changed, without what came in beside it."""
        return WriteSet(
            memories=tuple(self._memories[one] for one in self._put),
            tellings=tuple(self._tellings.values()),
            fact_versions=tuple(self._versions.values()),
            shaken=tuple(self._shaken),
            lifted=tuple(self._lifted),
            edges=tuple(edge for edge in self._edges.values() if edge is not None),
            removed_edges=tuple(key for key, edge in self._edges.items() if edge is None),
        )

    def _change(self, change: FactChange) -> None:
        for version in (change.before, change.after):
            if version is not None:
                self._versions[version.state.fact_id, version.known_from_us] = version
        memory = self.memory_of(change.fact_id)
        if memory is None:
            return
        state = None if change.after is None else change.after.state
        after = as_known(memory, state, self._stamp)
        if _is_wanted_again(memory, change):
            after = replace(after, status=Status.ACTIVE, archive_time_us=None)
        if after != memory:
            revised = replace(
                after, update_time_us=self._stamp.now_us, revision=self._stamp.revision
            )
            self.put(change.fact_id, revised)

    def _grounds(self, grounds: Iterable[Ground]) -> list[Ground]:
        """The grounds by the memories that hold them."""
        return [
            Ground(self._memory_ids[one.ground_id], one.ended_us)
            for one in grounds
            if one.ground_id in self._memory_ids
        ]

    def _held(self, found: Iterable[FactEdge]) -> set[FactEdge]:
        """The edges both of whose facts are held by a memory; an export may name others."""
        return {one for one in found if one[0] in self._memory_ids and one[1] in self._memory_ids}

    def _edge_key(self, source: str, target: str, edge_type: EdgeType) -> EdgeKey:
        ends = self._memory_ids[source], self._memory_ids[target]
        if edge_type is EdgeType.CONTRADICTS:
            ends = symmetric(*ends)
        return EdgeKey(*ends, edge_type)


def as_known(memory: Memory, state: FactState | None, stamp: CommitStamp) -> Memory:
    """A memory that says what is known of its fact; None: nobody says it any more."""
    part = memory.part
    assert isinstance(part, Fact)
    if state is None:
        return replace(
            memory,
            status=Status.ARCHIVED,
            archive_time_us=stamp.now_us,
            part=replace(part, retracted=True),
        )
    return replace(memory, confidence=state.confidence, part=part_of(part, state))


def _is_wanted_again(memory: Memory, change: FactChange) -> bool:
    """True if a fact that reopens was archived for being past.

    A fact that was archived while it held stays archived: somebody wanted that.
    """
    if Transition.REOPENED not in change.transitions or change.before is None:
        return False
    archived_us = memory.archive_time_us
    return archived_us is not None and archived_us >= change.before.known_from_us


def part_of(part: Fact, state: FactState) -> Fact:
    """A fact with the interval and the flags that it had in a state."""
    interval = state.interval
    dated = interval != Interval()
    precision = part.time_precision or TimePrecision.INSTANT
    return replace(
        part,
        valid_from_us=interval.from_us,
        valid_to_us=interval.to_us,
        time_precision=precision if dated else TimePrecision.NONE,
        superseded=bool(state.closed_by),
        contradicted=state.contradicted,
        retracted=False,
    )
