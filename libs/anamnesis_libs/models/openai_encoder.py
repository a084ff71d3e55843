"""Embedding by any server that speaks the OpenAI API: OpenAI, vLLM, Ollama, DashScope."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from openai import AsyncOpenAI, omit
from pydantic import BaseModel

from anamnesis_libs.errors import ModelUnavailable
from anamnesis_libs.models.openai_calls import Callee, MalformedAnswer, OpenAICalls, Retries
from anamnesis_libs.models.ports import Matrix, Readings
from anamnesis_libs.models.vectors import NORM_MIN, joined_windows, unit_rows

WINDOW_CHARS_MAX = 8000
"""Hosted models take 8,000 tokens and a character is at most about one."""
UNIT_CHARS_MAX = 256_000
UNITS_AT_ONCE = 4
BLANK = "(no text)"
"""Servers refuse a text without a character that shows."""
SETTINGS = "models.openai_base_url, models.openai_api_key_file and models.openai_embedding_model"


class EmbeddingItem(BaseModel):
    """One vector of an answer."""

    index: int
    embedding: list[float]


class Body(BaseModel):
    """The used part of an answer's body; the client itself checks nothing."""

    data: list[EmbeddingItem]


@dataclass(frozen=True, slots=True)
class OpenAIServer:
    """The address of the model, and the options of its calls."""

    base_url: str
    api_key: str
    embedding_model: str
    dimension: int | None
    """Vector length asked for; none: the model's own, learnt from a first answer."""
    timeout_s: float


class OpenAIEncoder:
    """An `Encoder` over a server; see `load`."""

    unit_chars_max = UNIT_CHARS_MAX
    units_at_once = UNITS_AT_ONCE

    def __init__(self, server: OpenAIServer, retries: Retries) -> None:
        self._server = server
        self._client = AsyncOpenAI(
            base_url=server.base_url,
            api_key=server.api_key,
            timeout=server.timeout_s,
            max_retries=0,
        )
        what = f"the embedding model {server.embedding_model} at {server.base_url}"
        self._calls = OpenAICalls(retries, Callee(what, SETTINGS, server.api_key))
        self._what = what
        self.dimension = server.dimension or 0

    reads_tokens = False

    @property
    def model(self) -> str:
        """Name and dimension; not the address, so that a server can move."""
        return f"openai:{self._server.embedding_model}:{self.dimension}"

    async def learn_dimension(self) -> None:
        """Ask the model how long its vectors are, where no length is set.

        Raises:
            ModelUnavailable: it does not answer.
        """
        if not self.dimension:
            rows = await self._calls.run(lambda: self._ask([BLANK]))
            self.dimension = rows.shape[1]

    async def encode(self, texts: Sequence[str]) -> Matrix:
        """Make one unit row a text; a text beyond the window is the mean of its windows.

        Raises:
            ModelUnavailable: the server does not answer, or its vectors have another length.
        """
        windows = [_windows(text) for text in texts]
        flat = [window for of_text in windows for window in of_text]
        rows = await self._calls.run(lambda: self._ask(flat))
        if rows.shape[1] != self.dimension:
            raise ModelUnavailable(
                f"{self._what} makes vectors of {rows.shape[1]} numbers, expected are "
                f"{self.dimension}; correct models.dimension or models.openai_embedding_model"
            )
        return joined_windows(rows, [len(of_text) for of_text in windows])

    async def read(self, texts: Sequence[str]) -> Readings:
        """Make what `encode` makes; such a server tells no tokens."""
        return Readings(await self.encode(texts), [None] * len(texts))

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _ask(self, texts: list[str]) -> Matrix:
        response = await self._client.embeddings.with_raw_response.create(
            input=texts,
            model=self._server.embedding_model,
            dimensions=self._server.dimension or omit,
            encoding_format="float",
        )
        return _rows(response.content, len(texts))


async def load(server: OpenAIServer, retries: Retries) -> OpenAIEncoder:
    """Connect; asks the server for the vector length where none is set.

    Raises:
        ModelUnavailable: it had to be asked, and does not answer.
    """
    encoder = OpenAIEncoder(server, retries)
    try:
        await encoder.learn_dimension()
    except ModelUnavailable:
        await encoder.close()
        raise
    return encoder


def _windows(text: str) -> list[str]:
    if not text.strip():
        return [BLANK]
    return [text[at : at + WINDOW_CHARS_MAX] for at in range(0, len(text), WINDOW_CHARS_MAX)]


def _rows(content: bytes, count: int) -> Matrix:
    """Unit rows in the order asked.

    Raises:
        ValueError: the body is not that of an answer.
        MalformedAnswer: not one usable vector a text.
    """
    items = sorted(Body.model_validate_json(content).data, key=lambda item: item.index)
    if [item.index for item in items] != list(range(count)):
        raise MalformedAnswer(f"{len(items)} vectors for {count} texts")
    if len({len(item.embedding) for item in items}) != 1:
        raise MalformedAnswer("vectors of several lengths")
    rows: Matrix = np.array([item.embedding for item in items], np.float32)
    if not np.isfinite(rows).all() or (np.linalg.norm(rows, axis=1) < NORM_MIN).any():
        raise MalformedAnswer("a vector of zeros, or one that is not of numbers")
    return unit_rows(rows)
