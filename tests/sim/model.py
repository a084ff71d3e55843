"""What must be true: every request that was sent, and what its sender may conclude.

A request is *acknowledged* when an answer came, *refused* when it is certain that nothing
was stored, and *in doubt* otherwise. In doubt it may have happened or not, but as a whole.
Every text names its request, so that what is stored can be traced to who sent it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from anamnesis.ingestion.v1 import ingestion_service_pb2
from anamnesis.memory.v1 import (
    ledger_service_pb2,
    memory_pb2,
    memory_service_pb2,
    topic_service_pb2,
)

Request = (
    ledger_service_pb2.AppendEventsRequest
    | memory_service_pb2.BatchCreateMemoriesRequest
    | memory_service_pb2.DeleteMemoryRequest
    | topic_service_pb2.AssignTopicMembersRequest
    | ingestion_service_pb2.AppendEventsRequest
)
Answer = (
    ledger_service_pb2.AppendEventsResponse
    | memory_service_pb2.BatchCreateMemoriesResponse
    | memory_service_pb2.DeleteMemoryResponse
    | topic_service_pb2.AssignTopicMembersResponse
)

_APPENDS = (
    ledger_service_pb2.AppendEventsRequest,
    ingestion_service_pb2.AppendEventsRequest,
)


class Broken(AssertionError):
    """An invariant does not hold; the message says which and where."""


class Fate(StrEnum):
    """What the sender knows of a request."""

    UNSENT = "unsent"
    REFUSED = "refused"
    DOUBT = "in doubt"
    ACKNOWLEDGED = "acknowledged"


@dataclass(slots=True, eq=False)
class Sent:
    """One request, however often it was delivered. `texts` are those it wants stored."""

    number: int
    namespace: str
    verb: str
    message: Request
    texts: tuple[str, ...] = ()
    fate: Fate = Fate.UNSENT
    answer: Answer | None = None
    revision: int = 0
    sent_at: int = 0
    answered_at: int = 0
    given_up: bool = False
    deliveries: int = 0
    in_hand: bool = False
    """Whether a client is sending it; others leave it alone then."""

    @property
    def request_id(self) -> str:
        """By which a second delivery is known; empty for none."""
        if isinstance(self.message, topic_service_pb2.AssignTopicMembersRequest):
            return ""
        return self.message.request_id

    @property
    def sendings(self) -> int:
        """How often its effect may be seen: a known second delivery has none."""
        return 1 if self.request_id else max(1, self.deliveries)

    @property
    def indexed(self) -> bool:
        """Whether it appends events at indices."""
        message = self.message
        if not isinstance(message, _APPENDS):
            return False
        return bool(message.events) and message.events[0].HasField("index")

    @property
    def created(self) -> list[memory_pb2.Memory]:
        """Memories that its answer named."""
        if not isinstance(self.answer, memory_service_pb2.BatchCreateMemoriesResponse):
            return []
        return list(self.answer.memories)

    @property
    def promised(self) -> list[tuple[str, str]]:
        """Ids and texts that its answer said are stored."""
        if not isinstance(self.answer, ledger_service_pb2.AppendEventsResponse):
            return [(memory.memory_id, memory.content) for memory in self.created]
        pairs = zip(self.answer.results, self.texts, strict=True)
        return [(result.memory_id, text) for result, text in pairs if result.memory_id]

    @property
    def places(self) -> list[tuple[str, str]]:
        """Memory and topic of each assignment."""
        if not isinstance(self.message, topic_service_pb2.AssignTopicMembersRequest):
            return []
        return [(one.memory_id, one.topic_id) for one in self.message.assignments]

    @property
    def took_a_revision(self) -> bool:
        """Whether it certainly took a revision of its own."""
        if isinstance(self.answer, ledger_service_pb2.AppendEventsResponse):
            return bool(self.answer.appended or self.answer.replaced)
        return self.answer is not None and self.verb in ("create", "delete")

    def refused(self) -> None:
        """This delivery stored nothing; an earlier one may have."""
        if self.fate is Fate.UNSENT:
            self.fate = Fate.REFUSED

    def doubtful(self) -> None:
        """No answer came."""
        if self.fate is not Fate.ACKNOWLEDGED:
            self.fate = Fate.DOUBT


@dataclass(slots=True)
class Model:
    """All requests of a run, in the order in which they were first sent."""

    requests: list[Sent] = field(default_factory=list)
    reached: dict[str, int] = field(default_factory=dict)
    """The highest revision that anybody was told, by namespace."""
    text_of: dict[str, str] = field(default_factory=dict)
    """Texts of memories by id, of acknowledged requests."""
    senders: dict[str, list[Sent]] = field(default_factory=dict)
    """Who sent a text."""
    cursors: dict[str, int] = field(default_factory=dict)
    """How far a consumer of the change log has come, by namespace; it outlives crashes."""
    followed: dict[str, dict[str, bool]] = field(default_factory=dict)
    """What the consumer knows, by namespace: memory id to whether it is there."""
    now: int = 0

    def tick(self) -> int:
        """The next moment."""
        self.now += 1
        return self.now

    def send(self, sent: Sent) -> None:
        """Note that a request is about to be delivered for the first time."""
        self.requests.append(sent)
        for text in sent.texts:
            self.senders.setdefault(text, []).append(sent)

    def told(self, namespace: str, token: str) -> int:
        """Note a revision that an answer carried.

        Returns:
            Its number.
        """
        revision = int(token.rpartition("-")[2], 16)
        self.reached[namespace] = max(self.reached.get(namespace, 0), revision)
        return revision

    def of(self, namespace: str, verb: str = "", fate: Fate | None = None) -> Iterator[Sent]:
        """Requests of a namespace, by verb and fate."""
        return (
            sent
            for sent in self.requests
            if sent.namespace == namespace
            and (not verb or sent.verb == verb)
            and (fate is None or sent.fate is fate)
        )

    def story(self) -> str:
        """Everything that was sent, a line each."""
        return "\n".join(
            f"{sent.number} {sent.namespace} {sent.verb}: {sent.fate}, revision {sent.revision}, "
            f"moments {sent.sent_at}-{sent.answered_at}: {' '.join(str(sent.message).split())}"
            for sent in self.requests
        )

    def deleted(self, namespace: str, *, surely: bool) -> set[str]:
        """Ids that deletes named: those acknowledged, or all that may have happened."""
        fates = {Fate.ACKNOWLEDGED} if surely else {Fate.ACKNOWLEDGED, Fate.DOUBT}
        return self._named_by_deletes(namespace, fates)

    def named_by_deletes(self, namespace: str) -> set[str]:
        """Ids that deletes named, whatever became of them."""
        return self._named_by_deletes(namespace, set(Fate))

    def _named_by_deletes(self, namespace: str, fates: set[Fate]) -> set[str]:
        return {
            sent.message.memory_id
            for sent in self.of(namespace)
            if isinstance(sent.message, memory_service_pb2.DeleteMemoryRequest)
            and sent.fate in fates
        }


def check(condition: object, what: str) -> None:
    """Hold an invariant.

    Raises:
        Broken: it does not hold.
    """
    if not condition:
        raise Broken(what)
