"""The port to a chat model: a request, and an answer that fits a schema."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
"""A JSON document."""

JsonSchema: TypeAlias = "Mapping[str, Json]"
"""A JSON Schema, draft 2020-12; for strict servers each object closed and all it has required."""


class Purpose(StrEnum):
    """The purpose of a call: usage is accounted by it."""

    EMBED = "embed"
    EXTRACT = "extract"
    SEGMENT = "segment"
    LABEL = "label"
    MERGE = "merge"
    SUMMARISE = "summarise"
    RERANK = "rerank"
    CRYSTALLISE = "crystallise"


@dataclass(frozen=True, slots=True)
class ChatUsage:
    """The usage of calls: requests sent, each try counted, and their tokens.

    Tokens are the server's count. Where it gave none they are counted here, and a request
    whose answer was lost counts with its input: the server will have billed it. One that the
    server refused or failed with a status costs a call and no tokens.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    def __add__(self, other: "ChatUsage") -> "ChatUsage":
        """Both together."""
        return ChatUsage(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
        )

    @property
    def tokens(self) -> int:
        """Tokens in and out."""
        return self.input_tokens + self.output_tokens


class Spending:
    """The mixin of a model's failures: the usage of the failed call."""

    usage: ChatUsage = ChatUsage()


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One question to a model; see `prompts.Prompt.request`."""

    purpose: Purpose
    system: str
    user: str
    schema_name: str
    """Letters, digits, `_` and `-`; at most 64."""
    schema: JsonSchema
    output_tokens_max: int


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """An answer that fits the schema of its request."""

    data: Json
    usage: ChatUsage
    repaired: bool
    """The first answer did not fit; this is the second."""


class ChatModel(Protocol):
    """A model that answers with a JSON document."""

    @property
    def name(self) -> str:
        """The name of the model, for records and messages."""
        ...

    async def ask(self, request: ChatRequest) -> ChatAnswer:
        """Put one request; the answer fits its schema.

        A call that is cancelled raises `CancelledError` with a `ChatUsage` among its `args`;
        `usage_of` finds it, there and in the errors below.

        Raises:
            ModelUnavailable: no answer: after retries, a time-out, or while the breaker is open.
            ModelRefused: the model, or a filter before it, declined.
            AnswerMalformed: cut short, or not fitting the schema after one repair attempt.
            PromptTooLong: beyond the model's input budget; nothing was sent.
        """
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


def usage_of(error: BaseException) -> ChatUsage:
    """The usage of a call that ended with this error."""
    if isinstance(error, Spending):
        return error.usage
    return next((each for each in error.args if isinstance(each, ChatUsage)), ChatUsage())
