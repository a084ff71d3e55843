"""Requests of a simulation, as clients send them; every text names the request and the place."""

import random
from collections.abc import Sequence

from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.common.v1 import caller_pb2
from anamnesis.memory.v1 import (
    event_pb2,
    ledger_service_pb2,
    memory_pb2,
    memory_service_pb2,
    topic_service_pb2,
)

AGENT = "amber"
WORDS = ("birch", "cedar", "delta", "ember", "fjord", "grove", "heath", "inlet", "jetty", "knoll")
CALLER = caller_pb2.Caller(agent_id=AGENT)
_BASE_S = 1_770_000_000


def mark(namespace: str, number: int, place: int) -> str:
    """A word that no other text has."""
    return f"mark{number}x{place}{namespace}"


def mark_of(text: str) -> str:
    """The word that tells where a text is from."""
    return text.split()[0]


def text_of(namespace: str, number: int, place: int, generator: random.Random) -> str:
    """A text that is found by its mark and is like others in its words."""
    return " ".join((mark(namespace, number, place), *generator.choices(WORDS, k=3)))


def event(text: str, index: int | None) -> event_pb2.Event:
    """An event of a user."""
    return event_pb2.Event(
        index=index,
        role=event_pb2.ROLE_USER,
        name="Ada",
        content=text,
        event_time=Timestamp(seconds=_BASE_S + (index or 0)),
    )


def append(
    namespace: str,
    session_id: str,
    events: Sequence[event_pb2.Event],
    *,
    request_id: str = "",
    end_session: bool = False,
) -> ledger_service_pb2.AppendEventsRequest:
    """An append of events."""
    return ledger_service_pb2.AppendEventsRequest(
        namespace=namespace,
        session_id=session_id,
        agent_id=AGENT,
        events=events,
        request_id=request_id,
        end_session=end_session,
    )


def create(
    namespace: str, texts: Sequence[str], *, private: bool, request_id: str
) -> memory_service_pb2.BatchCreateMemoriesRequest:
    """A creation of lessons."""
    visibility = event_pb2.VISIBILITY_PRIVATE_TO_AGENT if private else event_pb2.VISIBILITY_SHARED
    return memory_service_pb2.BatchCreateMemoriesRequest(
        namespace=namespace,
        memories=[
            memory_service_pb2.NewMemory(
                kind=memory_pb2.MEMORY_KIND_LEARNING,
                content=text,
                visibility=visibility,
                agent_id=AGENT,
                tags=["Sim", text.split()[-1]],
            )
            for text in texts
        ],
        request_id=request_id,
    )


def delete(namespace: str, memory_id: str) -> memory_service_pb2.DeleteMemoryRequest:
    """A deletion."""
    return memory_service_pb2.DeleteMemoryRequest(
        namespace=namespace, memory_id=memory_id, caller=CALLER
    )


def find(
    namespace: str, query: str, at_least_revision: str
) -> memory_service_pb2.FindCandidatesRequest:
    """A search of everything that the agent may see, at a revision."""
    return memory_service_pb2.FindCandidatesRequest(
        namespace=namespace, query=query, caller=CALLER, at_least_revision=at_least_revision
    )


def assign(
    namespace: str, places: Sequence[tuple[str, str]], expected: str, assigned: str
) -> topic_service_pb2.AssignTopicMembersRequest:
    """An assignment of (memory, topic), decided on the topics of a revision."""
    return topic_service_pb2.AssignTopicMembersRequest(
        namespace=namespace,
        assignments=[
            topic_service_pb2.TopicAssignment(memory_id=memory_id, topic_id=topic, label=topic)
            for memory_id, topic in places
        ],
        expected_topics_revision=expected,
        assigned_revision=assigned,
    )
