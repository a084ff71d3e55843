"""LangChain: a retriever over what is remembered, and messages in the form that `add` takes."""

from collections.abc import Mapping

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict

from anamnesis_client.answers import Hit
from anamnesis_client.integrations.going_on import going_on
from anamnesis_client.sync import Anamnesis

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
