"""A namespace to plant texts in, and what is planted: events, facts, lessons, procedures."""

from collections.abc import Sequence
from dataclasses import dataclass

from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.ingestion.v1 import ingestion_service_pb2 as ingestion
from anamnesis.memory.v1 import event_pb2, memory_pb2
from anamnesis.memory.v1 import memory_service_pb2 as memory
from tests.support.clients import Clients

NOW = Timestamp(seconds=1_780_000_000)
Texts = Sequence[str]


@dataclass(frozen=True, slots=True)
class Soil:
    """A namespace of a running suite, and what is planted in it."""

    clients: Clients
    space: str
    texts: Texts
    speakers: tuple[str, ...] = ()
    """Who says it, and whom it is said to by name; empty: nobody is named."""

    @property
    def greetings(self) -> list[tuple[str, str]]:
        """Each speaker, and how that one greets the next."""
        turned = (*self.speakers[1:], *self.speakers[:1])
        return [(one, f"hm, {other}?") for one, other in zip(self.speakers, turned, strict=True)]

    def fitting(self, chars_max: int) -> Texts:
        """The texts that are short enough for a field."""
        return [text for text in self.texts if len(text) <= chars_max]


def event(role: "event_pb2.Role.ValueType", content: str, **fields: object) -> event_pb2.Event:
    """One event, at a moment."""
    made = event_pb2.Event(role=role, content=content, event_time=NOW)
    made.MergeFrom(event_pb2.Event(**fields))  # type: ignore[arg-type]
    return made


async def append(
    soil: Soil,
    session_id: str,
    said: Sequence[event_pb2.Event],
    label: str = "",
    *,
    end_session: bool = False,
) -> None:
    """Events into a session, in as many writes as they take."""
    for start in range(0, len(said), 500):
        request = ingestion.AppendEventsRequest(
            namespace=soil.space,
            session_id=session_id,
            agent_id="a",
            events=said[start : start + 500],
            label=label,
            end_session=end_session,
        )
        await soil.clients.ingestion.AppendEvents(request)


def short(texts: Texts, chars_max: int = 128) -> list[str]:
    """Those that fit a field."""
    return [text for text in texts if len(text) <= chars_max]


def fact(text: str) -> memory.NewMemory:
    """A fact that says it in every part."""
    part = memory_pb2.Fact(
        subject=text,
        predicate=text,
        object=text,
        persons=short([text], 256),
        location=text,
        topic=text[:256],
    )
    return memory.NewMemory(
        kind=memory_pb2.MEMORY_KIND_SEMANTIC,
        content=text,
        tags=short([text]),
        entities=short([text], 256),
        fact=part,
    )


def lesson(text: str) -> memory.NewMemory:
    """A lesson that says it in every part."""
    part = memory_pb2.Lesson(title=text, context=text, resolution=text)
    return memory.NewMemory(kind=memory_pb2.MEMORY_KIND_LEARNING, content=text, lesson=part)


def procedure(text: str) -> memory.NewMemory:
    """A procedure that says it in every part."""
    step = memory_pb2.ProcedureStep(
        action=text[:256], spec=text, success_criteria=text, on_failure=text
    )
    part = memory_pb2.Procedure(
        name=text[:256], goal=text, steps=[step], avoid=[text], trigger_tags=short([text])
    )
    return memory.NewMemory(kind=memory_pb2.MEMORY_KIND_PROCEDURAL, content=text, procedure=part)
