"""The least that anybody would write, with vectors made by hand."""

from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np

from anamnesis_libs.models.ports import Matrix, Readings
from benchmarks.everyday.least import NewestOnTop
from benchmarks.recall.conversations import Turn
from benchmarks.recall.embedding import Vectors

TURNS = [
    Turn("a", "My oven is electric.", "user", datetime(2026, 1, 5, 18, 0, tzinfo=UTC)),
    Turn("b", "I have a gas oven now.", "user", datetime(2026, 2, 7, 18, 0, tzinfo=UTC)),
    Turn("c", "Thanks!", "user", datetime(2026, 2, 7, 18, 1, tzinfo=UTC)),
]
ROWS = np.array([[1.0, 0.0], [0.8, 0.6], [0.0, 1.0]], np.float32)


class _Constant:
    """Embeds every text as the first axis."""

    model = "constant"
    dimension = 2
    reads_tokens = False

    async def embed(self, texts: Sequence[str]) -> Matrix:
        return np.array([[1.0, 0.0]] * len(texts), np.float32)

    async def read(self, texts: Sequence[str]) -> Readings:
        return Readings(await self.embed(texts), [None] * len(texts))

    async def close(self) -> None:
        """Holds nothing."""


class _ByWord:
    """Counts a token a word."""

    def count(self, text: str) -> int:
        return len(text.split())

    def truncate(self, text: str, tokens_max: int) -> str:
        return " ".join(text.split()[:tokens_max])


async def test_the_nearest_lines_that_fit_are_written_newest_day_first() -> None:
    least = NewestOnTop(Vectors(_Constant(), None), TURNS, ROWS, _ByWord())
    assert await least.block("Which oven?", 12) == (
        "user: I have a gas oven now.\nuser: My oven is electric."
    )
    assert await least.block("Which oven?", 11) == "user: My oven is electric."
    assert (await least.block("Which oven?", 99)).splitlines()[:2] == [
        "user: I have a gas oven now.",
        "user: Thanks!",
    ]
