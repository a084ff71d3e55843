"""LangChain: a retriever, a chat history, and messages in the form that `add` takes.

LangChain itself advises against chat histories since 1.6 and will drop them with 2.0; this one is
for those who have chains with `RunnableWithMessageHistory`.
"""

from collections.abc import Mapping, Sequence
from uuid import uuid4

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.documents import Document
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    ToolMessage,
    message_to_dict,
    messages_from_dict,
)
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict

from anamnesis_client.answers import Hit
from anamnesis_client.errors import NotFound
from anamnesis_client.integrations.going_on import going_on
from anamnesis_client.json_documents import DocumentPut
from anamnesis_client.sync import Anamnesis

_KIND = "langchain"
_ROLES = {"human": "user", "ai": "assistant", "system": "system", "tool": "tool"}


class AnamnesisRetriever(BaseRetriever):
    """The memories that answer a query as documents, best first; none where the memory fails."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    memory: Anamnesis
    """The client: its namespace and user are searched."""
    limit: int = 5

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        documents: list[Document] = []
        with going_on("retrieve"):
            documents.extend(map(_document, self.memory.search(query, limit=self.limit)))
        return documents


class AnamnesisChatHistory(BaseChatMessageHistory):
    """The messages of a conversation, as they were; what people and models said is memory as well.

    It raises where the memory does not answer: a conversation must not seem to be empty.
    """

    def __init__(self, memory: Anamnesis, session_id: str) -> None:
        """Nothing is called yet.

        Args:
            memory: the client, whose user or agent the conversation belongs to.
            session_id: of the conversation; nothing else writes to a session of this name.
        """
        self._memory = memory
        self._session = session_id
        self._path = (_KIND, session_id)

    @property
    def messages(self) -> list[BaseMessage]:
        """All messages in the order in which they were added."""
        kept = self._memory.list_documents(self._path, limit=None)
        messages: list[BaseMessage] = messages_from_dict([dict(one.value) for one in kept])
        return messages

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Adds messages behind the last."""
        puts = [
            DocumentPut(self._path, uuid4().hex, message_to_dict(message), search=())
            for message in messages
        ]
        if puts:
            self._memory.put_documents(puts)
        told = [
            {"role": _ROLES[one.type], "content": str(one.text)} for one in messages if _says(one)
        ]
        if told:
            self._memory.add(told, session=self._session)

    def clear(self) -> None:
        """Takes all messages back, and forgets them with what was learned from them alone."""
        kept = self._memory.list_documents(self._path, limit=None)
        if kept:
            self._memory.put_documents([DocumentPut(self._path, one.key, None) for one in kept])
        try:
            self._memory.truncate(0, self._session)
        except NotFound:
            return


def _says(message: BaseMessage) -> bool:
    """True for what a person or a model said in words."""
    return message.type in ("human", "ai") and bool(message.text.strip())


def message_of(message: BaseMessage) -> Mapping[str, object]:
    """A message in the form that `add` takes."""
    told: dict[str, object] = {
        "role": _ROLES.get(message.type, "user"),
        "name": message.name or "",
        "content": message.content,
    }
    if isinstance(message, AIMessage):
        told["tool_calls"] = [
            {"id": call["id"], "name": call["name"], "arguments": call["args"]}
            for call in message.tool_calls
        ]
    if isinstance(message, ToolMessage):
        told["tool_call_id"] = message.tool_call_id
    return told


def _document(hit: Hit) -> Document:
    memory = hit.memory
    return Document(
        id=memory.id,
        page_content=memory.text,
        metadata={
            "score": hit.score,
            "kind": memory.kind,
            "time": memory.time.isoformat() if memory.time else "",
            "session": memory.session,
            "pointer": memory.pointer,
        },
    )
