"""A run: memories that a model can improve, a page at a time, until so many were asked about.

Memory keeps the place up to which they were asked about, so that a run which was broken off is gone
on with by the next: what was written says so itself, and the rest of one page is asked once more.
What the model cannot say is not asked again; where it does not answer at all, the run ends and says
why.
"""

from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing

from anamnesis_cluster.refinement.asking import Asker
from anamnesis_cluster.refinement.model import Asked, Refined, Unrefined
from anamnesis_cluster.refinement.ports import Refinements
from anamnesis_cluster.runs import CUT_OFF, Ended, Run, kept
from anamnesis_libs.errors import AnamnesisError, AnswerMalformed, ModelRefused, PromptTooLong
from anamnesis_libs.logs import Logger, failure_fields

PAGE_MAX = 50
Told = Asked | Ended
AskerOf = Callable[[str], Awaitable[Asker]]


class Refiner:
    """Runs in one namespace: on demand, and where one is due."""

    def __init__(
        self,
        memory: Refinements,
        asker_of: AskerOf | None,
        memories_max: int,
        lease_s: float,
        again_s: int,
        logger: Logger,
    ) -> None:
        """Without `asker_of` there is no model, and no run.

        A run asks about `memories_max` memories; what is left or failed is due again after
        `again_s`.
        """
        self._memory = memory
        self._asker_of = asker_of if memories_max else None
        self._memories_max = memories_max
        self._lease_s = lease_s
        self._again_s = again_s
        self._logger = logger

    @property
    def asks(self) -> bool:
        """True if there is a model that may be asked."""
        return self._asker_of is not None

    async def run(self, namespace: str) -> AsyncGenerator[Told, None]:
        """Run in one namespace; `Ended` is the last.

        Raises:
            NamespaceNotFound: there is no namespace of this name.
        """
        if self._asker_of is None:
            await self._memory.page(namespace, 1)  # there must be such a namespace all the same
            yield Ended()
            return
        run = await self._memory.start(namespace)
        if run is None:
            yield Ended(held=True)
            return
        async with aclosing(self._recorded(run, self._asker_of)) as steps:
            async for told in steps:
                yield told

    async def step(self) -> bool:
        """Run where it is due; True if another run may be."""
        run = await self._memory.start("") if self._asker_of is not None else None
        if run is None or self._asker_of is None:
            return False
        async for _ in self._recorded(run, self._asker_of):
            pass
        return True

    async def _recorded(self, run: Run, asker_of: AskerOf) -> AsyncGenerator[Told, None]:
        """A run under its claim, recorded however it ends."""
        asker = await asker_of(run.namespace)
        cycle = _Cycle(self._memory, asker, run, self._memories_max)
        reason = CUT_OFF
        try:
            async with (
                kept(run, self._memory.renew, self._lease_s, self._logger),
                aclosing(cycle.steps()) as steps,
            ):
                async for told in steps:
                    yield told
            reason = ""
        except AnamnesisError as error:
            reason = error.reason
            fields = failure_fields(error, with_text=False)
            self._logger.warning("cluster.refine", namespace=run.namespace, **fields)
        finally:
            counts = dict(+cycle.counts)
            next_s = self._again_s if reason or cycle.more else 0
            tokens = asker.usage.tokens
            await self._memory.finish(run, counts, tokens, reason, next_s)
        yield Ended(run.run_id, counts, tokens, reason)


class _Cycle:
    """The pages and questions of one run."""

    def __init__(self, memory: Refinements, asker: Asker, run: Run, memories_max: int) -> None:
        self._memory = memory
        self._asker = asker
        self._run = run
        self._left = memories_max
        self.counts: Counter[str] = Counter()
        self.more = False
        """True if a run soon may do more."""

    async def steps(self) -> AsyncGenerator[Asked, None]:
        """Ask about the next memories, and write each answer at once.

        Raises:
            ModelUnavailable, BudgetExhausted: nobody can be asked now; what was written stays.
            LeaseLost: somebody else has the run by now.
        """
        asked = 0
        self.more = True
        while self._left > 0 and self.more:
            page = await self._memory.page(self._run.namespace, min(PAGE_MAX, self._left))
            for batch in self._asker.batches(page.memories):
                await self._record(await self._refined(batch), "")
                asked += len(batch)
                yield Asked(asked)
            if page.through:
                await self._record((), page.through)
            self._left -= len(page.memories)
            self.more = page.more

    async def _refined(self, batch: Sequence[Unrefined]) -> Sequence[Refined]:
        """Return what the model says; nothing of a question that it cannot answer."""
        try:
            return await self._asker.refined(batch)
        except (AnswerMalformed, ModelRefused, PromptTooLong):
            return [Refined(one) for one in batch]

    async def _record(self, refined: Sequence[Refined], through: str) -> None:
        self.counts["refused"] += sum(one.missed for one in refined)
        said = [one for one in refined if one.importance is not None or one.summary or one.overview]
        if not said and not through:
            return
        recorded = await self._memory.record(self._run, self._asker.model, said, through)
        self.counts["weighed"] += recorded.weighed
        self.counts["worded"] += recorded.worded
        self.counts["refused"] += recorded.refused
        self.counts["changed"] += recorded.changed
