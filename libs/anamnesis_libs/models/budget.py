"""A chat model within a namespace's budget of the hour; what is spent is reported.

The accounts are kept elsewhere. Between a look at them and the report of a call other calls may
run, so a budget can be exceeded by what is under way at that moment, and by no more.
"""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from anamnesis_libs import logs
from anamnesis_libs.clock import Clock, SystemClock
from anamnesis_libs.errors import AnamnesisError, BudgetExhausted
from anamnesis_libs.models.chat import (
    ChatAnswer,
    ChatModel,
    ChatRequest,
    ChatUsage,
    Purpose,
    usage_of,
)

NAMESPACES_MAX = 1024
"""Namespaces whose unreported usage is held; of the others nothing is left to report."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The budget left in this hour; None means no bound."""

    calls_left: int | None
    tokens_left: int | None
    turns: datetime
    """The time at which the next hour begins."""


class Accounts(Protocol):
    """Budgets of namespaces, and what they have spent."""

    async def left(self, namespace: str) -> Budget:
        """The budget that a namespace has left in this hour.

        Raises:
            AnamnesisError: not known now; then nothing may be spent.
        """
        ...

    async def report(self, namespace: str, purpose: Purpose, usage: ChatUsage) -> None:
        """Add to what a namespace has spent.

        Raises:
            AnamnesisError: not noted; it will be reported again.
        """
        ...


class Budgeted:
    """A `ChatModel` for one namespace, over one that all share."""

    def __init__(
        self, model: ChatModel, accounts: Accounts, namespace: str, clock: Clock | None = None
    ) -> None:
        self._model = model
        self._accounts = accounts
        self._namespace = namespace
        self._clock = clock or SystemClock()
        self._under_way = 0
        self._unreported: dict[Purpose, ChatUsage] = {}
        self._reports: set[asyncio.Task[None]] = set()
        self._logger = logs.logger("models")

    @property
    def name(self) -> str:
        """The model's."""
        return self._model.name

    async def ask(self, request: ChatRequest) -> ChatAnswer:
        """As in `ChatModel`; the usage is reported however the call ends, even when cancelled.

        An answer is not withheld because its report failed: it is reported with the next.

        Raises:
            BudgetExhausted: calls or tokens of the hour are used up; nothing was sent.
            AnamnesisError: as the accounts or the model raise it.
        """
        await self._check()
        self._under_way += 1
        try:
            answer = await self._asked(request)
        finally:
            self._under_way -= 1
        await self._report(request.purpose, answer.usage)
        return answer

    async def close(self) -> None:
        """Report what is not yet; the model is closed by who opened it."""
        await asyncio.gather(*self._reports)
        for purpose in tuple(self._unreported):
            await self._report(purpose, ChatUsage())

    async def _asked(self, request: ChatRequest) -> ChatAnswer:
        try:
            return await self._model.ask(request)
        except BaseException as error:
            await self._report(request.purpose, _spent_by(error))
            raise

    async def _check(self) -> None:
        budget = await self._accounts.left(self._namespace)
        unreported = sum(self._unreported.values(), ChatUsage())
        spoken_for = unreported.calls + self._under_way
        if budget.calls_left is not None and budget.calls_left <= spoken_for:
            raise self._exhausted("calls", budget)
        if budget.tokens_left is not None and budget.tokens_left <= unreported.tokens:
            raise self._exhausted("tokens", budget)

    def _exhausted(self, what: str, budget: Budget) -> BudgetExhausted:
        left_s = (budget.turns - self._clock.now()).total_seconds()
        return BudgetExhausted(self._namespace, what, budget.turns, max(0.0, left_s))

    async def _report(self, purpose: Purpose, usage: ChatUsage) -> None:
        """Noted at once as spent, then sent; a caller who leaves meanwhile does not stop it."""
        total = self._unreported.get(purpose, ChatUsage()) + usage
        if total == ChatUsage():
            return
        self._unreported[purpose] = total
        task = asyncio.get_running_loop().create_task(self._deliver(purpose))
        self._reports.add(task)
        task.add_done_callback(self._reports.discard)
        await asyncio.shield(task)

    async def _deliver(self, purpose: Purpose) -> None:
        usage = self._unreported.pop(purpose, ChatUsage())
        try:
            await self._accounts.report(self._namespace, purpose, usage)
        except AnamnesisError as error:
            self._unreported[purpose] = self._unreported.get(purpose, ChatUsage()) + usage
            self._logger.warning("models.usage_unreported", reason=error.reason)


class NamespaceBudgets:
    """A chat model that namespaces share, each within its own budget."""

    def __init__(self, model: ChatModel, accounts: Accounts) -> None:
        self._model = model
        self._accounts = accounts
        self._budgeted: OrderedDict[str, Budgeted] = OrderedDict()

    async def of(self, namespace: str) -> Budgeted:
        """The model for a namespace: always the same, since it holds what is not yet reported."""
        budgeted = self._budgeted.get(namespace)
        if budgeted is None:
            budgeted = Budgeted(self._model, self._accounts, namespace)
            self._budgeted[namespace] = budgeted
        self._budgeted.move_to_end(namespace)
        while len(self._budgeted) > NAMESPACES_MAX:
            _, oldest = self._budgeted.popitem(last=False)
            await oldest.close()
        return budgeted

    async def close(self) -> None:
        """Report what is not yet; the model is closed by who opened it."""
        for budgeted in self._budgeted.values():
            await budgeted.close()


def _spent_by(error: BaseException) -> ChatUsage:
    """A cancelled call of a model that does not tell counts as a call."""
    usage = usage_of(error)
    if isinstance(error, asyncio.CancelledError) and not any(
        isinstance(each, ChatUsage) for each in error.args
    ):
        return ChatUsage(calls=1)
    return usage
