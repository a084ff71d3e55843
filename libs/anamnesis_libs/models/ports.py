"""The suite's ports to models, whoever makes them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]

TokenCodes = NDArray[np.uint64]
"""The signs of the numbers that a model makes of each token, packed; (tokens, dimension / 64)."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a text as a model reads them, each in the light of the others.

    `spans` are the characters of each in the text; shape (tokens, 2).
    """

    codes: TokenCodes
    spans: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Readings:
    """The vectors of texts, one unit row each, and their tokens; None where none are told."""

    rows: Matrix
    tokens: Sequence[Tokens | None]


class Embedder(Protocol):
    """Makes vectors of texts, all of one model."""

    @property
    def model(self) -> str:
        """Fingerprint of the model: two embedders with the same make the same vectors."""
        ...

    @property
    def dimension(self) -> int:
        """Numbers in one vector."""
        ...

    @property
    def reads_tokens(self) -> bool:
        """True if `read` tells tokens, at least of some texts."""
        ...

    async def embed(self, texts: Sequence[str]) -> Matrix:
        """Make one row of unit length for each text, shape (texts, dimension).

        A text longer than the model's window must be split before; see `pieces`. A
        text without a word gets a row all the same, never a zero vector.

        Raises:
            ModelUnavailable: the model does not answer.
        """
        ...

    async def read(self, texts: Sequence[str]) -> Readings:
        """Make what `embed` makes, and tell the tokens of each text.

        Raises:
            ModelUnavailable: the model does not answer.
        """
        ...

    async def close(self) -> None:
        """Let go of connections and threads."""
        ...
