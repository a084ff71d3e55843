"""`python -m benchmarks.recall.fit`: fits the weights of talk between people, and prints them.

Each question of `locomo` gives the candidates that memory found for it, by the terms of the score
that ranking gave them. The weights make the turns that answer likely under a softmax over the
candidates, drawn towards weights chosen by hand, because the conversations are few. What they are
worth is said by leaving one conversation out: its questions are ranked by weights of the others.
The figures, rounded, are those of `SPEAKERS` in
`services/retrieval/anamnesis_retrieval/ranking/rank.py`.
"""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from benchmarks.options import data_option
from benchmarks.recall import candidates, datasets
from benchmarks.recall.candidates import ask_conversation
from benchmarks.recall.client import Client, channel_to
from benchmarks.recall.loading import load
from benchmarks.recall.suite import running_suite

BY_HAND: Mapping[str, float] = {
    "text_window": 2.0,
    "dense": 2.0,
    "dense_window": 2.0,
    "speaker_named": 3.0,
    "length": 1.5,
    "is_question": -2.0,
    "answers_a_match": 0.5,
    "text_and_dense": 0.0,
    "coverage": 0.0,
    "session": 0.0,
    "token_match": 1.5,
    "named_time": 3.0,
}
CANDIDATES = 100
SCALE = 0.3
"""The weights by hand, times this, are about those of a softmax."""
DRAWN = 0.1
"""The strength with which weights are drawn to those chosen by hand."""
STEPS = 20

Row = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question: the values of its candidates by term, and which of them answer it."""

    conversation: str
    values: Row
    answers: NDArray[np.bool_]


def fit(asked: Sequence[Asked]) -> Row:
    """Return the weights by Newton's method, on the scale of those chosen by hand."""
    drawn_to = SCALE * np.array(list(BY_HAND.values()))
    weights = drawn_to.copy()
    taught = [one for one in asked if one.answers.any()]
    for _ in range(STEPS):
        slope = 2 * DRAWN * len(taught) * (weights - drawn_to)
        bend = 2 * DRAWN * len(taught) * np.eye(len(weights))
        for one in taught:
            likely = _softmax(one.values @ weights)
            mean = likely @ one.values
            slope += mean - one.values[one.answers].mean(axis=0)
            bend += one.values.T @ (likely[:, None] * one.values) - np.outer(mean, mean)
        weights = weights - np.linalg.solve(bend, slope)
    return weights / SCALE


def _softmax(scores: Row) -> Row:
    grown = np.exp(scores - scores.max())
    likely: Row = grown / grown.sum()
    return likely


def found_first(asked: Sequence[Asked], weights: Row, first: int) -> float:
    """Return the share of questions, in per cent, with an answer among the first candidates."""
    hits = [one.answers[np.argsort(-one.values @ weights)[:first]].any() for one in asked]
    return 100 * float(np.mean(hits))


def left_out(asked: Sequence[Asked], first: int) -> float:
    """Return the same share where each conversation is ranked by weights of the others."""
    shares = []
    for name in dict.fromkeys(one.conversation for one in asked):
        own = [one for one in asked if one.conversation == name]
        weights = fit([one for one in asked if one.conversation != name])
        shares += [found_first(own, weights, first)] * len(own)
    return float(np.mean(shares))


async def questions(address: str, data_dir: Path) -> list[Asked]:
    """Return every question of the set with what memory finds for it."""
    async with channel_to(address) as channel:
        loaded = await load(Client(channel), datasets.load("locomo", data_dir), learn=False)
        return [
            _asked(one.namespace, question)
            for one in loaded
            for question in await ask_conversation(channel, one, CANDIDATES)
        ]


def _asked(conversation: str, found: candidates.Asked) -> Asked:
    answers = [turn in found.question.evidence for turn, _ in found.turns]
    values = [_values({f.name: f.value for f in hit.factors}) for _, hit in found.turns]
    return Asked(conversation, np.array(values), np.array(answers))


def _values(factors: Mapping[str, float]) -> list[float]:
    return [factors[name] for name in BY_HAND]


@click.command()
@data_option("the conversations of locomo")
@click.option("--server", metavar="HOST:PORT", help="A running suite (default: one of its own).")
def main(data_dir: Path, server: str | None) -> None:
    """Fit the weights, and print them beside what they are worth."""
    with nullcontext(server) if server else running_suite("minilm") as address:
        asked = asyncio.run(questions(address, data_dir))
    by_hand = np.array(list(BY_HAND.values()))
    for first in (1, 5, 10):
        print(
            f"any@{first}: by hand {found_first(asked, by_hand, first):.1f}, "
            f"each conversation left out {left_out(asked, first):.1f}"
        )
    for name, weight in zip(BY_HAND, fit(asked), strict=True):
        print(f"{name:16} {weight:6.2f}")


if __name__ == "__main__":
    main()
