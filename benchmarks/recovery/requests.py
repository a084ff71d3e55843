"""The requests of the five writers: texts that nobody else sends, in each way to write."""

import random
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass

from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.ingestion.v1.ingestion_service_pb2 import AppendEventsRequest
from anamnesis.memory.v1.event_pb2 import ROLE_USER, Event
from anamnesis.memory.v1.memory_pb2 import MEMORY_KIND_LEARNING
from anamnesis.memory.v1.memory_service_pb2 import CreateMemoryRequest, NewMemory
from benchmarks.stubs import CALL_S_MAX, Stubs

SPACE = "recovery"
BATCH = 8
REFUSED_EVERY = 7
_TALK_AT_S = 1_770_000_000
_WORDS = ("amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heath", "inlet", "jetty")


@dataclass(frozen=True, slots=True)
class Request:
    """One write: the texts that it stores, all or none, and whether it may be sent again.

    `send` answers how many of its events had been stored before.
    """

    texts: tuple[str, ...]
    send: Callable[[Stubs], Awaitable[int]]
    repeatable: bool = True
    events: bool = True


def writers() -> dict[str, Iterator[Request]]:
    """The endless requests of each writer, by its name."""
    return {
        "events-a": _indexed("events-a", 1),
        "events-b": _indexed("events-b", 1),
        "batches": _indexed("batches", BATCH),
        "lessons": _lessons("lessons"),
        "once": _once("once"),
    }


def text_of(writer: str, number: int) -> str:
    """A text that comes once; its first word finds it."""
    generator = random.Random(f"{writer} {number}")
    words = " ".join(generator.choices(_WORDS, k=6))
    return f"token{writer.replace('-', '')}x{number} was counted near the {words}."


def _indexed(writer: str, size: int) -> Iterator[Request]:
    """Events with an index, safe to send again; now and then a batch that is refused whole."""
    index = 0
    while True:
        texts = [text_of(writer, number) for number in range(index, index + size)]
        yield _append(writer, texts, index)
        index += size
        if (index // size) % REFUSED_EVERY == 0:
            bad = [f"refused {text}" for text in texts]
            yield _append(writer, [*bad, ""], index)


def _once(writer: str) -> Iterator[Request]:
    """Events without index or request id: sent once, whatever comes back."""
    number = 0
    while True:
        yield _append(writer, [text_of(writer, number)], None)
        number += 1


def _lessons(writer: str) -> Iterator[Request]:
    """Memories with a request id; now and then another text under an id that was used."""
    number = 0
    while True:
        yield _create(text_of(writer, number), f"{writer}-{number}")
        if number % REFUSED_EVERY == 0:
            yield _create(f"refused {text_of(writer, number)}", f"{writer}-{number}")
        number += 1


def _append(session_id: str, texts: list[str], first: int | None) -> Request:
    request = AppendEventsRequest(
        namespace=SPACE,
        session_id=session_id,
        events=[
            _event(text, None if first is None else first + position)
            for position, text in enumerate(texts)
        ],
    )

    async def send(stubs: Stubs) -> int:
        answer = await stubs.ingestion.AppendEvents(request, timeout=CALL_S_MAX)
        return answer.unchanged

    return Request(tuple(filter(None, texts)), send, repeatable=first is not None)


def _event(text: str, index: int | None) -> Event:
    return Event(
        index=index,
        role=ROLE_USER,
        content=text,
        event_time=Timestamp(seconds=_TALK_AT_S + (index or 0)),
    )


def _create(text: str, request_id: str) -> Request:
    request = CreateMemoryRequest(
        namespace=SPACE,
        memory=NewMemory(kind=MEMORY_KIND_LEARNING, content=text),
        request_id=request_id,
    )

    async def send(stubs: Stubs) -> int:
        await stubs.memory.CreateMemory(request, timeout=CALL_S_MAX)
        return 0

    return Request((text,), send, events=False)
