"""Tiering: memories ranked by use into HOT, WARM and COLD; what is COLD for long is archived."""

import asyncio
from array import array
from collections import Counter
from collections.abc import AsyncGenerator, Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from anamnesis_memory.domain.lifecycle.memory_vitals import vitals_of
from anamnesis_memory.domain.lifecycle.tiers import NEVER_US, TierColumns, newly_hot, tiers
from anamnesis_memory.maintenance.candidates import Ledgers, ledger_of
from anamnesis_memory.maintenance.fading import Judgement, LetFade, judgement_of
from anamnesis_memory.maintenance.phase_context import PhaseContext
from anamnesis_memory.model.memory import Memory, Tier
from anamnesis_memory.model.progress import Progress
from anamnesis_memory.ports import CommitStamp, Decision, ReadSet, ReadView, WriteSet

STAGE = "tier"


@dataclass(frozen=True, slots=True)
class SetTiers:
    """Puts the tiers of some memories; the rest of their vitals stays as it is."""

    tiers: Mapping[str, Tier]

    def wanted(self) -> ReadSet:
        """The memories."""
        return ReadSet(memories=tuple(self.tiers))

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[Mapping[str, int]]:
        """Put it where the memory is still there."""
        vitals = tuple(
            replace(vitals_of(memory), tier=self.tiers[memory_id])
            for memory_id, memory in seen.memories.items()
        )
        return Decision({"tiers_changed": len(vitals)}, WriteSet(vitals=vitals))


@dataclass(slots=True)
class Columns:
    """The columns that rank the active memories; `unused` are archived if they become COLD."""

    before: dict[str, Tier] = field(default_factory=dict)
    hits: "array[int]" = field(default_factory=lambda: array("q"))
    last_hits_us: "array[int]" = field(default_factory=lambda: array("q"))
    unused: dict[str, str] = field(default_factory=dict)

    def add(self, memory: Memory) -> None:
        """Add the row of one memory."""
        self.before[memory.memory_id] = memory.tier
        self.hits.append(memory.hit_count)
        last_us = memory.last_hit_us
        self.last_hits_us.append(NEVER_US if last_us is None else last_us)

    def ranked(self) -> dict[str, Tier]:
        """The tier of each."""
        if not self.before:
            return {}
        hits = np.frombuffer(self.hits, np.int64)
        return tiers(
            TierColumns(tuple(self.before), hits, np.frombuffer(self.last_hits_us, np.int64))
        )


async def rank_tiers(hold: PhaseContext) -> AsyncGenerator[Progress, None]:
    """Rank all, write what changed, archive what lies unused.

    Raises:
        LeaseLost: somebody else has the phase.
    """
    total = (await hold.store.counts()).by_status.get("active", 0)
    judge, ledgers = await judgement_of(hold), Ledgers(hold.store)
    columns = Columns()
    async for memories in hold.memories():
        known = await ledgers.of(memories)
        for memory in memories:
            columns.add(memory)
            if judge.archives_cold(memory, ledger_of(known, memory)):
                columns.unused[memory.memory_id] = memory.session_id
        yield Progress(STAGE, min(len(columns.before), total), total)
    after = await asyncio.to_thread(columns.ranked)
    await _write(hold, columns.before, after)
    await _archive(hold, judge, columns.unused, after)
    yield Progress(STAGE, total, total)


async def _write(hold: PhaseContext, before: Mapping[str, Tier], after: Mapping[str, Tier]) -> None:
    sizes = Counter(tier.value for tier in after.values())
    hold.count({**sizes, "ranked": len(after), "newly_hot": newly_hot(before, after)})
    changed = [memory_id for memory_id, tier in after.items() if before[memory_id] is not tier]
    for batch in hold.batches(changed):
        await hold.change(SetTiers({memory_id: after[memory_id] for memory_id in batch}))


async def _archive(
    hold: PhaseContext, judge: Judgement, unused: Mapping[str, str], after: Mapping[str, Tier]
) -> None:
    going = [memory_id for memory_id in unused if after[memory_id] is Tier.COLD]
    for batch in hold.batches(going):
        sessions = _named(unused[memory_id] for memory_id in batch)
        await hold.change(LetFade(batch, sessions, judge.ledgers_kept))


def _named(session_ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, session_ids)))
