"""Lineage: an erased memory takes along every memory that rests on it alone.

A memory rests on the memories it was derived from, by its edges and by what its part names. What
still rests on something else stays, without what was erased, and is to be reviewed. A skill, whose
text was written out of its lessons, goes with any of them. A memory that
took in somebody else's near duplicate goes on as that duplicate (see `recompute`).

Two memories that rest on nothing but each other hold nobody up: support has to come from outside
of what is touched.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field

from anamnesis_libs.participants import is_of
from anamnesis_memory.knowledge.erasing import fact_of
from anamnesis_memory.model.edges import EdgeType, source_ids, written_of_sources
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.model.memory_versions import Copy, CopyRole
from anamnesis_memory.model.scopes import scope_of
from anamnesis_memory.ports import ReadView
from anamnesis_memory.ports.life import ErasureSubject


@dataclass(frozen=True, slots=True)
class Fates:
    """The fates of memories in an erasure.

    Args:
        gone: ids of those that go, in the order in which they were condemned: what was derived
            from a memory comes after it.
        heirs: the contribution that takes the place of a memory that goes on as another.
        kept: ids of those that stay without something they rested on.
        unknown: ids that have to be looked at before this can be told; nothing else counts then.
    """

    gone: tuple[str, ...] = ()
    heirs: Mapping[str, Copy] = field(default_factory=dict)
    kept: frozenset[str] = frozenset()
    unknown: frozenset[str] = frozenset()

    @property
    def lost(self) -> frozenset[str]:
        """The ids of memories that support nothing any more: those that go or have an heir."""
        return frozenset(self.gone) | self.heirs.keys()


def of_subject(memory: Memory, subject: ErasureSubject) -> bool:
    """True if a memory is from this user, agent or session, or one of those named."""
    if subject.memory_ids:
        return memory.memory_id in subject.memory_ids
    if subject.user_id:
        return is_of(memory.user_id, subject.user_id)
    if subject.agent_id:
        return memory.agent_id == subject.agent_id
    return subject.session_id in (memory.session_id, memory.provenance.session_id)


def may_stand_for(memory: Memory, other: Memory) -> bool:
    """True if a memory may go on as another: a fact only in its own scope."""
    return fact_of(memory) is None or scope_of(memory) == scope_of(other)


def fates(
    seen: ReadView,
    roots: Iterable[str],
    looked_at: Collection[str],
    subject: ErasureSubject | None = None,
) -> Fates:
    """Return the fates of the roots, and of everything that was derived from them.

    Args:
        seen: memories, edges and copies of what was looked at, and the memories those rest on.
        roots: what is to be erased; those that are gone already are passed over.
        looked_at: ids whose edges and copies are in `seen`.
        subject: whose traces go; a contribution of somebody else then takes the place of a root.
            Without one, roots go with all that hangs on them.
    """
    graph = _Graph(seen, subject)
    first = [one for one in dict.fromkeys(roots) if one in seen.memories]
    touched = dict.fromkeys(first)
    falling: list[str] = []
    held_up: set[str] = set()
    more: Iterable[str] = first
    while more:
        touched |= dict.fromkeys(more)
        above = graph.above(touched, first)
        unknown = {*touched, *filter(graph.rests, above)} - set(looked_at)
        if unknown:
            return Fates(unknown=frozenset(unknown))
        held_up = graph.held_up(touched, first)
        falling = [one for one in touched if one not in held_up]
        fallen = [each for one in falling for each in graph.dependents(one)]
        more = [one for one in (*fallen, *graph.leading_to(touched, above)) if one not in touched]
    heirs = {one: heir for one in falling if (heir := graph.heir(one, falling, first)) is not None}
    gone = tuple(one for one in falling if one not in heirs)
    kept = frozenset(one for one in held_up if graph.rests_on(one, falling))
    return Fates(gone, heirs, kept)


class _Graph:
    """The graph of derivations among the memories that were seen."""

    def __init__(self, seen: ReadView, subject: ErasureSubject | None) -> None:
        self._seen = seen
        self._subject = subject
        self._sources: defaultdict[str, set[str]] = defaultdict(set)
        self._dependents: defaultdict[str, dict[str, None]] = defaultdict(dict)
        for edge in seen.edges:
            if edge.type is EdgeType.DERIVED_FROM:
                self._add(edge.source_id, edge.target_id)
        for memory in seen.memories.values():
            for source_id in source_ids(memory):
                if source_id in seen.memories and source_id != memory.memory_id:
                    self._add(memory.memory_id, source_id)

    def _add(self, memory_id: str, source_id: str) -> None:
        self._sources[memory_id].add(source_id)
        self._dependents[source_id][memory_id] = None

    def dependents(self, memory_id: str) -> Iterable[str]:
        """The ids of memories that were derived from this one."""
        return self._dependents[memory_id]

    def rests(self, memory_id: str) -> bool:
        """True if the memory was derived from anything that is there."""
        return bool(self._sources[memory_id])

    def rests_on(self, memory_id: str, others: Iterable[str]) -> bool:
        """True if the memory was derived from one of these others."""
        return not self._sources[memory_id].isdisjoint(others)

    def above(self, touched: Iterable[str], roots: Iterable[str]) -> set[str]:
        """Memories that touched ones but the roots rest on, directly or not, and not touched."""
        passed = set(touched)
        above: set[str] = set()
        waiting = list(passed.difference(roots))
        while waiting:
            found = self._sources[waiting.pop()] - passed
            passed |= found
            above |= found
            waiting += found
        return above

    def leading_to(self, touched: Iterable[str], above: Collection[str]) -> set[str]:
        """Memories above that rest on touched ones, directly or through others: no firm ground."""
        leading: set[str] = set()
        waiting = list(touched)
        while waiting:
            found = {one for one in self._dependents[waiting.pop()] if one in above} - leading
            leading |= found
            waiting += found
        return leading

    def held_up(self, touched: Collection[str], roots: Collection[str]) -> set[str]:
        """Touched memories that survive: a source of theirs is not touched, or survives itself.

        What was written out of its sources, as a skill is, survives only with all of them.
        """
        fixed = set(roots)
        waiting = {one for one in touched if one not in fixed}
        held: set[str] = set()
        while True:
            more = {
                one
                for one in waiting
                if self._enough(one)(
                    each in held or each not in touched for each in self._sources[one]
                )
            }
            if not more:
                return held
            held |= more
            waiting -= more

    def _enough(self, memory_id: str) -> Callable[[Iterable[bool]], bool]:
        """The part of its sources that a memory needs: all, or any that there is."""
        return all if written_of_sources(self._seen.memories[memory_id]) else any

    def heir(self, memory_id: str, falling: Collection[str], roots: Collection[str]) -> Copy | None:
        """The oldest contribution that may go on in the place of a memory; None if none may.

        One to a fact only where the fact is: what others see stands on another line.
        """
        if self._subject is None and memory_id in roots:
            return None
        lost = set(falling)
        memory = self._seen.memories[memory_id]
        return next(
            (
                copy
                for copy in self._seen.copies.get(memory_id, ())
                if copy.role is CopyRole.CONTRIBUTION
                and self._stands(copy.memory, lost)
                and may_stand_for(memory, copy.memory)
            ),
            None,
        )

    def _stands(self, memory: Memory, lost: Collection[str]) -> bool:
        """True if a merged memory is not the subject's, and has a source that stays or none."""
        if self._subject is not None and of_subject(memory, self._subject):
            return False
        sources = source_ids(memory)
        return not sources or any(
            each in self._seen.memories and each not in lost for each in sources
        )
