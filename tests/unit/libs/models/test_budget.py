"""Tests of models/budget.py: nothing is sent beyond a budget, all that is spent is told."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest
import pytest_asyncio

from anamnesis_libs.errors import (
    AnamnesisError,
    AnswerMalformed,
    BudgetExhausted,
    ModelRefused,
    ModelUnavailable,
    PeerUnavailable,
    PromptTooLong,
)
from anamnesis_libs.models.budget import Budget, Budgeted, NamespaceBudgets
from anamnesis_libs.models.chat import ChatAnswer, ChatRequest, ChatUsage, Purpose
from anamnesis_libs.models.openai_chat import OpenAIChat
from tests.support import openai_chat_script as script
from tests.support import openai_server as fake
from tests.support.accounts import InMemoryAccounts
from tests.support.chat_models import chat_on, request_for
from tests.support.clock import SetClock
from tests.support.openai_server import Fault, OpenAIServer

REQUEST = request_for("Ann: tea, please.")


@pytest_asyncio.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with fake.openai_server() as listening:
        listening.chat.answer("extract_facts", {"facts": ["tea"]})
        yield listening


@pytest_asyncio.fixture
async def model(server: OpenAIServer) -> AsyncIterator[OpenAIChat]:
    async with chat_on(server, input_tokens_max=100) as connected:
        yield connected


@pytest.fixture
def clock() -> SetClock:
    return SetClock(datetime(2026, 3, 1, 12, 50, tzinfo=UTC))


@pytest.fixture
def accounts(clock: SetClock) -> InMemoryAccounts:
    return InMemoryAccounts(clock)


async def test_an_answer_passes_and_its_usage_is_reported(
    server: OpenAIServer, model: OpenAIChat, accounts: InMemoryAccounts
) -> None:
    budgeted = Budgeted(model, accounts, "team-a")
    answer = await budgeted.ask(REQUEST)
    await budgeted.ask(replace(REQUEST, purpose=Purpose.LABEL))
    assert answer.data == {"facts": ["tea"]}
    assert budgeted.name == model.name
    spent = answer.usage
    assert accounts.usage == {"team-a": {Purpose.EXTRACT: spent, Purpose.LABEL: spent}}
    assert spent + spent == server.spent["extract"]


@pytest.mark.parametrize(
    ("faults", "error"),
    [
        ([fake.status(500)] * 3, ModelUnavailable),
        ([script.refusal], ModelRefused),
        ([script.half_document] * 2, AnswerMalformed),
        ([script.length], AnswerMalformed),
    ],
    ids=["unavailable", "refused", "malformed", "cut short"],
)
async def test_a_call_that_failed_is_reported_with_what_it_spent(
    server: OpenAIServer,
    model: OpenAIChat,
    accounts: InMemoryAccounts,
    faults: list[Fault],
    error: type[AnamnesisError],
) -> None:
    server.faults += faults
    with pytest.raises(error):
        await Budgeted(model, accounts, "team-a").ask(REQUEST)
    assert accounts.usage["team-a"] == {Purpose.EXTRACT: server.spent["extract"]}


async def test_what_was_not_sent_is_not_reported(
    model: OpenAIChat, accounts: InMemoryAccounts
) -> None:
    with pytest.raises(PromptTooLong):
        await Budgeted(model, accounts, "team-a").ask(request_for("tea " * 200))
    assert accounts.usage == {}


async def test_a_cancelled_call_is_reported(
    server: OpenAIServer, model: OpenAIChat, accounts: InMemoryAccounts
) -> None:
    server.faults.append(fake.silence(5))
    asked = asyncio.create_task(Budgeted(model, accounts, "team-a").ask(REQUEST))
    await server.arrived(1)
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    told = accounts.usage["team-a"][Purpose.EXTRACT]
    assert (told.calls, told.output_tokens) == (1, 0)
    assert told.input_tokens == server.spent["extract"].input_tokens


async def test_a_time_limit_around_a_call_works_as_ever(
    server: OpenAIServer, model: OpenAIChat, accounts: InMemoryAccounts
) -> None:
    server.faults.append(fake.silence(5))
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.3):
            await Budgeted(model, accounts, "team-a").ask(REQUEST)
    assert accounts.usage["team-a"][Purpose.EXTRACT].calls == 1


class Silent:
    """A model that never answers and, cancelled, does not tell what it spent."""

    name = "silent"

    async def ask(self, request: ChatRequest) -> ChatAnswer:
        await asyncio.Event().wait()
        raise AssertionError

    async def close(self) -> None: ...


async def test_a_cancelled_call_that_does_not_tell_counts_as_one(
    accounts: InMemoryAccounts,
) -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await Budgeted(Silent(), accounts, "team-a").ask(REQUEST)
    assert accounts.usage == {"team-a": {Purpose.EXTRACT: ChatUsage(1)}}


@pytest.mark.parametrize("what", ["calls", "tokens"])
async def test_a_budget_used_up_refuses_before_anything_is_sent_until_the_hour_turns(
    server: OpenAIServer, model: OpenAIChat, clock: SetClock, what: str
) -> None:
    accounts = InMemoryAccounts(clock, **{f"{what}_max": 2})
    budgeted = Budgeted(model, accounts, "team-a", clock)
    for _ in range(2 if what == "calls" else 1):
        await budgeted.ask(REQUEST)
    sent = len(server.requests)
    with pytest.raises(BudgetExhausted, match=f"model {what} of this hour are used up") as caught:
        await budgeted.ask(REQUEST)
    assert "turns at 2026-03-01T13:00:00+00:00" in caught.value.message
    assert caught.value.retry_after_s == 600
    assert caught.value.metadata["budget"] == what
    assert len(server.requests) == sent
    await Budgeted(model, accounts, "team-b", clock).ask(REQUEST)
    clock.move(seconds=600)
    await budgeted.ask(REQUEST)
    assert len(server.requests) == sent + 2


async def test_namespaces_share_a_model_and_not_a_budget(
    model: OpenAIChat, accounts: InMemoryAccounts
) -> None:
    budgets = NamespaceBudgets(model, accounts)
    accounts.failures = 1
    for namespace in ("team-a", "team-b"):
        await (await budgets.of(namespace)).ask(REQUEST)
    assert accounts.usage.keys() == {"team-b"}
    assert await budgets.of("team-a") is await budgets.of("team-a"), "it holds what is unreported"
    await budgets.close()
    assert {name: sum(u.calls for u in of.values()) for name, of in accounts.usage.items()} == {
        "team-a": 1,
        "team-b": 1,
    }


async def test_calls_under_way_count(
    server: OpenAIServer, model: OpenAIChat, clock: SetClock
) -> None:
    budgeted = Budgeted(model, InMemoryAccounts(clock, calls_max=3), "team-a", clock)
    answers = await asyncio.gather(
        *(budgeted.ask(REQUEST) for _ in range(8)), return_exceptions=True
    )
    refused = [each for each in answers if isinstance(each, BudgetExhausted)]
    assert len(refused) == 5
    assert len(server.requests) == 3


async def test_an_answer_is_not_withheld_when_its_report_fails_and_the_next_makes_good(
    server: OpenAIServer, model: OpenAIChat, accounts: InMemoryAccounts
) -> None:
    accounts.failures = 2
    budgeted = Budgeted(model, accounts, "team-a")
    for _ in range(3):
        assert (await budgeted.ask(REQUEST)).data == {"facts": ["tea"]}
    assert accounts.usage["team-a"] == {Purpose.EXTRACT: server.spent["extract"]}


async def test_what_is_not_yet_reported_counts_against_the_budget(
    model: OpenAIChat, clock: SetClock
) -> None:
    accounts = InMemoryAccounts(clock, calls_max=2)
    accounts.failures = 2
    budgeted = Budgeted(model, accounts, "team-a", clock)
    await budgeted.ask(REQUEST)
    await budgeted.ask(REQUEST)
    with pytest.raises(BudgetExhausted):
        await budgeted.ask(REQUEST)


async def test_the_rest_is_reported_at_the_end(
    server: OpenAIServer, model: OpenAIChat, accounts: InMemoryAccounts
) -> None:
    accounts.failures = 1
    budgeted = Budgeted(model, accounts, "team-a")
    await budgeted.ask(REQUEST)
    assert accounts.usage == {}
    await budgeted.close()
    assert accounts.usage["team-a"] == {Purpose.EXTRACT: server.spent["extract"]}
    assert (await model.ask(REQUEST)).data == {"facts": ["tea"]}


async def test_who_leaves_during_a_report_does_not_stop_it(
    server: OpenAIServer, model: OpenAIChat, accounts: InMemoryAccounts
) -> None:
    accounts.open.clear()
    budgeted = Budgeted(model, accounts, "team-a")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.3):
            await budgeted.ask(REQUEST)
    accounts.open.set()
    await budgeted.close()
    assert accounts.usage["team-a"] == {Purpose.EXTRACT: server.spent["extract"]}


class Closed(InMemoryAccounts):
    """Accounts that cannot be asked."""

    async def left(self, namespace: str) -> Budget:
        raise PeerUnavailable("memory does not answer")


async def test_without_a_known_budget_nothing_is_sent(
    server: OpenAIServer, model: OpenAIChat, clock: SetClock
) -> None:
    with pytest.raises(PeerUnavailable):
        await Budgeted(model, Closed(clock), "team-a").ask(REQUEST)
    assert server.requests == []
