"""Budgets and usage of namespaces in this process, by the hour of a clock that tests set."""

import asyncio
from collections import defaultdict
from datetime import datetime, timedelta

from anamnesis_libs.errors import PeerUnavailable
from anamnesis_libs.models.budget import Budget
from anamnesis_libs.models.chat import ChatUsage, Purpose
from tests.support.clock import SetClock


class InMemoryAccounts:
    """`Accounts` with the same limits for every namespace."""

    def __init__(
        self, clock: SetClock, calls_max: int | None = None, tokens_max: int | None = None
    ) -> None:
        self._clock = clock
        self._calls_max = calls_max
        self._tokens_max = tokens_max
        self.failures = 0
        """Reports to come that fail."""
        self.open = asyncio.Event()
        """Reports wait until it is set."""
        self.open.set()
        self.usage: dict[str, dict[Purpose, ChatUsage]] = {}
        """All that was ever reported, by namespace."""
        self._of_hour: defaultdict[tuple[str, datetime], ChatUsage] = defaultdict(ChatUsage)

    async def left(self, namespace: str) -> Budget:
        """What the hour leaves."""
        spent = self._of_hour[namespace, self._hour()]
        return Budget(
            calls_left=_left(self._calls_max, spent.calls),
            tokens_left=_left(self._tokens_max, spent.tokens),
            turns=self._hour() + timedelta(hours=1),
        )

    async def report(self, namespace: str, purpose: Purpose, usage: ChatUsage) -> None:
        """Add it to the hour in which it arrives."""
        await self.open.wait()
        if self.failures:
            self.failures -= 1
            raise PeerUnavailable("memory does not answer")
        of_namespace = self.usage.setdefault(namespace, {})
        of_namespace[purpose] = of_namespace.get(purpose, ChatUsage()) + usage
        self._of_hour[namespace, self._hour()] += usage

    def _hour(self) -> datetime:
        return self._clock.now().replace(minute=0, second=0, microsecond=0)


def _left(most: int | None, spent: int) -> int | None:
    return None if most is None else max(0, most - spent)
