"""An embedder that tests can switch off; its vectors follow the words of a text."""

import asyncio
import hashlib
from collections.abc import Sequence

import numpy as np

from anamnesis_libs.errors import ModelUnavailable
from anamnesis_libs.models.ports import Matrix, Readings


class SwitchedEmbedder:
    """Sums a random direction for each word, so that shared words mean likeness."""

    dimension = 32
    reads_tokens = False

    def __init__(self, model: str = "words-32") -> None:
        self.model = model
        self.available = True
        self.held_up: asyncio.Event | None = None
        self.embedded: list[str] = []

    async def embed(self, texts: Sequence[str]) -> Matrix:
        """One unit row a text, unless switched off; not before `held_up` is over, if it is set."""
        if not self.available:
            raise ModelUnavailable("the model is switched off")
        if self.held_up is not None:
            await self.held_up.wait()
        self.embedded += texts
        rows = np.stack([self._row(text) for text in texts])
        unit: Matrix = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit.astype(np.float32)

    async def read(self, texts: Sequence[str]) -> Readings:
        """What `embed` makes; it tells no tokens."""
        return Readings(await self.embed(texts), [None] * len(texts))

    async def close(self) -> None:
        """Nothing to let go of."""

    def _row(self, text: str) -> Matrix:
        seeds = [hashlib.sha256(word.encode()).digest() for word in text.lower().split() or [""]]
        rows = [
            np.random.default_rng(int.from_bytes(seed[:8])).normal(size=self.dimension)
            for seed in seeds
        ]
        total: Matrix = np.sum(rows, axis=0)
        return total
