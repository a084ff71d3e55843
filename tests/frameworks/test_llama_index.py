"""LlamaIndex: a chat that is told something in one conversation and knows it in the next."""

from collections.abc import Awaitable, Callable, Sequence
from typing import cast

import pytest

from anamnesis_client import AsyncAnamnesis
from tests.frameworks.conftest import Told
from tests.support.processes import Process

pytest.importorskip("llama_index.core", reason="llama-index is not installed: make test-frameworks")

from llama_index.core.base.llms.types import ChatMessage, ChatResponse, LLMMetadata
from llama_index.core.llms import CompletionResponse, CustomLLM
from llama_index.core.memory import Memory

from anamnesis_client.integrations.llama_index import AnamnesisMemoryBlock


class Cook(CustomLLM):
    """A model that says what it finds in its prompt, and nothing else."""

    @property
    def metadata(self) -> LLMMetadata:
        """Nothing special."""
        return LLMMetadata(is_chat_model=True)

    async def achat(self, messages: Sequence[ChatMessage], **_: object) -> ChatResponse:
        """One answer."""
        knows = any(
            "hazelnuts" in (each.content or "") for each in messages if each.role == "system"
        )
        said = "No hazelnuts for you." if knows else "I do not know."
        return ChatResponse(message=ChatMessage(role="assistant", content=said))

    def complete(self, prompt: str, formatted: bool = False, **_: object) -> CompletionResponse:
        """Not asked for."""
        raise NotImplementedError

    def stream_complete(self, prompt: str, formatted: bool = False, **_: object) -> None:
        """Not asked for."""
        raise NotImplementedError


async def test_it_knows_in_the_next_conversation(told: Told) -> None:
    names = told("LlamaIndex", Cook())
    conversation = cast(Callable[[list[str]], Awaitable[list[str]]], names["conversation"])
    assert await conversation(["I am allergic to hazelnuts."]) == ["I do not know."]
    assert await conversation(["What may I not eat?"]) == ["No hazelnuts for you."]


async def test_what_falls_out_of_the_short_term_is_remembered(suite: Process) -> None:
    client = AsyncAnamnesis(suite.address, namespace="falls-out", user="mara")
    memory = Memory.from_defaults(
        memory_blocks=[AnamnesisMemoryBlock(memory=client)], token_limit=40, token_flush_size=10
    )
    for place in range(8):
        await memory.aput(ChatMessage(role="user", content=f"The oven number {place} is broken."))
        await memory.aput(ChatMessage(role="assistant", content="I have noted that, thank you."))
    kept = await client.events(memory.session_id)
    assert kept[0].content == "The oven number 0 is broken."
    assert len({event.content for event in kept if event.role == "user"}) == len(kept) / 2


async def test_a_chat_goes_on_without_its_memory(caplog: pytest.LogCaptureFixture) -> None:
    block = AnamnesisMemoryBlock(memory=AsyncAnamnesis("127.0.0.1:9", retries=0))
    said = [ChatMessage(role="user", content="My secret")]
    await block.aput(said)
    assert await block.aget(said) == ""
    assert "the agent goes on without" in caplog.text
    assert "My secret" not in caplog.text
