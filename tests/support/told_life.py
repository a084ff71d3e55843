"""The life of `tests/data/story`, told over gRPC: each entry at the instant of its record."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from google.protobuf.timestamp_pb2 import Timestamp
from grpc import StatusCode, aio

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import event_pb2, knowledge_pb2, memory_pb2
from anamnesis.memory.v1 import knowledge_service_pb2 as pb
from anamnesis.memory.v1.knowledge_service_pb2_grpc import KnowledgeServiceAsyncStub
from tests.support import story
from tests.support.clock import SetClock

TIMEOUT_S = 60


@dataclass(slots=True)
class ToldLife:
    """What was told, by the ids of the entries.

    `clock` is the server's; the life begins when the clock was started.
    """

    knowledge: "KnowledgeServiceAsyncStub"
    clock: SetClock
    namespace: str
    facts: dict[str, pb.AssertFactResponse] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)

    async def tell_all(self) -> None:
        """Tell every entry, in the order of the file."""
        for row in story.rows("assertions"):
            self._move_to(story.first_instant(row["recorded"]))
            if "retract" in row:
                await self._retract(row["retract"])
            else:
                await self._tell(row)

    async def answer(self, question: story.Question) -> list[knowledge_pb2.KnownFact]:
        """What holds, as the question asks."""
        facts: list[knowledge_pb2.KnownFact] = []
        request = asked(question, self.namespace)
        while True:
            page = await self.knowledge.ListFacts(request, timeout=TIMEOUT_S)
            facts += page.facts
            if not page.next_page_token:
                return facts
            request.page_token = page.next_page_token

    async def _tell(self, row: dict[str, str]) -> None:
        try:
            self.facts[row["id"]] = await self.knowledge.AssertFact(
                assertion(row, self.namespace), timeout=TIMEOUT_S
            )
        except aio.AioRpcError as error:
            if error.code() is not StatusCode.INVALID_ARGUMENT:
                raise
            self.refused.append(row["id"])

    async def _retract(self, told_id: str) -> None:
        memory = self.facts[told_id].fact.memory
        await self.knowledge.RetractFact(
            pb.RetractFactRequest(
                namespace=self.namespace,
                memory_id=memory.memory_id,
                caller=Caller(user_id=memory.user_id),
            ),
            timeout=TIMEOUT_S,
        )

    def _move_to(self, moment: datetime) -> None:
        self.clock.move(microseconds=(moment - self.clock.now()) // timedelta(microseconds=1))


def assertion(row: dict[str, str], namespace: str) -> pb.AssertFactRequest:
    """An entry as a request: with its precision where both its dates have it, else by instants."""
    user = row.get("private_to", "")
    request = pb.AssertFactRequest(
        namespace=namespace,
        subject=row["subject"],
        predicate=row["predicate"],
        object=row["object"],
        source=row["source"],
        user_id=user,
        visibility=event_pb2.VISIBILITY_PRIVATE_TO_USER if user else event_pb2.VISIBILITY_SHARED,
    )
    begins, ends = row["valid_from"], row.get("valid_to", "")
    precisions = {story.precision(date) for date in (begins, ends) if date}
    if len(precisions) == 1:
        (exact,) = precisions
        request.time_precision = memory_pb2.TimePrecision.Value(f"TIME_PRECISION_{exact.upper()}")
        last = story.first_instant
    else:
        last = story.end_instant
    if begins:
        request.valid_from.CopyFrom(stamp(story.first_instant(begins)))
    if ends:
        request.valid_to.CopyFrom(stamp(last(ends)))
    return request


def asked(question: story.Question, namespace: str, page_size: int = 1) -> pb.ListFactsRequest:
    """A question as a request, in small pages."""
    return pb.ListFactsRequest(
        namespace=namespace,
        subject=question.subject,
        predicate=question.predicate,
        as_of=stamp(story.first_instant(question.as_of or story.manifest()["now"])),
        known_at=stamp(story.first_instant(question.known_at)) if question.known_at else None,
        caller=Caller(user_id=question.caller),
        page_size=page_size,
    )


def stamp(moment: datetime) -> Timestamp:
    """A moment for the wire."""
    made = Timestamp()
    made.FromDatetime(moment)
    return made
