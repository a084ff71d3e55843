"""The labelled lessons of this folder, with their vectors."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from anamnesis_cluster.model import Lesson
from anamnesis_libs.models.factory import load_embedder
from anamnesis_libs.settings import Models

Embedder = Literal["bilingual", "minilm", "static"]
EMBEDDERS: tuple[Embedder, ...] = ("bilingual", "minilm", "static")
FILE = Path(__file__).with_name("lessons.json")


@dataclass(frozen=True, slots=True)
class Labelled:
    """One half of the set: texts, the topic of each, unit vectors, and whose they are."""

    texts: list[str]
    topics: list[str]
    vectors: NDArray[np.float32]
    model: str

    def lesson(self, place: int) -> Lesson:
        """A lesson as the cluster service sees it."""
        return Lesson(
            f"{place:04}",
            "shared",
            self.texts[place],
            vector=self.vectors[place],
            model=self.model,
        )


async def read(half: str, embedder: Embedder) -> Labelled:
    """A half of the set, `dev` or `held`, with the vectors of an embedder."""
    topics = json.loads(FILE.read_text(encoding="utf-8"))[half]
    pairs = [(str(text), str(each["topic"])) for each in topics for text in each["lessons"]]
    texts = [text for text, _ in pairs]
    model = await load_embedder(Models(embedder=embedder))
    try:
        vectors = np.asarray(await model.embed(texts), dtype=np.float32)
    finally:
        await model.close()
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return Labelled(texts, [topic for _, topic in pairs], units, model.model)
