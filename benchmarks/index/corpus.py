"""Vectors as the suite makes them: of real conversations, and noised copies of those for scale."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from anamnesis_libs.index.port import Rows
from benchmarks.recall import datasets
from benchmarks.recall.embedding import vectors

QUESTIONS_MAX = 200
NOISE = (0.3, 1.0)
"""Length of what is added to a copy of unit length: cosines of .96 to .71 with its original."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """Vectors of unit length: of texts, and of questions that are asked about them."""

    texts: Rows
    questions: Rows

    def grown(self, count: int, seed: int = 0) -> Rows:
        """So many vectors: those of the texts first, then noised copies."""
        generator = np.random.default_rng(seed)
        copies = max(count - len(self.texts), 0)
        picked = self.texts[generator.integers(len(self.texts), size=copies)]
        noise = generator.standard_normal(picked.shape, np.float32)
        lengths = generator.uniform(*NOISE, (copies, 1)).astype(np.float32)
        noise *= lengths / np.linalg.norm(noise, axis=1, keepdims=True)
        noise += picked
        noise /= np.linalg.norm(noise, axis=1, keepdims=True)
        return np.concatenate([self.texts[:count], noise])


def embedded(directory: Path, kept: Path | None) -> Corpus:
    """The corpus of the sets in a directory, by the default model; `kept` saves the next run it.

    Raises:
        DataMissing: a set's file is not there.
    """
    if kept is not None and kept.exists():
        with np.load(kept) as held:
            return Corpus(held["texts"], held["questions"])
    corpus = asyncio.run(_embedded(*_read(directory)))
    if kept is not None:
        with kept.open("wb") as file:
            np.savez(file, texts=corpus.texts, questions=corpus.questions)
    return corpus


async def _embedded(texts: list[str], questions: list[str]) -> Corpus:
    async with vectors("minilm") as model:
        return Corpus(await model.of(texts), await model.of(questions))


def _read(directory: Path) -> tuple[list[str], list[str]]:
    """Every turn once, and some questions of every set."""
    texts: dict[str, None] = {}
    questions = []
    for name in datasets.NAMES:
        for conversation in datasets.load(name, directory).conversations:
            texts |= {turn.text: None for each in conversation.sessions for turn in each.turns}
            questions += [question.text for question in conversation.questions]
    return list(texts), questions[:: max(len(questions) // QUESTIONS_MAX, 1)][:QUESTIONS_MAX]
