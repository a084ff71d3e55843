"""Memories of one write come in, in order: each meets those that are there and those before it.

This is the decision of a write: what it needs was loaded in the same transaction, so that of two
that say the same, sent at once or in one batch, the second finds the first.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from services.memory.copies import Copy
from services.memory.created import Created, Outcome
from services.memory.dedup.check import Check, Pair, look
from services.memory.dedup.decide import Verdict
from services.memory.dedup.detail import kept_apart, may_duplicate
from services.memory.dedup.digests import digest_of
from services.memory.dedup.judging import Judge
from services.memory.dedup.merging import merge
from services.memory.dedup.neighbours import Neighbours
from services.memory.edges import Edge
from services.memory.knowledge.intake import Knowledge, KnowledgeIntake
from services.memory.life.vitals import Vitals
from services.memory.model import Kind, Memory, Vectors
from services.memory.narrowing import derivations
from services.memory.parts import Fact
from services.memory.ports import Edits, IndexRecord, Seen, Stamp

_OUTCOMES = {
    Verdict.NEW: Outcome.CREATED,
    Verdict.KEPT_APART: Outcome.KEPT_APART,
    Verdict.CANDIDATE: Outcome.CANDIDATE,
}


class Intake:
    """Takes memories in, one after another, and gathers the edits that come of it.

    Lessons may be one with others, facts settle among others; all else is stored as it is.
    """

    def __init__(
        self,
        check: Check,
        knowledge: Knowledge,
        seen: Seen,
        stamp: Stamp,
        incoming: Sequence[IndexRecord],
    ) -> None:
        """`incoming` are the memories that will be taken, stamped, with their vectors."""
        self._check = check
        self.knowledge = KnowledgeIntake(knowledge, seen, stamp)
        self._stamp = stamp
        self._places = {one.memory.memory_id: place for place, one in enumerate(incoming)}
        self._sources = seen.memories
        self._judge = Judge(check.judged)
        known = known_of(check, seen)
        lessons = (one for one in incoming if one.memory.kind is Kind.LEARNING)
        self._neighbours = Neighbours(seen.fresh, known, lessons)
        self._there = {one.memory.memory_id: one.memory for one in (*known, *seen.fresh)}
        self._there |= {one: seen.memories[one] for one in seen.by_digest.values()}
        self._by_digest = dict(seen.by_digest)
        self._put: dict[str, Memory] = {}
        self._digests: dict[str, bytes] = {}
        self._vectors: dict[str, Vectors] = {}
        self._vitals: dict[str, Vitals] = {}
        self._copies: list[Copy] = []
        self._edges: list[Edge] = []

    def take(self, incoming: IndexRecord) -> Created:
        """Store a memory, or merge it into one that says the same."""
        created = self._take(incoming)
        self.knowledge.name(created.memory, incoming.memory)
        return created

    def _take(self, incoming: IndexRecord) -> Created:
        memory = incoming.memory
        if isinstance(memory.part, Fact):
            return self.knowledge.tell(incoming, memory.part)
        if memory.kind is not Kind.LEARNING:
            return self._store(incoming, ())
        digest = digest_of(memory)
        if (same := self._by_digest.get(digest)) is not None:
            return self._merge(self._there[same], incoming, 1.0)
        sight = look(
            memory, self._neighbours, self._judge, self._check.thresholds, self._there.keys()
        )
        if sight.verdict is Verdict.MERGE:
            pair, _ = sight.pairs[0]
            return self._merge(self._there[pair.known.memory_id], incoming, pair.cosine)
        self._by_digest[digest] = memory.memory_id
        self._there[memory.memory_id] = memory
        self._digests[memory.memory_id] = digest
        edges = pair_edges(memory, sight.pairs, self._stamp.now_us)
        return replace(self._store(incoming, edges), outcome=_OUTCOMES[sight.verdict])

    def edits(self) -> Edits:
        """All that came of it; what is new is put in the order in which it came."""
        told = self.knowledge.edits()
        memories = (*self._put.values(), *told.memories)
        last = len(self._places)
        return replace(
            told,
            memories=tuple(sorted(memories, key=lambda one: self._places.get(one.memory_id, last))),
            embeddings={**self._vectors, **told.embeddings},
            digests=self._digests,
            vitals=(*self._vitals.values(), *told.vitals),
            copies=(*self._copies, *told.copies),
            edges=(*self._edges, *told.edges),
        )

    def _store(self, incoming: IndexRecord, edges: Iterable[Edge]) -> Created:
        memory = incoming.memory
        self._put[memory.memory_id] = memory
        if incoming.vectors is not None:
            self._vectors[memory.memory_id] = incoming.vectors
        self._edges += (*derivations(memory, self._sources, self._stamp.now_us), *edges)
        return Created(memory)

    def _merge(self, known: Memory, incoming: IndexRecord, similarity: float) -> Created:
        merged = merge(known, incoming, similarity, self._stamp)
        key = known.memory_id
        self._there[key] = self._put[key] = merged.memory
        self._vitals[key] = merged.vitals
        self._copies.append(merged.copy)
        self._edges += merged.edges
        return Created(merged.memory, Outcome.MERGED)


def pair_edges(
    memory: Memory, pairs: Iterable[tuple[Pair, Verdict]], now_us: int
) -> Iterable[Edge]:
    """The edges from a lesson to those that it is alike."""
    for pair, verdict in pairs:
        ends = memory.memory_id, pair.known.memory_id
        if verdict is Verdict.KEPT_APART:
            yield kept_apart(*ends, pair.cosine, pair.differences or (), now_us)
        else:
            yield may_duplicate(*ends, pair.cosine, now_us)


def known_of(check: Check, seen: Seen) -> list[IndexRecord]:
    """Those that the index found near, as they are now."""
    return [
        IndexRecord(seen.memories[one], seen.embeddings.get(one))
        for one in check.nearest
        if one in seen.memories
    ]
