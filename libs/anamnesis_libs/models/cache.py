"""Questions as a model reads them, kept: the same is often asked again, by many at once."""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anamnesis_libs.models.ports import Embedder, Tokens

Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Question:
    """A text as its model reads it: the unit vector, read-only, and the tokens if they are told."""

    vector: Vector
    tokens: Tokens | None


class CachedQueries:
    """The most recently asked texts, as one embedder reads them."""

    def __init__(self, embedder: Embedder, entries_max: int) -> None:
        """Keep at most `entries_max` texts; 0 keeps none."""
        self._embedder = embedder
        self._entries_max = entries_max
        self._kept: OrderedDict[tuple[str, str], Question] = OrderedDict()
        self._asked: dict[tuple[str, str], asyncio.Task[Question]] = {}

    async def read(self, text: str, embedder: Embedder | None = None) -> Question:
        """The text as the embedder reads it.

        `embedder` reads it where it is given, of the same model: it counts who asked.

        Callers who ask for the same text at the same time share one call of the model; it
        goes on when one of them leaves.

        Raises:
            ModelUnavailable: the model does not answer. Failures are not kept.
        """
        key = (self._embedder.model, text)
        kept = self._kept.get(key)
        if kept is not None:
            self._kept.move_to_end(key)
            return kept
        if key not in self._asked:
            self._ask(key, embedder or self._embedder)
        return await asyncio.shield(self._asked[key])

    def clear(self) -> None:
        """Forget every text; a call that is under way answers those who wait, and is not kept."""
        self._kept.clear()
        self._asked.clear()

    def mentions(self, text: str) -> int:
        """Number of kept texts that contain a text, case ignored."""
        folded = text.casefold()
        return sum(folded in asked.casefold() for _, asked in (*self._kept, *self._asked))

    @property
    def size(self) -> int:
        """Texts kept."""
        return len(self._kept)

    def _ask(self, key: tuple[str, str], embedder: Embedder) -> None:
        task = asyncio.get_running_loop().create_task(_read(key[1], embedder))
        self._asked[key] = task
        task.add_done_callback(lambda ended: self._answered(key, ended))

    def _answered(self, key: tuple[str, str], task: asyncio.Task[Question]) -> None:
        if self._asked.pop(key, None) is not task:
            return
        if task.cancelled() or task.exception() is not None:
            return
        self._kept[key] = task.result()
        while len(self._kept) > self._entries_max:
            self._kept.popitem(last=False)


async def _read(text: str, embedder: Embedder) -> Question:
    read = await embedder.read([text])
    vector: Vector = read.rows[0].copy()
    vector.flags.writeable = False
    return Question(vector, read.tokens[0])
