"""Writes: messages, the end of a session, notes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from anamnesis.ingestion.v1.ingestion_service_pb2 import AppendEventsRequest, EndSessionRequest
from anamnesis.memory.v1.event_pb2 import Event, Visibility
from anamnesis.memory.v1.ledger_service_pb2 import TruncateSessionRequest
from anamnesis.memory.v1.palace_service_pb2 import SaveNoteRequest
from anamnesis_client import methods
from anamnesis_client.answers import Added, Memory
from anamnesis_client.asking import Asking, new_id
from anamnesis_client.convert import added_of, memory_of
from anamnesis_client.messages import Message, events_of
from anamnesis_client.steps import Flow
from anamnesis_client.times import Time, offset_minutes, timestamp
from anamnesis_client.words import value_of

EVENTS_MAX = 1000
"""Events that one call takes."""


@dataclass(frozen=True, slots=True)
class Writes(Asking):
    """The operations that store something."""

    def add(
        self,
        messages: Iterable[Message],
        *,
        session: str | None = None,
        label: str = "",
        project: str = "",
        visibility: str = "",
        participants: Sequence[str] = (),
        end: bool = False,
        first: int | None = None,
        request_id: str = "",
    ) -> Flow[Added]:
        """Appends messages to a session, and answers when they are durable.

        Args:
            messages: as chat APIs have them: `role`, `content`, and where they have them `name`,
                `time`, `tool_calls`, `tool_call_id`. A message without a time happened just now; a
                time with an offset from UTC is of the speaker's day.
            session: the session; else that of the client.
            label: where they come from, e.g. a channel's name.
            project: what the session is about.
            visibility: "shared", "private_to_user" or "private_to_agent"; else what the
                namespace's policy says. Counts on the first write of the session only.
            participants: the people who take part, where they are several.
            end: no more messages are expected.
            first: the place of the first of these messages in the session; what is there already
                changes nothing, another message takes the place of the one there. Else they follow
                the last one.
            request_id: names this write: within a day it is stored once, however often it is
                sent. Else each call is a write of its own.
        """
        events = events_of(messages, self.scope.time_zone)
        for place, event in enumerate(events if first is not None else (), first or 0):
            event.index = place
        into = AppendEventsRequest(
            namespace=self.scope.namespace,
            session_id=session or self.scope.session,
            agent_id=self.scope.agent,
            user_id=self.scope.user,
            use_server_time=True,
            label=label,
            visibility=value_of(Visibility, visibility, "visibility"),
            project=project,
            participants=participants,
        )
        total = Added(into.session_id, 0, 0, 0, 0, "")
        batches = _batches(events) or [[]] * end
        for place, batch in enumerate(batches, 1):
            request = AppendEventsRequest(
                events=batch,
                request_id=f"{request_id}/{place}" if request_id else new_id(),
                end_session=end and place == len(batches),
            )
            request.MergeFrom(into)
            answer = yield from self.patience.ask(methods.APPEND_EVENTS, request)
            self.revisions.wrote(self.scope.namespace, answer.revision)
            total = _sum(total, added_of(answer))
        return total

    def end_session(self, session: str | None = None) -> Flow[None]:
        """Ends a session: no more messages are expected, and what it teaches can be learned."""
        request = EndSessionRequest(
            namespace=self.scope.namespace,
            session_id=session or self.scope.session,
            request_id=new_id(),
            caller=self.scope.caller,
        )
        answer = yield from self.patience.ask(methods.END_SESSION, request)
        self.revisions.wrote(self.scope.namespace, answer.revision)

    def truncate(self, first: int, session: str | None = None) -> Flow[int]:
        """Takes back the end of a session, with what was learned from that alone.

        What is added next takes the places again. Done again it changes nothing.

        Args:
            first: the place of the first message that goes; 0 takes all of them.
            session: the session; else that of the client.

        Returns:
            How many messages went.
        """
        request = TruncateSessionRequest(
            namespace=self.scope.namespace,
            caller=self.scope.caller,
            session_id=session or self.scope.session,
            first_event_index=first,
        )
        answer = yield from self.patience.ask(methods.TRUNCATE_SESSION, request)
        self.revisions.wrote(self.scope.namespace, answer.receipt.revision)
        return answer.receipt.records["events"]

    def note(
        self,
        text: str,
        *,
        time: Time | None = None,
        project: str = "",
        session: str = "",
        visibility: str = "",
        expires: Time | None = None,
    ) -> Flow[Memory]:
        """Puts a text into a drawer of its own, in the wing of the user, the project or the agent.

        Args:
            text: what is to be remembered.
            time: when what it tells happened; else now.
            project: what it is about.
            session: the session that it belongs to; else the notes of its owner.
            visibility: as in `add`.
            expires: when it is to be forgotten.
        """
        request = SaveNoteRequest(
            namespace=self.scope.namespace,
            content=text,
            user_id=self.scope.user,
            agent_id=self.scope.agent,
            project=project,
            session_id=session,
            event_time=timestamp(time, "time"),
            utc_offset_minutes=offset_minutes(time, self.scope.time_zone),
            visibility=value_of(Visibility, visibility, "visibility"),
            expire_time=timestamp(expires, "expires"),
            request_id=new_id(),
        )
        answer = yield from self.patience.ask(methods.SAVE_NOTE, request)
        self.revisions.wrote(self.scope.namespace, answer.revision)
        return memory_of(answer.memory)


def _batches(events: list[Event]) -> list[list[Event]]:
    return [events[start : start + EVENTS_MAX] for start in range(0, len(events), EVENTS_MAX)]


def _sum(before: Added, batch: Added) -> Added:
    return replace(
        batch,
        appended=before.appended + batch.appended,
        replaced=before.replaced + batch.replaced,
        unchanged=before.unchanged + batch.unchanged,
    )
