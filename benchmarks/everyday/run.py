"""One run: every question of every namespace at every budget, and the plain block beside it."""

from collections.abc import Sequence
from dataclasses import dataclass

from anamnesis_libs.tokens import load_counter
from benchmarks.everyday.client import EverydayClient
from benchmarks.everyday.judging import Verdict, judge
from benchmarks.everyday.questions import Question
from benchmarks.everyday.spaces import Space
from benchmarks.recall.progress import stage


@dataclass(frozen=True, slots=True)
class Outcome:
    """A question with the context that it got, and both verdicts."""

    space: str
    question: Question
    budget: int
    text: str
    token_count: int
    latency_ms: float
    ours: Verdict
    least: Verdict


@dataclass(frozen=True, slots=True)
class Part:
    """All outcomes of one kind of memory."""

    name: str
    outcomes: Sequence[Outcome]


async def ask(
    client: EverydayClient, name: str, spaces: Sequence[Space], budgets: Sequence[int]
) -> Part:
    """Ask every question once a budget, one after the other.

    Raises:
        AnamnesisError: a call fails.
    """
    asked = [(space, question) for space in spaces for question in space.questions]
    outcomes = []
    with stage(f"{name}: contexts built", len(asked) * len(budgets)) as advance:
        for budget in budgets:
            for space, question in asked:
                outcomes.append(await _outcome(client, space, question, budget))
                advance(1)
    return Part(name, outcomes)


async def _outcome(
    client: EverydayClient, space: Space, question: Question, budget: int
) -> Outcome:
    block = await client.build_context(
        space.namespace, question.query, budget, space.revision, caller=space.caller
    )
    plain = await space.least.block(question.query, budget)
    return Outcome(
        space=space.name,
        question=question,
        budget=budget,
        text=block.text,
        token_count=load_counter("o200k_base").count(block.text),
        latency_ms=block.latency_ms,
        ours=judge(question, block.text),
        least=judge(question, plain),
    )
