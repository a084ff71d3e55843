"""The embedder of a namespace whose vectors cost money: within the hour's budget, and counted.

Who has spent the budget gets no vectors until the hour turns: texts wait as if the model did not
answer, and searches go by words. Between a look at the budget and the count of a call others may
run, so that a budget can be exceeded by what is under way at that moment, and by no more.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from anamnesis_libs.clock import Clock, micros
from anamnesis_libs.errors import ModelUnavailable
from anamnesis_libs.models.chat import Purpose
from anamnesis_libs.models.ports import Embedder, Matrix, Readings
from anamnesis_libs.tokens import TokenCounter
from anamnesis_memory.memories.report_usage import ReportUsage
from anamnesis_memory.model.usage import Budget, HourUsage, hour_of
from anamnesis_memory.ports import NamespaceStore


@dataclass(frozen=True, slots=True)
class Meter:
    """A counter of the calls of an embedder that costs money."""

    budget: Budget
    counter: TokenCounter
    clock: Clock

    def of(self, embedder: Embedder, store: NamespaceStore) -> Embedder:
        """The embedder, counted in the store of the namespace that asks."""
        return MeteredEmbedder(embedder, store, self)


class MeteredEmbedder:
    """An `Embedder` for one namespace, over one that all share."""

    def __init__(self, embedder: Embedder, store: NamespaceStore, meter: Meter) -> None:
        self._embedder = embedder
        self._store = store
        self._meter = meter

    @property
    def model(self) -> str:
        """The embedder's."""
        return self._embedder.model

    @property
    def dimension(self) -> int:
        """The embedder's."""
        return self._embedder.dimension

    @property
    def reads_tokens(self) -> bool:
        """The embedder's."""
        return self._embedder.reads_tokens

    async def embed(self, texts: Sequence[str]) -> Matrix:
        """Return a row for each text; see `read`."""
        return (await self.read(texts)).rows

    async def read(self, texts: Sequence[str]) -> Readings:
        """Return what the embedder makes of each text; the call and its tokens are counted.

        Raises:
            ModelUnavailable: the model does not answer, or the budget of the hour is spent.
        """
        hour_us = hour_of(micros(self._meter.clock.now()))
        await self._check(hour_us)
        made = await self._embedder.read(texts)
        count = self._meter.counter.count
        tokens = await asyncio.to_thread(lambda: sum(map(count, texts)))
        spent = HourUsage(hour_us, Purpose.EMBED.value, 1, tokens, 0)
        await self._store.commit(ReportUsage((spent,)))
        return made

    async def close(self) -> None:
        """Nothing: the embedder is closed by who opened it."""

    async def _check(self, hour_us: int) -> None:
        used = await self._store.usage(hour_us)
        left = self._meter.budget.left(one for one in used if one.hour_us == hour_us)
        if not (left.calls_max and left.tokens_max):
            raise ModelUnavailable(
                "the namespace has spent what models may cost it in this hour; see "
                "budgets.model_calls_per_hour_max and budgets.model_tokens_per_hour_max"
            )
