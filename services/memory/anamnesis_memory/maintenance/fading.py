"""Fading: what sleep archives and removes, and what is protected; one judgement for all.

A scan finds what may go; the write that lets it go judges again by what it sees then, so that a
memory that was used, pinned or restored meanwhile stays.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from anamnesis_memory.domain.lifecycle.forgetting import (
    Forgetting,
    ForgettingCandidate,
    Protection,
    archivable,
    due_for_removal,
    protection,
    threshold,
)
from anamnesis_memory.domain.lifecycle.memory_vitals import vitals_of
from anamnesis_memory.domain.lifecycle.tiers import stale
from anamnesis_memory.domain.lifecycle.vitals import retention
from anamnesis_memory.knowledge.erasing import FactErasure, stands_on
from anamnesis_memory.maintenance.candidates import (
    Ledger,
    candidate_of,
    ledger_keys,
    ledger_seen,
    retention_end_us,
)
from anamnesis_memory.maintenance.phase_context import PhaseContext
from anamnesis_memory.memories.learn import tombstone_of
from anamnesis_memory.memories.policy import POLICY_KEY, Policy, policy_of
from anamnesis_memory.model.documents import Collection, Document
from anamnesis_memory.model.memory import Kind, Memory, Status, Tier
from anamnesis_memory.ports import CommitStamp, Decision, ReadSet, ReadView, WriteSet
from anamnesis_memory.ports.knowledge import LineWanted


@dataclass(frozen=True, slots=True)
class Judgement:
    """The judgement that the policy makes of memories at a time.

    Args:
        policy: the namespace's.
        since_us: when the policy was decided: nothing is removed within a month of it.
        now_us: the time.
        ledgers_kept: whether no session's ledger ever goes.
    """

    policy: Policy
    since_us: int
    now_us: int
    ledgers_kept: bool

    def archives(self, memory: Memory, ledger: Ledger) -> bool:
        """True if an active memory is archived now."""
        candidate = self._candidate(memory, ledger)
        return archivable(candidate, self.policy.forgetting, self.now_us, self.policy.cold_days)

    def archives_cold(self, memory: Memory, ledger: Ledger) -> bool:
        """True if a memory would be archived for lying unused, if it were COLD."""
        cold = replace(memory, tier=Tier.COLD)
        unused = stale(vitals_of(cold), self.now_us, self.policy.cold_days)
        return unused and self.archives(cold, ledger)

    def removes(self, memory: Memory, ledger: Ledger) -> bool:
        """True if an archived memory is removed now: it has faded, and nobody wanted it back.

        The days count from the latest of: it was archived, it was used, the policy was decided.
        """
        if self.policy.forgetting is Forgetting.KEEP or memory.status is not Status.ARCHIVED:
            return False
        candidate = self._candidate(memory, ledger)
        since_us = max(
            memory.archive_time_us or memory.update_time_us,
            memory.last_hit_us or 0,
            self.since_us,
        )
        return (
            due_for_removal(since_us, self.now_us)
            and self._faded(candidate)
            and protection(candidate, self.now_us) is None
        )

    def protects(self, memory: Memory, ledger: Ledger) -> Protection | None:
        """The protection without which an active memory would be archived now, if there is one."""
        if memory.status is not Status.ACTIVE:
            return None
        candidate = self._candidate(memory, ledger)
        adaptive = self.policy.forgetting is Forgetting.ADAPTIVE
        if not adaptive and memory.kind is Kind.EPISODIC:
            return None
        unused = stale(candidate.vitals, self.now_us, self.policy.cold_days)
        if not unused and not (adaptive and self._faded(candidate)):
            return None
        return protection(candidate, self.now_us)

    def _faded(self, candidate: ForgettingCandidate) -> bool:
        below = threshold(candidate.kind, candidate.confidence)
        return retention(candidate.vitals, self.now_us) < below

    def _candidate(self, memory: Memory, ledger: Ledger) -> ForgettingCandidate:
        end_us = retention_end_us(memory, ledger, ledgers_kept=self.ledgers_kept)
        return candidate_of(memory, end_us, self.now_us)


def judged_by(policy: Document | None, now_us: int, *, ledgers_kept: bool) -> Judgement:
    """The judgement by a policy as it is kept."""
    since_us = policy.update_time_us if policy else 0
    return Judgement(policy_of(policy), since_us, now_us, ledgers_kept)


async def judgement_of(hold: PhaseContext) -> Judgement:
    """The judgement of a phase that begins."""
    found = await hold.store.documents(Collection.POLICY, "", 1)
    kept = hold.rules.ledgers_kept
    return judged_by(found[0] if found else None, hold.now_us(), ledgers_kept=kept)


@dataclass(frozen=True, slots=True)
class LetFade:
    """Archives what may go, and removes what was archived long ago; `session_ids` are theirs.

    A fact that gives another one its end stays archived for as long as that one is there: without
    it, the other would be known to have held longer than it did. `lines` are those of the facts.

    What is removed goes with its vector, edges and membership. What was learned leaves a
    tombstone, so that it is not learned again; a drawer's event keeps its digest, so that it is
    known when it is sent again.
    """

    memory_ids: Sequence[str]
    session_ids: Sequence[str]
    ledgers_kept: bool
    lines: tuple[LineWanted, ...] = ()

    def wanted(self) -> ReadSet:
        """The memories, the policy, the lines, and what is known of the drawers' ledgers."""
        return ReadSet(
            memories=tuple(self.memory_ids),
            sessions=tuple(self.session_ids),
            work=ledger_keys(self.session_ids),
            documents=(POLICY_KEY,),
            lines=self.lines,
        )

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[Mapping[str, int]]:
        """Judge each by what is so now."""
        policy = seen.documents.get(POLICY_KEY)
        judge = judged_by(policy, stamp.now_us, ledgers_kept=self.ledgers_kept)
        archived: list[str] = []
        removed: list[Memory] = []
        for memory in (seen.memories[one] for one in self.memory_ids if one in seen.memories):
            ledger = ledger_seen(seen, memory.session_id)
            if judge.archives(memory, ledger):
                archived.append(memory.memory_id)
            elif judge.removes(memory, ledger) and stands_on(memory, self.lines):
                removed.append(memory)
        facts = FactErasure(seen, stamp, judge.policy.predicates)
        removed = facts.ending_nothing(removed)
        for memory in removed:
            facts.remove(memory)
        counts = Counter({"archived": len(archived), "removed": len(removed)})
        return Decision(+counts, _faded(archived, removed, facts.settled()))


def _faded(archived: Sequence[str], removed: Sequence[Memory], settled: WriteSet) -> WriteSet:
    return replace(
        settled,
        archived_memories=tuple(archived),
        deleted_memories=tuple(memory.memory_id for memory in removed),
        tombstones=tuple(
            tombstone_of(memory) for memory in removed if memory.kind is not Kind.EPISODIC
        ),
    )
