"""The loop that counts uses each second, some hundred memories a write, off any answer's path."""

from anamnesis_libs.errors.not_found import NamespaceNotFound
from anamnesis_libs.logs import failure_fields, logger
from anamnesis_libs.run.loop import Loop
from anamnesis_memory.maintenance.usage.buffer import UsageBuffer, Waiting
from anamnesis_memory.maintenance.usage.count import CountUses, in_parts
from anamnesis_memory.runtime.calls import Calls
from anamnesis_memory.runtime.indexing.faults import outcome_of

EVERY_S = 1.0
MEMORIES_A_WRITE = 300
_LOG = logger("memory.adoption")


class UsageFlusher:
    """Writes down what `Uses` has gathered."""

    def __init__(self, calls: Calls, uses: UsageBuffer) -> None:
        self._calls = calls
        self._uses = uses

    async def step(self) -> bool:
        """Count everything that waits; a namespace that fails holds up no other."""
        for name, waiting in self._uses.take().items():
            outcome = await outcome_of(self._count(name, waiting))
            if isinstance(outcome, Exception) and not isinstance(outcome, NamespaceNotFound):
                fields = failure_fields(outcome, with_text=False)
                _LOG.warning("adoption.lost", namespace=name, hits=len(waiting.hits), **fields)
        return False

    async def _count(self, name: str, waiting: Waiting) -> None:
        async with self._calls.reading(name) as opened:
            await self._calls.touched(opened.namespace)
            met = waiting.met
            for part in in_parts(waiting.hits, MEMORIES_A_WRITE):
                own = {pair: times for pair, times in met.items() if pair[0] in part}
                await self._calls.apply(opened, CountUses(part, own))


def usage_loop(flusher: UsageFlusher) -> Loop:
    """Uses are counted each second."""
    return Loop("memory.adoption", every_s=EVERY_S, step=flusher.step)
