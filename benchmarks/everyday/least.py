"""The least that anybody would write: whole lines until the budget is full, never silent.

Chats are ranked by the cosine of the same embedder, and the lines that fit are written with the
newest day on top. Pages and logs are too many to embed again here: their paragraphs and messages
come in the order of the suite's own search.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from anamnesis_libs.models.ports import Matrix
from anamnesis_libs.tokens import TokenCounter
from benchmarks.everyday.client import EverydayClient
from benchmarks.recall.conversations import Turn
from benchmarks.recall.embedding import Vectors
from benchmarks.recall.lines import line_of, whole_lines
from benchmarks.recall.metrics import RANKING_MAX


class Least(Protocol):
    """A writer of plain blocks about one memory."""

    async def block(self, query: str, budget: int) -> str:
        """The block for a query in so many tokens."""
        ...


class NewestOnTop:
    """Plain blocks of chats."""

    def __init__(
        self, vectors: Vectors, turns: Sequence[Turn], rows: Matrix, tokens: TokenCounter
    ) -> None:
        """`rows` are the turns' vectors of unit length, shape (turns, dimension)."""
        self._vectors = vectors
        self._turns = turns
        self._rows = rows
        self._tokens = tokens

    async def block(self, query: str, budget: int) -> str:
        """The lines nearest to the query that fit, those of the newest day first."""
        (vector,) = await self._vectors.of([query])
        order = np.argsort(-np.asarray(self._rows @ vector, np.float32), kind="stable")
        ranked = [self._turns[position] for position in order]
        fitting = len(whole_lines(map(line_of, ranked), budget, self._tokens))
        by_day = sorted(ranked[:fitting], key=lambda turn: turn.time.date(), reverse=True)
        return "\n".join(line_of(turn) for turn in by_day)


class BySearch:
    """Plain blocks of whatever a namespace holds."""

    def __init__(
        self,
        client: EverydayClient,
        namespace: str,
        revision: str,
        tokens: TokenCounter,
        *,
        with_role: bool,
    ) -> None:
        self._client = client
        self._namespace = namespace
        self._revision = revision
        self._tokens = tokens
        self._with_role = with_role

    async def block(self, query: str, budget: int) -> str:
        """The whole texts of the first results that fit."""
        found = await self._client.search(self._namespace, query, None, self._revision, RANKING_MAX)
        lines = await self._client.lines(
            self._namespace, found.memory_ids, with_role=self._with_role
        )
        return "\n".join(whole_lines(lines, budget, self._tokens))
