"""Vectors for the baselines, by the same embedder that the suite has."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Literal, get_args

from tokenizers import Tokenizer

from anamnesis_libs.models import minilm
from anamnesis_libs.models.factory import load_embedder
from anamnesis_libs.models.ports import Embedder, Matrix
from anamnesis_libs.settings import Models

EmbedderName = Literal["bilingual", "minilm", "static"]
NAMES: tuple[EmbedderName, ...] = get_args(EmbedderName)


class Vectors:
    """An embedder with its window."""

    def __init__(self, embedder: Embedder, window: Tokenizer | None) -> None:
        """`window` cuts a text as its model would; None where the model takes any length."""
        self._embedder = embedder
        self._window = window
        self.model = embedder.model

    async def of(self, texts: Sequence[str]) -> Matrix:
        """One row of unit length a text, of as much of it as the model's window holds."""
        return await self._embedder.embed([self._cut(text) for text in texts])

    def _cut(self, text: str) -> str:
        if self._window is None:
            return text
        ends: list[int] = [end for _, end in self._window.encode(text).offsets]
        return text[: max(ends)] or text


@asynccontextmanager
async def vectors(name: EmbedderName) -> AsyncIterator[Vectors]:
    """The embedder of this name, closed in the end."""
    embedder = await load_embedder(Models(embedder=name))
    try:
        yield Vectors(embedder, _minilm_window() if name != "static" else None)
    finally:
        await embedder.close()


def _minilm_window() -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(minilm.TOKENIZER_FILE))
    tokenizer.no_padding()
    tokenizer.enable_truncation(minilm.WINDOW_TOKENS_MAX)
    return tokenizer
