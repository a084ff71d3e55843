"""The dialect of a server that speaks the OpenAI API, learnt from the requests it refuses.

Servers differ in three things that matter here: how an answer is held to a schema, what the
limit of its length is called, and whether a temperature may be set.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

from openai import APIStatusError, Omit, omit
from openai.types.chat.completion_create_params import ResponseFormat
from openai.types.shared_params import ResponseFormatJSONObject, ResponseFormatJSONSchema

from anamnesis_libs.models.chat import ChatRequest

_WINDOW_EXCEEDED = (
    "context_length_exceeded",
    "context length",
    "context window",
    "prompt is too long",
    "range of input length",
)
_FILTERED = ("content_filter", "content management policy", "data_inspection_failed")


class AnswerFormat(Enum):
    """The ways to hold an answer to its schema; the first that the server takes is used."""

    BY_SCHEMA = auto()
    TO_JSON = auto()
    BY_PROMPT = auto()


@dataclass(frozen=True, slots=True)
class Dialect:
    """The dialect of requests; the default asks for the strictest format."""

    held: AnswerFormat = AnswerFormat.BY_SCHEMA
    newer_limit: bool = False
    """The limit is called `max_completion_tokens`, as reasoning models want it."""
    with_temperature: bool = True

    def adapted(self, refusal: APIStatusError) -> "Dialect | None":
        """The dialect to try next after a 400 or 422; none is left after the plainest."""
        told = _told(refusal)
        if not self.newer_limit and "max_completion_tokens" in told:
            return replace(self, newer_limit=True)
        if self.with_temperature and "temperature" in told:
            return replace(self, with_temperature=False)
        if self.held is AnswerFormat.BY_SCHEMA:
            return replace(self, held=AnswerFormat.TO_JSON)
        return (
            replace(self, held=AnswerFormat.BY_PROMPT)
            if self.held is AnswerFormat.TO_JSON
            else None
        )

    def response_format(self, request: ChatRequest) -> ResponseFormat | Omit:
        """The field of that name."""
        match self.held:
            case AnswerFormat.BY_SCHEMA:
                return ResponseFormatJSONSchema(
                    type="json_schema",
                    json_schema={
                        "name": request.schema_name,
                        "schema": dict(request.schema),
                        "strict": True,
                    },
                )
            case AnswerFormat.TO_JSON:
                return ResponseFormatJSONObject(type="json_object")
            case AnswerFormat.BY_PROMPT:
                return omit

    def system(self, request: ChatRequest) -> str:
        """The system prompt, with the schema where the server takes it in no other place."""
        if self.held is AnswerFormat.BY_SCHEMA:
            return request.system
        schema = json.dumps(dict(request.schema), ensure_ascii=False, separators=(",", ":"))
        return (
            f"{request.system}\n\nAnswer with one JSON document and nothing else. It must fit the "
            f'JSON Schema "{request.schema_name}":\n{schema}'
        )


def is_beyond_window(refusal: APIStatusError) -> bool:
    """True if the server says that the prompt is too long for the model."""
    return _says(refusal, _WINDOW_EXCEEDED)


def is_filtered(refusal: APIStatusError) -> bool:
    """True if the server says that its filter refuses the prompt."""
    return _says(refusal, _FILTERED)


def _says(refusal: APIStatusError, phrases: Sequence[str]) -> bool:
    told = _told(refusal)
    return any(phrase in told for phrase in phrases)


def _told(refusal: APIStatusError) -> str:
    return f"{refusal.code} {refusal.message}".lower()
