"""Forgetting: what has faded is archived, and removed a month later, as the policy says."""

from collections import Counter
from collections.abc import AsyncGenerator, Mapping, Sequence

from anamnesis_memory.knowledge.assert_fact import lines_wanted
from anamnesis_memory.knowledge.erasing import fact_of
from anamnesis_memory.maintenance.candidates import Ledger, Ledgers, ledger_of, sessions_of
from anamnesis_memory.maintenance.fading import Judgement, LetFade, judgement_of
from anamnesis_memory.maintenance.phase_context import PhaseContext
from anamnesis_memory.model.memory import Memory, MemoryFilter
from anamnesis_memory.model.progress import Progress

STAGE = "forget"


async def forget(hold: PhaseContext) -> AsyncGenerator[Progress, None]:
    """Look at every memory, those archived included; let go of some, count what is protected.

    Raises:
        LeaseLost: somebody else has the phase.
    """
    total = sum((await hold.store.counts()).by_kind.values())
    judge, ledgers, read = await judgement_of(hold), Ledgers(hold.store), 0
    async for memories in hold.memories(MemoryFilter(include_archived=True)):
        known = await ledgers.of(memories)
        hold.count(_protected(judge, memories, known))
        for batch in hold.batches(_going(judge, memories, known)):
            ids = [memory.memory_id for memory in batch]
            lines = lines_wanted(filter(fact_of, batch), judge.policy.predicates)
            await hold.change(LetFade(ids, sessions_of(batch), judge.ledgers_kept, lines))
        read += len(memories)
        yield Progress(STAGE, min(read, total), total)


def _going(
    judge: Judgement, memories: Sequence[Memory], known: Mapping[str, Ledger]
) -> list[Memory]:
    return [
        memory
        for memory in memories
        if judge.archives(memory, ledger_of(known, memory))
        or judge.removes(memory, ledger_of(known, memory))
    ]


def _protected(
    judge: Judgement, memories: Sequence[Memory], known: Mapping[str, Ledger]
) -> Counter[str]:
    """Counts of memories that only a protection keeps: in all, and by protection."""
    why = (judge.protects(memory, ledger_of(known, memory)) for memory in memories)
    counts = Counter(f"protected_{one.value}" for one in why if one is not None)
    if counts:
        counts["protected"] = counts.total()
    return counts
