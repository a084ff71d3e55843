"""A run: look at all lessons, decide what may be one, write each decision at once.

Nothing is kept between runs: what was decided is no duplicate any more, or says how often it was
tried, so that a run which was broken off is gone on with by the next. Two lessons of which one was
changed by a merge before are looked at again in a further pass of the same run.
"""

from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable

from anamnesis_cluster.consolidation.model import (
    Decision,
    Duplicate,
    Looked,
    MergeOutcome,
    Verdict,
)
from anamnesis_cluster.consolidation.ports import Duplicates
from anamnesis_cluster.consolidation.wording import Judge
from anamnesis_cluster.runs import CUT_OFF, Ended, Run, kept
from anamnesis_libs.errors import (
    AnamnesisError,
    BudgetExhausted,
    Conflict,
    LeaseLost,
    NotFound,
    Unavailable,
)
from anamnesis_libs.logs import Logger, failure_fields

MERGES_MAX = 50
PASSES_MAX = 8
ASKS_MAX = 200
"""Duplicates that a model is asked about in one run at most."""
NO_MODEL = "no chat model is configured to decide it"
CHANGED = "one of the two has changed meanwhile; it is looked at again in the next run"
BEHIND_ANOTHER = "one of the two would have become one with another before"
Told = Looked | Decision | Ended


class Cycle:
    """One run in one namespace."""

    def __init__(
        self,
        memory: Duplicates,
        judge: Judge | None,
        run: Run | None,
        namespace: str,
        merges_max: int,
    ) -> None:
        """Without a run nothing is written; without a judge what is not certain waits."""
        self._memory = memory
        self._judge = judge
        self._run = run
        self._namespace = namespace
        self._merges_max = merges_max
        self._told: set[tuple[str, str]] = set()
        self._touched: set[str] = set()
        self._asks = 0
        self._silent = ""
        """Why the model is not asked any more."""
        self.counts: Counter[str] = Counter()
        self.lessons = 0

    @property
    def model_tokens(self) -> int:
        """Tokens that the model took."""
        return self._judge.usage.tokens if self._judge else 0

    @property
    def has_more(self) -> bool:
        """True if a run soon may decide more: bounds were reached, or the model did not answer."""
        return bool(self._silent or self.counts["left"])

    async def steps(self) -> AsyncGenerator[Looked | Decision, None]:
        """Decide what may be one, until nothing is left that a merge before has changed.

        Raises:
            LeaseLost: somebody else has the run by now; what was decided stays.
        """
        for _ in range(PASSES_MAX):
            self._touched.clear()
            again = False
            async for duplicate in self._duplicates():
                if duplicate is None:
                    yield Looked(self.lessons, sum(self.counts.values()))
                elif self._is_behind(duplicate):
                    again = True
                elif (decision := await self._decided(duplicate)) is not None:
                    yield decision
            self.lessons = 0
            if not again or self._run is None or self._is_full:
                return

    @property
    def _is_full(self) -> bool:
        return self.counts[MergeOutcome.MERGED] >= self._merges_max

    async def _duplicates(self) -> AsyncIterator[Duplicate | None]:
        """All that may be one, and None behind each page."""
        token = ""
        while True:
            page = await self._memory.page(self._namespace, token)
            for one in page.duplicates:
                if one.key not in self._told:
                    yield one
            self.lessons += page.lessons
            yield None
            token = page.next_token
            if not token:
                return

    def _is_behind(self, duplicate: Duplicate) -> bool:
        """True if one of the two has changed since it was listed."""
        return self._run is not None and not self._touched.isdisjoint(duplicate.key)

    async def _decided(self, duplicate: Duplicate) -> Decision | None:
        """Decide one and write it; None where there is no merge left for it."""
        self._told.add(duplicate.key)
        if self._is_full:
            self.counts["left"] += 1
            return None
        verdict = await self._verdict(duplicate)
        decision = Decision(duplicate, verdict.outcome, verdict.reason)
        if verdict.outcome is not MergeOutcome.WAITING:
            decision = await self._settled(duplicate, verdict)
        if decision.outcome is MergeOutcome.MERGED:
            self._touched.update(duplicate.key)
        self.counts[decision.outcome.value] += 1
        return decision

    async def _verdict(self, duplicate: Duplicate) -> Verdict:
        if reason := self._stands_back(duplicate):
            return Verdict(MergeOutcome.WAITING, reason)
        if duplicate.certain and (self._judge is None or duplicate.similarity >= 1.0):
            return Verdict(MergeOutcome.MERGED)
        if self._judge is None:
            differ = f"; {duplicate.reason}" if duplicate.reason else ""
            return Verdict(MergeOutcome.WAITING, f"{NO_MODEL}{differ}")
        try:
            return await self._asked(self._judge, duplicate)
        except (Unavailable, BudgetExhausted) as error:
            self._silent = f"the model could not be asked: {error.reason}"
            return Verdict(MergeOutcome.WAITING, self._silent)

    def _stands_back(self, duplicate: Duplicate) -> str:
        """Why two lessons cannot be made one now, whoever decides; empty if they can."""
        if duplicate.blocked:
            return duplicate.reason
        behind = self._run is None and not self._touched.isdisjoint(duplicate.key)
        return BEHIND_ANOTHER if behind else ""

    async def _asked(self, judge: Judge, duplicate: Duplicate) -> Verdict:
        """The judge's verdict; it is not asked any more once it did not answer, or so often."""
        if not self._silent and self._asks >= ASKS_MAX:
            self._silent = f"the model was asked {ASKS_MAX} times in this run"
        if self._silent:
            return Verdict(MergeOutcome.WAITING, self._silent)
        self._asks += 1
        return await judge.verdict(duplicate)

    async def _settled(self, duplicate: Duplicate, verdict: Verdict) -> Decision:
        try:
            return await self._memory.settle(self._namespace, self._run, duplicate, verdict)
        except LeaseLost:
            raise
        except (Conflict, NotFound):
            return Decision(duplicate, MergeOutcome.WAITING, CHANGED)


class Consolidator:
    """Runs cycles: on demand, and where one is due."""

    def __init__(
        self,
        memory: Duplicates,
        judge_of: Callable[[str], Awaitable[Judge | None]],
        lease_s: int,
        again_s: int,
        logger: Logger,
    ) -> None:
        """`judge_of` gives the judge of a namespace; what is left is due again after `again_s`."""
        self._memory = memory
        self._judge_of = judge_of
        self._lease_s = lease_s
        self._again_s = again_s
        self._logger = logger

    async def run(
        self, namespace: str, merges_max: int, *, dry_run: bool
    ) -> AsyncGenerator[Told, None]:
        """Run in one namespace; `Ended` is the last.

        Raises:
            NamespaceNotFound: there is no namespace of this name.
        """
        if dry_run:
            cycle = Cycle(
                self._memory, await self._judge_of(namespace), None, namespace, merges_max
            )
            async for step in cycle.steps():
                yield step
            yield Ended("", +cycle.counts, cycle.model_tokens)
            return
        run = await self._memory.start(namespace)
        if run is None:
            yield Ended(held=True)
            return
        async for told in self._recorded(run, merges_max):
            yield told

    async def step(self) -> bool:
        """Run where it is due; True if another run may be."""
        run = await self._memory.start("")
        if run is None:
            return False
        async for _ in self._recorded(run, MERGES_MAX):
            pass
        return True

    async def _recorded(self, run: Run, merges_max: int) -> AsyncGenerator[Told, None]:
        """A run under its claim, recorded however it ends."""
        judge = await self._judge_of(run.namespace)
        cycle = Cycle(self._memory, judge, run, run.namespace, merges_max)
        reason = CUT_OFF
        try:
            async with kept(run, self._memory.renew, self._lease_s, self._logger):
                async for told in cycle.steps():
                    yield told
            reason = ""
        except AnamnesisError as error:
            reason = error.reason
            fields = failure_fields(error, with_text=False)
            self._logger.warning("cluster.consolidate", namespace=run.namespace, **fields)
        finally:
            counts = dict(+cycle.counts)
            next_s = self._again_s if reason or cycle.has_more else 0
            await self._memory.finish(run, counts, cycle.model_tokens, reason, next_s)
        yield Ended(run.run_id, counts, cycle.model_tokens, reason)
