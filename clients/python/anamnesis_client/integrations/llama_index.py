"""LlamaIndex: a block of its `Memory`, which recalls for each message and keeps what falls out.

LlamaIndex hands messages to its blocks when they no longer fit into the short-term memory
(`token_limit`, `token_flush_size`); what it has not handed over is not remembered. Hand a whole
conversation over with `await block.aput(messages)` when it ends.
"""

from collections.abc import Sequence
from typing import ClassVar

from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.memory import BaseMemoryBlock
from pydantic import ConfigDict

from anamnesis_client.aio import AsyncAnamnesis
from anamnesis_client.integrations.going_on import going_on

_SESSION = "session_id"
_ROLES = {
    MessageRole.USER: "user",
    MessageRole.ASSISTANT: "assistant",
    MessageRole.CHATBOT: "assistant",
    MessageRole.MODEL: "assistant",
    MessageRole.TOOL: "tool",
    MessageRole.FUNCTION: "tool",
}


class AnamnesisMemoryBlock(BaseMemoryBlock[str]):
    """The memory of a user as a block: empty where nothing concerns what was asked."""

    model_config: ClassVar[ConfigDict] = ConfigDict(arbitrary_types_allowed=True)

    name: str = "anamnesis"
    memory: AsyncAnamnesis
    """The client: its namespace and user are recalled from and remembered for."""
    budget: int = 500
    """Tokens that the block may have."""

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: object) -> str:
        asked = _last_question(messages or ())
        recalled = ""
        if asked:
            with going_on("recall"):
                recalled = str(await self.memory.context(asked, budget=self.budget))
        return recalled

    async def _aput(self, messages: list[ChatMessage]) -> None:
        by_session: dict[str, list[ChatMessage]] = {}
        for message in messages:
            session = str(message.additional_kwargs.get(_SESSION) or self.memory.session)
            by_session.setdefault(session, []).append(message)
        with going_on("remember"):
            for session, said in by_session.items():
                told = [_message_of(each) for each in said if each.role in _ROLES and each.content]
                await self.memory.add(told, session=session)


def _last_question(messages: Sequence[ChatMessage]) -> str:
    asked = (each.content for each in reversed(messages) if each.role == MessageRole.USER)
    return next((text for text in asked if text), "")


def _message_of(message: ChatMessage) -> dict[str, object]:
    return {
        "role": _ROLES[message.role],
        "content": message.content,
        "tool_call_id": message.additional_kwargs.get("tool_call_id", ""),
    }
