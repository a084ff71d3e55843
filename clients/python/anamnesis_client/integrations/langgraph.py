"""LangGraph: a node that recalls before the model, one that remembers after it, and tools.

User and conversation come from the run's configuration, `{"configurable": {"user_id": ...,
"thread_id": ...}}`, and never from a model. Sync nodes and tools run under `ainvoke` too.
"""

import hashlib
from collections.abc import Callable, Sequence

from langchain_core.messages import AnyMessage, BaseMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, StructuredTool
from langgraph.graph import MessagesState

from anamnesis_client.errors import AnamnesisError
from anamnesis_client.integrations.conversations import session_of
from anamnesis_client.integrations.going_on import going_on
from anamnesis_client.integrations.langchain import message_of
from anamnesis_client.sync import Anamnesis


class MemoryState(MessagesState):
    """The state of a graph with messages and what was recalled for the last of them."""

    recalled: str


def recall_node(
    memory: Anamnesis, *, budget: int = 500
) -> Callable[[MemoryState, RunnableConfig], dict[str, str]]:
    """A node that puts what concerns the last message of a person into `recalled`.

    The model's node shows it, for instance as a system message of that one call. It does not
    become a message of the state: what is recalled is not said again, nor remembered.
    """

    def recall(state: MemoryState, config: RunnableConfig) -> dict[str, str]:
        asked = _last_question(state["messages"])
        recalled = ""
        if asked:
            with going_on("recall"):
                recalled = str(_of(memory, config).context(asked, budget=budget))
        return {"recalled": recalled}

    return recall


def remember_node(
    memory: Anamnesis,
) -> Callable[[MessagesState, RunnableConfig], dict[str, str]]:
    """A node that keeps the last turn: a person's last message and all that follows it.

    A turn that a graph runs again from a checkpoint is kept once.
    """

    def remember(state: MessagesState, config: RunnableConfig) -> dict[str, str]:
        turn = _last_turn(state["messages"])
        ids = "\0".join(message.id or "" for message in turn)
        named = hashlib.sha256(ids.encode()).hexdigest() if ids.strip("\0") else ""
        with going_on("remember"):
            _of(memory, config).add(map(message_of, turn), request_id=named)
        return {}

    return remember


def memory_tools(memory: Anamnesis, *, budget: int = 500) -> list[BaseTool]:
    """Tools by which a model recalls and remembers by itself."""

    def recall(query: str, config: RunnableConfig) -> str:
        """Recall what is known from earlier conversations about a question or topic."""
        try:
            return str(_of(memory, config).context(query, budget=budget)) or "Nothing is known."
        except AnamnesisError as error:
            return f"The memory does not answer: {type(error).__name__}."

    def remember(text: str, config: RunnableConfig) -> str:
        """Keep a sentence that should be known in later conversations."""
        try:
            return f"Kept: {_of(memory, config).note(text).pointer}"
        except AnamnesisError as error:
            return f"It was not kept: {type(error).__name__}."

    return [StructuredTool.from_function(recall), StructuredTool.from_function(remember)]


def _of(memory: Anamnesis, config: RunnableConfig) -> Anamnesis:
    """The memory of a run's user and conversation; what is not configured is the client's own."""
    named = config.get("configurable", {})
    user, thread = named.get("user_id"), named.get("thread_id")
    named_both = user is not None and thread is not None
    return memory.on_behalf(user=user, session=session_of(user, thread) if named_both else thread)


def _last_turn(messages: Sequence[AnyMessage]) -> Sequence[BaseMessage]:
    places = [place for place, each in enumerate(messages) if isinstance(each, HumanMessage)]
    return messages[places[-1] :] if places else ()


def _last_question(messages: Sequence[AnyMessage]) -> str:
    turn = _last_turn(messages)
    return turn[0].text if turn else ""
