"""A chat model on the test server, quick to retry, and a request to put to it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from anamnesis_libs.models.chat import ChatRequest, JsonSchema, Purpose
from anamnesis_libs.models.openai_calls import Retries
from anamnesis_libs.models.openai_chat import ChatServer, OpenAIChat
from anamnesis_libs.tokens import load_counter
from tests.support.openai_server import OpenAIServer

KEY = "sk-test-0123456789"
FAST = Retries(2, first_s=0.01, longest_s=0.02, failures_max=3, open_s=0.5)
COUNTER = load_counter("o200k_base")
FACTS: JsonSchema = {
    "type": "object",
    "properties": {"facts": {"type": "array", "items": {"type": "string"}}},
    "required": ["facts"],
    "additionalProperties": False,
}


@asynccontextmanager
async def chat_on(
    server: OpenAIServer,
    *,
    timeout_s: float = 5.0,
    calls_max: int = 4,
    output_tokens_max: int = 8192,
    input_tokens_max: int = 191_808,
) -> AsyncIterator[OpenAIChat]:
    """A model there."""
    where = ChatServer(
        base_url=server.base_url,
        api_key=KEY,
        model="small",
        timeout_s=timeout_s,
        calls_max=calls_max,
        output_tokens_max=output_tokens_max,
        input_tokens_max=input_tokens_max,
    )
    model = OpenAIChat(where, FAST, COUNTER)
    try:
        yield model
    finally:
        await model.close()


def request_for(user: str, output_tokens_max: int = 200) -> ChatRequest:
    """A request of facts."""
    system = "List the facts."
    return ChatRequest(Purpose.EXTRACT, system, user, "extract_facts", FACTS, output_tokens_max)
