"""A model's judgement on the test server: beside the rules, never instead of them."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from anamnesis_ingestion.trajectory.judge import ModelJudge, shown
from anamnesis_ingestion.trajectory.measures import TaskType
from anamnesis_ingestion.trajectory.rules import RulesLabeller
from anamnesis_libs.errors import AnswerMalformed, ModelUnavailable
from anamnesis_libs.models.chat import Json
from anamnesis_libs.models.openai_chat import OpenAIChat
from anamnesis_libs.tokens import TiktokenCounter
from tests.support import openai_server as fake
from tests.support.chat_models import chat_on
from tests.support.ledger_events import conversation
from tests.support.openai_server import OpenAIServer

EVENTS = conversation("user: Fix the test.", "call: bash {}", "tool: 3 passed", "assistant: Fixed.")
NAMES = ("goal_reached", "tool_use", "error_handling", "user_alignment", "efficiency")


def _measure(value: float | None, *evidence: int) -> dict[str, Json]:
    return {"value": value, "evidence": list[Json](evidence), "reason": "because"}


def _answer(value: float | None, *evidence: int) -> fake.Json:
    return {"task_type": "debugging", **{name: _measure(value, *evidence) for name in NAMES}}


@pytest_asyncio.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with fake.openai_server() as listening:
        yield listening


@pytest_asyncio.fixture
async def model(server: OpenAIServer) -> AsyncIterator[OpenAIChat]:
    async with chat_on(server) as connected:
        yield connected


@pytest.fixture
def judge(model: OpenAIChat, counter: TiktokenCounter) -> ModelJudge:
    return ModelJudge(model, counter, 4000)


async def test_both_scores_stand_in_the_document_and_their_mean_is_the_score(
    server: OpenAIServer, judge: ModelJudge
) -> None:
    server.chat.answer("label_trajectory", {**_answer(0.5, 3), "efficiency": _measure(None)})
    by_rules = await RulesLabeller().measure(EVENTS)
    both = await judge.measure(EVENTS)
    assert both.task_type is TaskType.DEBUGGING
    assert both.score == pytest.approx((by_rules.score + 0.5) / 2)
    assert both.document["measures"] == by_rules.document["measures"]
    assert both.document["summary"] == {
        "overall_score": round(both.score, 4),
        "task_type": "debugging",
        "labeller": judge.name,
        "rules_score": round(by_rules.score, 4),
        "judge_score": 0.5,
    }
    assert set(server.spent) == {"label"}


async def test_evidence_is_told_by_index_and_only_of_events_that_exist(
    server: OpenAIServer, judge: ModelJudge
) -> None:
    server.chat.answer("label_trajectory", _answer(1.0, 4, 3, 0, 5, -1, 999))
    document = (await judge.measure(EVENTS)).document
    assert isinstance(document["judge"], dict)
    measures = document["judge"]["measures"]
    assert isinstance(measures, list)
    assert [m["evidence"] for m in measures if isinstance(m, dict)] == [[2, 3]] * len(NAMES)


@pytest.mark.parametrize("value", [1.5, -0.1])
async def test_a_value_out_of_range_is_refused(
    server: OpenAIServer, judge: ModelJudge, value: float
) -> None:
    server.chat.answer("label_trajectory", _answer(value))
    with pytest.raises(AnswerMalformed):
        await judge.measure(EVENTS)


async def test_a_judge_that_measures_nothing_is_refused(
    server: OpenAIServer, judge: ModelJudge
) -> None:
    server.chat.answer("label_trajectory", _answer(None))
    with pytest.raises(AnswerMalformed):
        await judge.measure(EVENTS)


async def test_a_server_that_fails_leaves_the_segment_unmeasured(
    server: OpenAIServer, judge: ModelJudge
) -> None:
    server.faults += [fake.status(503)] * 6
    with pytest.raises(ModelUnavailable):
        await judge.measure(EVENTS)


def test_of_a_task_over_the_budget_beginning_and_end_are_shown(counter: TiktokenCounter) -> None:
    events = conversation(*(f"user: message {number} of many" for number in range(40)))
    text = shown(events, counter, 100)
    assert text.startswith("[1] user: message 0 of many\n[2] ")
    assert text.endswith("[40] user: message 39 of many\n")
    assert "[20]" not in text
    assert counter.count(text) <= 100
