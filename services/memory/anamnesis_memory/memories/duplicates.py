"""Memories of one write come in, in order: each meets those that are there and those before it.

This is the decision of a write: what it needs was loaded in the same transaction, so that of two
that say the same, sent at once or in one batch, the second finds the first.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from anamnesis_memory.dedup.check import Check, look
from anamnesis_memory.dedup.decide import DuplicateVerdict
from anamnesis_memory.dedup.decide_duplicate import DuplicateJudge
from anamnesis_memory.dedup.digests import digest_of
from anamnesis_memory.dedup.merging import merge
from anamnesis_memory.dedup.neighbours import Neighbours
from anamnesis_memory.dedup.pairs import known_of, pair_edges
from anamnesis_memory.domain.lifecycle.vitals import Vitals
from anamnesis_memory.knowledge.intake import KnowledgeIntake, KnowledgeRules
from anamnesis_memory.knowledge.write_outcome import Created, CreateOutcome
from anamnesis_memory.model.edges import Edge
from anamnesis_memory.model.memory import Kind, Memory, Vectors
from anamnesis_memory.model.memory_details import Fact
from anamnesis_memory.model.memory_versions import Copy
from anamnesis_memory.model.visibility import derivations
from anamnesis_memory.ports import CommitStamp, IndexRecord, ReadView, WriteSet

_OUTCOMES = {
    DuplicateVerdict.NEW: CreateOutcome.CREATED,
    DuplicateVerdict.KEPT_APART: CreateOutcome.KEPT_APART,
    DuplicateVerdict.CANDIDATE: CreateOutcome.CANDIDATE,
}


class Intake:
    """Takes memories in, one after another, and gathers the edits that come of it.

    Lessons may be one with others, facts settle among others; all else is stored as it is.
    """

    def __init__(
        self,
        check: Check,
        knowledge: KnowledgeRules,
        seen: ReadView,
        stamp: CommitStamp,
        incoming: Sequence[IndexRecord],
    ) -> None:
        """`incoming` are the memories that will be taken, stamped, with their vectors."""
        self._check = check
        self.knowledge = KnowledgeIntake(knowledge, seen, stamp)
        self._stamp = stamp
        self._places = {one.memory.memory_id: place for place, one in enumerate(incoming)}
        self._sources = seen.memories
        self._judge = DuplicateJudge(check.judged)
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
        if sight.verdict is DuplicateVerdict.MERGE:
            pair, _ = sight.pairs[0]
            return self._merge(self._there[pair.known.memory_id], incoming, pair.cosine)
        self._by_digest[digest] = memory.memory_id
        self._there[memory.memory_id] = memory
        self._digests[memory.memory_id] = digest
        edges = pair_edges(memory, sight.pairs, self._stamp.now_us)
        return replace(self._store(incoming, edges), outcome=_OUTCOMES[sight.verdict])

    def edits(self) -> WriteSet:
        """The edits of all memories taken in; new ones are put in the order in which they came."""
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
        return Created(merged.memory, CreateOutcome.MERGED)
