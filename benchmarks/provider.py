"""The suite in the shape in which public benchmark runners drive a memory.

    memory = Provider("127.0.0.1:50051", "my-run")
    memory.reset()
    memory.ingest([Document("d1", "I am allergic to nuts.", user="ann", time=some_datetime)])
    found = memory.retrieve("What can Ann not eat?", k=10, user="ann", time=another_datetime)
    [(each.document.id, each.score) for each in found]
    memory.cleanup()

A runner has documents (messages, or whole conversations), which go into one namespace, and asks for
the k best of them for a query, a user and a time. What names a user is that user's alone: a query
without a user finds what names none. Methods may be called by several threads at once.
"""

import hashlib
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Literal

import grpc

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.ingestion.v1.ingestion_service_pb2 import AppendEventsRequest
from anamnesis.ingestion.v1.ingestion_service_pb2_grpc import IngestionServiceStub
from anamnesis.memory.v1.admin_service_pb2 import DeleteNamespaceRequest, GetNamespaceRequest
from anamnesis.memory.v1.admin_service_pb2_grpc import AdminServiceStub
from anamnesis.memory.v1.event_pb2 import ROLE_ASSISTANT, ROLE_USER, Event
from anamnesis.memory.v1.memory_pb2 import Memory
from anamnesis.retrieval.v1.retrieval_service_pb2 import SearchRequest, SearchResponse
from anamnesis.retrieval.v1.retrieval_service_pb2_grpc import RetrievalServiceStub

EVENTS_AT_ONCE_MAX = 100
BYTES_AT_ONCE_MAX = 1 << 20
PAGE_RESULTS = 50

_MESSAGE_BYTES_MAX = 16 << 20
_TIMEOUT_S = 120.0
# A search waits until all that was ingested has its vectors.
_SEARCH_S = 1_800.0
_ROLES = {"user": ROLE_USER, "assistant": ROLE_ASSISTANT}


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a document that is a conversation; `name` is its speaker's, if known."""

    role: Literal["user", "assistant"]
    text: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """One thing to remember.

    Attributes:
        id: the runner's, once for each user.
        text: what is remembered, unless there are messages.
        user: whose it is; empty: everybody's.
        time: when it was said, in UTC where it names no zone; None: now.
        session: what belongs together has the same; empty: a session of its own.
        messages: the text as a conversation, where the runner has it message by message.
    """

    id: str
    text: str
    user: str = ""
    time: datetime | None = None
    session: str = ""
    messages: Sequence[Message] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """A document that answers a query, with the score of the best that was found in it."""

    document: Document
    score: float


_Place = tuple[str, int]
"""A session of the suite, and an index in it."""


class Provider:
    """A running suite as a benchmark runner's memory; what it holds is in one namespace."""

    def __init__(self, address: str, namespace: str) -> None:
        """Connect to the suite at `host:port`; `reset` empties the namespace, nothing else does."""
        options = [("grpc.max_receive_message_length", _MESSAGE_BYTES_MAX)]
        self._channel = grpc.insecure_channel(address, options)
        self._ingestion = IngestionServiceStub(self._channel)
        self._retrieval = RetrievalServiceStub(self._channel)
        self._admin = AdminServiceStub(self._channel)
        self._namespace = namespace
        self._writing = threading.Lock()
        self._forget()

    def ingest(self, documents: Iterable[Document]) -> None:
        """Store documents, each after those of its session that are there.

        The same ones again change nothing, so that what failed can be sent again.

        Raises:
            ValueError: a document's user has another one of its id; nothing is stored.
            RpcError: the suite refused a document; those before it are stored.
        """
        with self._writing:
            for (user, session_id), own in groupby(self._fresh(documents), key=_session_of):
                self._store(user, session_id, list(own))

    def retrieve(
        self, query: str, k: int = 10, user: str = "", time: datetime | None = None
    ) -> list[Found]:
        """The k best documents, best first; fewer where no more have to do with the query.

        All that was ingested takes part. `time` is that of the query; None: now.

        Raises:
            RpcError: the suite could not answer.
        """
        found: dict[tuple[str, str], Found] = {}
        for memory, score in self._ranked(query, user, time):
            if not memory.HasField("event_index"):
                continue  # learned from documents, and none itself
            document = self._documents.get((memory.session_id, memory.event_index))
            if document is not None:
                found.setdefault((document.user, document.id), Found(document, score))
            if len(found) >= k:
                break
        return list(found.values())

    @property
    def degraded(self) -> Sequence[str]:
        """Reasons why anything could not take part in a search so far; normally none."""
        return sorted(self._degraded)

    def reset(self) -> None:
        """Erase the namespace with all that was ingested."""
        with self._writing:
            named = GetNamespaceRequest(namespace=self._namespace)
            try:
                namespace = self._admin.GetNamespace(named, timeout=_TIMEOUT_S).namespace
            except grpc.RpcError as failed:
                if failed.code() is not grpc.StatusCode.NOT_FOUND:
                    raise
            else:
                request = DeleteNamespaceRequest(
                    namespace=self._namespace, incarnation=namespace.incarnation
                )
                self._admin.DeleteNamespace(request, timeout=_TIMEOUT_S)
            self._forget()

    def cleanup(self) -> None:
        """Close the connection; what was ingested stays."""
        self._channel.close()

    def _forget(self) -> None:
        self._known: dict[tuple[str, str], Document] = {}
        self._documents: dict[_Place, Document] = {}
        self._lengths: Counter[str] = Counter()
        self._revision = ""
        self._degraded: set[str] = set()

    def _fresh(self, documents: Iterable[Document]) -> list[Document]:
        """The documents that were not ingested before.

        Raises:
            ValueError: another one of the same id was.
        """
        fresh: dict[tuple[str, str], Document] = {}
        for document in documents:
            key = (document.user, document.id)
            known = self._known.get(key) or fresh.setdefault(key, document)
            if known != document:
                raise ValueError(f"another document {document.id!r} was ingested before")
        return list(fresh.values())

    def _store(self, user: str, session_id: str, documents: Sequence[Document]) -> None:
        """Append documents to a session; they count as ingested once all of them are there."""
        told = [
            (document, message)
            for document in documents
            for message in document.messages or (Message("user", document.text),)
        ]
        first = self._lengths[session_id]
        events = [_event(index, *pair) for index, pair in enumerate(told, first)]
        for batch in _batches(events):
            self._append(user, session_id, batch)
        for event, (document, _) in zip(events, told, strict=True):
            self._documents[session_id, event.index] = document
        self._lengths[session_id] = first + len(events)
        self._known.update(((document.user, document.id), document) for document in documents)

    def _append(self, user: str, session_id: str, events: Sequence[Event]) -> None:
        request = AppendEventsRequest(
            namespace=self._namespace,
            session_id=session_id,
            user_id=user,
            events=events,
            use_server_time=True,
        )
        self._revision = self._ingestion.AppendEvents(request, timeout=_TIMEOUT_S).revision

    def _ranked(
        self, query: str, user: str, time: datetime | None
    ) -> Iterator[tuple[Memory, float]]:
        """The memories that answer, best first, page by page."""
        request = SearchRequest(
            namespace=self._namespace,
            query=query,
            caller=Caller(user_id=user),
            limit=PAGE_RESULTS,
            at_least_revision=self._revision,
        )
        if time is not None:
            request.now.FromDatetime(time)
        while True:
            page: SearchResponse = self._retrieval.Search(request, timeout=_SEARCH_S)
            self._degraded.update(page.degraded)
            yield from ((result.memory, result.score) for result in page.results)
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token


def _session_of(document: Document) -> tuple[str, str]:
    """Whose session it is, and its id in the suite, where two users may have one of the same id."""
    alone = document.session == ""
    named = "\0".join((document.user, "document" if alone else "session"))
    text = f"{named}\0{document.id if alone else document.session}"
    return document.user, hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _event(index: int, document: Document, message: Message) -> Event:
    event = Event(index=index, role=_ROLES[message.role], name=message.name, content=message.text)
    if document.time is not None:
        event.event_time.FromDatetime(document.time)
    return event


def _batches(events: Iterable[Event]) -> Iterator[list[Event]]:
    """Events in the order given, as many together as one request takes."""
    batch: list[Event] = []
    held = 0
    for event in events:
        size = event.ByteSize()
        if batch and (len(batch) == EVENTS_AT_ONCE_MAX or held + size > BYTES_AT_ONCE_MAX):
            yield batch
            batch, held = [], 0
        batch.append(event)
        held += size
    if batch:
        yield batch
