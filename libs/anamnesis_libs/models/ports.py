"""The suite's ports to models, whoever makes them."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]


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

    async def embed(self, texts: Sequence[str]) -> Matrix:
        """Make one row of unit length for each text, shape (texts, dimension).

        A text longer than the model's window must be split before; see `pieces`. A
        text without a word gets a row all the same, never a zero vector.

        Raises:
            ModelUnavailable: the model does not answer.
        """
        ...

    async def close(self) -> None:
        """Let go of connections and threads."""
        ...
