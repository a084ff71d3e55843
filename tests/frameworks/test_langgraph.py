"""LangGraph and LangChain: a graph that recalls and remembers, tools, a retriever, a history."""

from collections.abc import Callable
from typing import Protocol, cast

import pytest

from anamnesis_client import Anamnesis
from tests.frameworks.conftest import Told
from tests.support.processes import Process

pytest.importorskip("langgraph", reason="langgraph is not installed: make test-frameworks")

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableLambda

from anamnesis_client.integrations.langchain import (
    AnamnesisChatHistory,
    AnamnesisRetriever,
    message_of,
)
from anamnesis_client.integrations.langgraph import (
    MemoryState,
    memory_tools,
    recall_node,
    remember_node,
)


class Graph(Protocol):
    """A graph that was compiled."""

    def invoke(self, state: object, config: object) -> dict[str, list[BaseMessage]]:
        """The state after a run."""


def _cook(messages: list[BaseMessage]) -> AIMessage:
    """A model that says what it finds in its prompt, and nothing else."""
    knows = "hazelnuts" in messages[0].text
    return AIMessage("No hazelnuts for you." if knows else "I do not know.")


def _config(user: str, thread: str) -> dict[str, dict[str, str]]:
    return {"configurable": {"user_id": user, "thread_id": thread}}


def _asked(graph: Graph, user: str, thread: str, text: str) -> str:
    state = graph.invoke({"messages": [HumanMessage(text)]}, _config(user, thread))
    return str(state["messages"][-1].text)


def test_it_knows_in_the_next_thread_and_of_nobody_else(told: Told) -> None:
    names = told("LangGraph", RunnableLambda(_cook))
    graph = cast(Graph, names["agent"])
    _asked(graph, "mara", "t-1", "I am allergic to hazelnuts.")
    assert _asked(graph, "mara", "t-2", "What may I not eat?") == "No hazelnuts for you."
    assert _asked(graph, "lin", "t-1", "What may I not eat?") == "I do not know."
    memory = cast(Anamnesis, names["memory"]).on_behalf(user="mara")
    kept = [event.content for event in memory.events("mara/t-2")]
    assert kept == ["What may I not eat?", "No hazelnuts for you."], "what is recalled is not kept"


def test_a_turn_that_is_run_again_is_kept_once(suite: Process) -> None:
    memory = Anamnesis(suite.address, namespace="again")
    state = {"messages": [HumanMessage("Hello", id="m-1"), AIMessage("Good day", id="m-2")]}
    for _ in range(2):
        remember_node(memory)(state, _config("mara", "t-1"))
    assert len(memory.on_behalf(user="mara").events("mara/t-1")) == 2


def test_tools_are_those_of_the_run_s_user(suite: Process) -> None:
    recall, remember = memory_tools(Anamnesis(suite.address, namespace="tools"))
    assert {*recall.args, *remember.args} == {"query", "text"}, "a model names no user"
    assert remember.invoke({"text": "The oven is broken."}, _config("mara", "t-1")).startswith(
        "Kept"
    )
    assert "oven" in recall.invoke({"query": "what is broken?"}, _config("mara", "t-2"))
    assert recall.invoke({"query": "what is broken?"}, _config("lin", "t-1")) == "Nothing is known."


def test_a_graph_goes_on_without_its_memory(caplog: pytest.LogCaptureFixture) -> None:
    gone = Anamnesis("127.0.0.1:9", retries=0)
    state = MemoryState(messages=[HumanMessage("My secret", id="m-1")], recalled="")
    assert recall_node(gone)(state, {}) == {"recalled": ""}
    assert remember_node(gone)(state, {}) == {}
    recall, remember = memory_tools(gone)
    assert "Unreachable" in recall.invoke({"query": "secret"})
    assert "not kept" in remember.invoke({"text": "secret"})
    assert AnamnesisRetriever(memory=gone).invoke("secret") == []
    assert "My secret" not in caplog.text


def test_a_retriever_finds_documents(suite: Process, told: Told) -> None:
    memory = Anamnesis(suite.address, user="mara")
    memory.note("Mara may not eat hazelnuts.")
    names = told("LangChain", None)
    documents = cast(list[object], names["documents"])
    assert "hazelnuts" in str(documents[0])


def test_calls_of_tools_are_kept_as_such() -> None:
    call = {"id": "c-1", "name": "weather", "args": {"city": "Delft"}}
    asked = message_of(AIMessage("", tool_calls=[call]))
    assert asked["tool_calls"] == [{"id": "c-1", "name": "weather", "arguments": {"city": "Delft"}}]
    answered = message_of(ToolMessage("rain", tool_call_id="c-1", name="weather"))
    assert (answered["role"], answered["tool_call_id"]) == ("tool", "c-1")


SAID = [
    HumanMessage(
        [{"type": "text", "text": "I keep bees."}, {"type": "image_url", "image_url": {}}]
    ),
    AIMessage("", tool_calls=[{"id": "c1", "name": "weather", "args": {"at": "Delft"}}]),
    ToolMessage("rain", tool_call_id="c1"),
    AIMessage("It rains.", id="m-9", additional_kwargs={"z": [1, 2.5, None]}),
]


def test_a_history_comes_back_as_it_was_and_is_memory(suite: Process) -> None:
    memory = Anamnesis(suite.address, namespace="history", user="mara")
    history = AnamnesisChatHistory(memory, "monday")
    history.add_messages(SAID[:1])
    history.add_messages(SAID[1:])
    assert AnamnesisChatHistory(memory, "monday").messages == SAID
    assert [event.content for event in memory.events("monday")] == ["I keep bees.", "It rains."]
    assert memory.search("bees")[0].text == "I keep bees."
    other = AnamnesisChatHistory(memory, "tuesday")
    assert other.messages == []
    history.clear()
    history.clear()
    assert history.messages == []
    assert not memory.search("bees")


def test_a_chain_knows_in_the_next_run(told: Told) -> None:
    names = told("LangChain's history", RunnableLambda(_remembers))
    say = cast(Callable[[str], str], names["say"])
    assert say("I am allergic to hazelnuts.") == "Noted."
    assert say("What may I not eat?") == "No hazelnuts for you."


def _remembers(messages: list[BaseMessage]) -> AIMessage:
    """A model that says what it finds in the messages before the last."""
    knows = any("hazelnuts" in one.text for one in messages[:-1])
    return AIMessage("No hazelnuts for you." if knows else "Noted.")
