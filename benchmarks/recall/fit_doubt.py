"""`python -m benchmarks.recall.fit_doubt`: fits what a context doubts, and prints the figures.

Each conversation of `locomo`, and the beginning of each, is asked the questions that it answers,
and those of every other one with the names of its own speakers put in. A logistic regression, drawn
to zero, tells them apart by the features of
`services/retrieval/anamnesis_retrieval/context/doubt.py`; its figures, rounded, are those printed.
What they are worth is said by leaving one conversation out: its questions are judged by what the
others gave, the least that is told among it. So it is said without each feature.
"""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path

import click
import numpy as np
from grpc import aio
from numpy.typing import NDArray

from anamnesis_retrieval.context.asked import read_prompt
from anamnesis_retrieval.context.doubt import FEATURES, is_judged, values
from anamnesis_retrieval.context.hits import context_hits
from anamnesis_retrieval.context.request import ContextRequest
from benchmarks.options import data_option
from benchmarks.recall import datasets
from benchmarks.recall.client import Client, channel_to
from benchmarks.recall.conversations import Conversation, Dataset
from benchmarks.recall.loading import Loaded, each, load
from benchmarks.recall.silence import BUDGET, find, strangers_to
from benchmarks.recall.suite import running_suite

DRAWN = 3.0
"""The strength with which weights of standardised features are drawn to zero."""
STEPS = 20
BEGINNINGS = (110, 140, 180, 240, 300)
"""Turns from which no further session of a conversation is in its beginning."""
EMPTIED = 0.035
"""The share of answerable questions that may be doubted."""
EMPTIED_SHOWN = (0.01, 0.02, 0.03, 0.035, 0.04, 0.06, 0.1)

Row = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Judged:
    """A question that a conversation was asked, by the values of the features."""

    conversation: str
    answerable: bool
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Fitted:
    """The figures fitted: usual values, weights of each unit, log-odds at the usual values."""

    usual: Row
    weights: Row
    at_usual: float

    def odds(self, asked: Sequence[Judged]) -> Row:
        """The log-odds that each question is answerable, of as many strangers' questions."""
        found: Row = (_table(asked) - self.usual) @ self.weights + self.at_usual
        return found


def fit(asked: Sequence[Judged]) -> Fitted:
    """Fit by Newton's method; both kinds of questions weigh the same."""
    table, right = _table(asked), np.array([one.answerable for one in asked], float)
    usual, spread = table.mean(axis=0), table.std(axis=0) + 1e-9
    rows = np.c_[(table - usual) / spread, np.ones(len(table))]
    share = np.where(right, right.mean(), 1 - right.mean())
    counts = 0.5 / share
    drawn = np.array([DRAWN] * len(usual) + [0.0])
    weights = np.zeros(rows.shape[1])
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (counts * (likely - right)) + drawn * weights
        bend = (rows * (counts * likely * (1 - likely))[:, None]).T @ rows + np.diag(drawn)
        weights = weights - np.linalg.solve(bend, slope)
    return Fitted(usual, weights[:-1] / spread, float(weights[-1]))


def _table(asked: Sequence[Judged]) -> Row:
    return np.array([one.values for one in asked])


def least_told(odds: Row, asked: Sequence[Judged], emptied: float) -> float:
    """The log-odds below which so many of the answerable questions are."""
    return float(np.quantile(odds[[one.answerable for one in asked]], emptied))


def left_out(asked: Sequence[Judged], emptied: float) -> dict[bool, float]:
    """The per cent that is doubted of both kinds, each conversation judged by the others."""
    doubted: dict[bool, list[bool]] = {True: [], False: []}
    for name in dict.fromkeys(one.conversation for one in asked):
        own = [one for one in asked if one.conversation == name]
        others = [one for one in asked if one.conversation != name]
        fitted = fit(others)
        least = least_told(fitted.odds(others), others, emptied)
        for one, odds in zip(own, fitted.odds(own), strict=True):
            doubted[one.answerable].append(bool(odds < least))
    return {kind: 100 * float(np.mean(found)) for kind, found in doubted.items()}


async def judged_of(
    channel: aio.Channel, loaded: Loaded, others: Sequence[Conversation]
) -> list[Judged]:
    """Every question that a conversation is asked and that is judged at all."""

    async def judge(prompt: tuple[bool, str]) -> Judged | None:
        answerable, text = prompt
        found = await find(channel, loaded, text)
        asked = read_prompt(text, found.scope)
        hits = context_hits(found, ContextRequest(text, BUDGET))
        if not hits or asked.is_talk or not is_judged(asked, found.scope):
            return None
        return Judged(
            loaded.conversation.conversation_id, answerable, values(asked, found.scope, hits)
        )

    prompts = list(_prompts(loaded.conversation, others))
    return [one for one in await each(prompts, judge) if one is not None]


def _prompts(own: Conversation, others: Sequence[Conversation]) -> Iterator[tuple[bool, str]]:
    yield from ((True, question.text) for question in own.questions)
    for other in others:
        yield from ((False, text) for text in strangers_to(own, other))


async def questions(address: str, data_dir: Path) -> list[Judged]:
    """Every question of the set to every conversation."""
    async with channel_to(address) as channel:
        whole = datasets.load("locomo", data_dir)
        found = []
        for dataset in (whole, _beginnings(whole)):
            loaded = await load(Client(channel), dataset, learn=False)
            for one in loaded:
                others = [other.conversation for other in loaded if other is not one]
                found += await judged_of(channel, one, others)
        return found


def _beginnings(whole: Dataset) -> Dataset:
    """The first sessions of each conversation, and the questions that they answer."""
    begun = map(_beginning, whole.conversations, BEGINNINGS)
    return replace(whole, name=f"{whole.name}-begun", conversations=list(begun))


def _beginning(conversation: Conversation, turns: int) -> Conversation:
    before = accumulate((len(one.turns) for one in conversation.sessions), initial=0)
    kept = [one for one, count in zip(conversation.sessions, before, strict=False) if count < turns]
    begun = replace(conversation, sessions=kept)
    there = set(begun.session_of)
    answered = [one for one in begun.questions if one.evidence and there.issuperset(one.evidence)]
    return replace(begun, questions=answered)


def print_fitted(asked: Sequence[Judged]) -> None:
    """Print the curve of both kinds, and the figures of all conversations together."""
    for emptied in EMPTIED_SHOWN:
        doubted = left_out(asked, emptied)
        print(
            f"{100 * emptied:.1f} % of the others' answerable questions: "
            f"{doubted[True]:.1f} % of its own, {doubted[False]:.1f} % of strangers'"
        )
    for place, feature in enumerate(FEATURES):
        doubted = left_out([_without(one, place) for one in asked], EMPTIED)
        print(f"without {feature}: {doubted[True]:.1f} %, {doubted[False]:.1f} %")
    fitted = fit(asked)
    least = least_told(fitted.odds(asked), asked, EMPTIED)
    for feature, usual, weight in zip(FEATURES, fitted.usual, fitted.weights, strict=True):
        print(f'    Feature("{feature}", {usual:.3f}, {weight:.3f}),')
    print(f"at_usual = {fitted.at_usual - least:.3f}")


def _without(one: Judged, place: int) -> Judged:
    return replace(one, values=one.values[:place] + one.values[place + 1 :])


@click.command()
@data_option("the conversations of locomo")
@click.option("--server", metavar="HOST:PORT", help="A running suite (default: one of its own).")
def main(data_dir: Path, server: str | None) -> None:
    """Fit what a context doubts, and print it beside what it is worth."""
    with nullcontext(server) if server else running_suite("bilingual") as address:
        print_fitted(asyncio.run(questions(address, data_dir)))


if __name__ == "__main__":
    main()
