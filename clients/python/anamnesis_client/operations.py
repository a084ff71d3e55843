"""The operations of a client, each written once: requests in, answers out, no I/O.

They are generators, see `steps`; the drivers `sync` and `aio` run them.
"""

import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from anamnesis.ingestion.v1.ingestion_service_pb2 import (
    AppendEventsRequest,
    EndSessionRequest,
)
from anamnesis.memory.v1.event_pb2 import Event as StoredEvent
from anamnesis.memory.v1.event_pb2 import Visibility
from anamnesis.memory.v1.filter_pb2 import MemoryFilter, TimeRange
from anamnesis.memory.v1.knowledge_service_pb2 import GetTimelineRequest, ListFactsRequest
from anamnesis.memory.v1.ledger_service_pb2 import ListEventsRequest
from anamnesis.memory.v1.memory_pb2 import MemoryKind
from anamnesis.memory.v1.memory_service_pb2 import (
    BatchGetMemoriesRequest,
    DeleteMemoryRequest,
    ReadPurpose,
)
from anamnesis.memory.v1.palace_service_pb2 import ResolvePointerRequest, SaveNoteRequest
from anamnesis.retrieval.v1.retrieval_pb2 import Detail
from anamnesis.retrieval.v1.retrieval_service_pb2 import BuildContextRequest, SearchRequest
from anamnesis_client import methods
from anamnesis_client.answers import Added, Context, Event, Fact, Forgotten, Found, Memory
from anamnesis_client.convert import (
    added_of,
    context_of,
    event_of,
    fact_of,
    found_of,
    in_full,
    memory_of,
)
from anamnesis_client.errors import AnamnesisError, FieldViolation, InvalidArgument, NotFound
from anamnesis_client.messages import Message, events_of
from anamnesis_client.revisions import Revisions
from anamnesis_client.scope import Scope
from anamnesis_client.steps import Answer, Flow, Method, Patience, Request
from anamnesis_client.times import Time, timestamp
from anamnesis_client.words import value_of

Row = TypeVar("Row")

EVENTS_MAX = 1000
"""Events that one write takes."""
PAGE_MAX = 500

_ANOTHER_PAST = frozenset({"REVISION_OF_ANOTHER_INCARNATION", "REVISION_IN_FUTURE"})
_NOT_THERE = frozenset({"NAMESPACE_NOT_FOUND", "SESSION_NOT_FOUND", "ENTITY_NOT_FOUND"})


@dataclass(frozen=True, slots=True)
class Operations:
    """All that a client can do, for one scope; `revisions` is shared with other scopes."""

    scope: Scope
    revisions: Revisions
    patience: Patience

    def on_behalf(self, user: str | None, agent: str | None, session: str | None) -> "Operations":
        """The same for another user, agent or session; what is None stays as it is."""
        named = {"user": user, "agent": agent, "session": session}
        changed = {name: value for name, value in named.items() if value is not None}
        return replace(self, scope=replace(self.scope, **changed))

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
    ) -> Flow[Added]:
        """Appends messages to a session, and answers when they are durable.

        Args:
            messages: as chat APIs have them: `role`, `content`, and where they have them `name`,
                `time`, `tool_calls`, `tool_call_id`. A message without a time happened just now.
            session: the session; else that of the client.
            label: where they come from, e.g. a channel's name.
            project: what the session is about.
            visibility: "shared", "private_to_user" or "private_to_agent"; else what the
                namespace's policy says. Counts on the first write of the session only.
            participants: the people who take part, where they are several.
            end: no more messages are expected.
        """
        events = events_of(messages)
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
                events=batch, request_id=_new_id(), end_session=end and place == len(batches)
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
            request_id=_new_id(),
            caller=self.scope.caller,
        )
        answer = yield from self.patience.ask(methods.END_SESSION, request)
        self.revisions.wrote(self.scope.namespace, answer.revision)

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
            visibility=value_of(Visibility, visibility, "visibility"),
            expire_time=timestamp(expires, "expires"),
            request_id=_new_id(),
        )
        answer = yield from self.patience.ask(methods.SAVE_NOTE, request)
        self.revisions.wrote(self.scope.namespace, answer.revision)
        return memory_of(answer.memory)

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        full: bool = True,
        kinds: Sequence[str] = (),
        tags: Sequence[str] = (),
        entities: Sequence[str] = (),
        sessions: Sequence[str] = (),
        after: Time | None = None,
        before: Time | None = None,
        as_of: Time | None = None,
    ) -> Flow[Found]:
        """Finds the memories that answer a query, best first.

        Args:
            query: what is asked.
            limit: at most so many, up to 100.
            full: with their whole texts, which is one call more; else with a line each.
            kinds: only of these: "episodic", "semantic", "procedural", "learning".
            tags: only with one of these.
            entities: only what mentions one of these.
            sessions: only from these.
            after: only what happened then or later.
            before: only what happened earlier.
            as_of: facts that did not hold then take no part.
        """
        request = SearchRequest(
            namespace=self.scope.namespace,
            query=query,
            limit=limit,
            detail=Detail.DETAIL_L0,
            filter=_filter(kinds, tags, entities, sessions, after, before),
            caller=self.scope.caller,
            as_of=timestamp(as_of, "as_of"),
            at_least_revision=self._seen,
        )
        found = found_of((yield from self._read(methods.SEARCH, request)))
        if not full or not found:
            return found
        ids = [hit.id for hit in found]
        memories = yield from self._memories(ids, ReadPurpose.READ_PURPOSE_SEARCH)
        return in_full(found, {memory.id: memory for memory in memories})

    def context(
        self,
        query: str,
        *,
        budget: int | None = None,
        limit: int | None = None,
        pointers: bool = False,
        exclude_shown: bool = False,
        kinds: Sequence[str] = (),
        tags: Sequence[str] = (),
        sessions: Sequence[str] = (),
        as_of: Time | None = None,
    ) -> Flow[Context]:
        """Builds the block of text that a prompt should know; empty where nothing is relevant.

        Args:
            query: what the prompt is about.
            budget: tokens that the text may have; else what the namespace's policy says.
            limit: at most so many memories.
            pointers: write each memory's pointer before it.
            exclude_shown: leave out what earlier contexts of this session told.
            kinds: only of these, as in `search`.
            tags: only with one of these.
            sessions: only from these.
            as_of: facts that did not hold then take no part.
        """
        request = BuildContextRequest(
            namespace=self.scope.namespace,
            query=query,
            limit=limit or 0,
            token_budget=budget or 0,
            filter=_filter(kinds, tags, (), sessions, None, None),
            caller=self.scope.caller,
            as_of=timestamp(as_of, "as_of"),
            pointers=pointers,
            exclude_shown=exclude_shown,
            at_least_revision=self._seen,
        )
        return context_of((yield from self._read(methods.BUILD_CONTEXT, request)))

    def facts(
        self,
        subject: str | None = None,
        *,
        predicate: str = "",
        object: str = "",  # noqa: A002  # as the contracts name it
        as_of: Time | None = None,
        known_at: Time | None = None,
        limit: int = PAGE_MAX,
    ) -> Flow[tuple[Fact, ...]]:
        """Lists facts by their beginning.

        Args:
            subject: of this one, or of the entity that has this name; else of all.
            predicate: with this predicate, e.g. "lives_in".
            object: with this object.
            as_of: those that held then; else of all times.
            known_at: as they were known then; else as they are known now.
            limit: at most so many.
        """
        page = partial(
            ListFactsRequest,
            namespace=self.scope.namespace,
            caller=self.scope.caller,
            subject=subject or "",
            predicate=predicate,
            object=object,
            as_of=timestamp(as_of, "as_of"),
            known_at=timestamp(known_at, "known_at"),
            at_least_revision=self._seen,
        )
        return (
            yield from self._pages(
                methods.LIST_FACTS,
                page,
                lambda answer: (map(fact_of, answer.facts), answer.next_page_token),
                limit,
            )
        )

    def timeline(
        self, name: str, *, known_at: Time | None = None, limit: int = PAGE_MAX
    ) -> Flow[tuple[Fact, ...]]:
        """Lists all facts about somebody or something over time; none for a name nobody has.

        Args:
            name: one of the names.
            known_at: as they were known then; else as they are known now.
            limit: at most so many.
        """
        page = partial(
            GetTimelineRequest,
            namespace=self.scope.namespace,
            caller=self.scope.caller,
            name=name,
            known_at=timestamp(known_at, "known_at"),
            at_least_revision=self._seen,
        )
        return (
            yield from self._pages(
                methods.GET_TIMELINE,
                page,
                lambda answer: (map(fact_of, answer.facts), answer.next_page_token),
                limit,
            )
        )

    def events(
        self, session: str | None = None, *, first: int = 0, limit: int | None = None
    ) -> Flow[tuple[Event, ...]]:
        """Reads the messages of a session as they were said; none where there is no such session.

        Args:
            session: the session; else that of the client.
            first: from this index on.
            limit: at most so many; else all.
        """
        page = partial(
            ListEventsRequest,
            namespace=self.scope.namespace,
            session_id=session or self.scope.session,
            caller=self.scope.caller,
            at_least_revision=self._seen,
            first_event_index=first,
        )
        return (
            yield from self._pages(
                methods.LIST_EVENTS,
                page,
                lambda answer: (map(event_of, answer.events), answer.next_page_token),
                limit,
            )
        )

    def get(self, ids: str | Iterable[str]) -> Flow[tuple[Memory, ...]]:
        """Reads memories in full, by id or by pointer; what is not there is left out.

        Args:
            ids: ids, or pointers such as "§ W-001/R-01/D-001".
        """
        named = yield from self._named(ids, ReadPurpose.READ_PURPOSE_FETCH)
        return tuple(named.values())

    def forget(
        self,
        ids: str | Iterable[str] = (),
        *,
        query: str = "",
        limit: int = 10,
        dry_run: bool = True,
    ) -> Flow[Forgotten]:
        """Deletes memories for good, with what was derived from them alone.

        A dry run, which it is unless it is said otherwise, only tells which these would be: look
        at them, then hand the right `ids` in with `dry_run=False`.

        Args:
            ids: ids or pointers; or
            query: the memories that answer it, as in `search`.
            limit: of a query at most so many.
            dry_run: tell, and delete nothing.
        """
        asked = [ids] if isinstance(ids, str) else list(ids)
        if bool(asked) == bool(query):
            told = FieldViolation("ids", "name ids or a query, one of the two")
            raise InvalidArgument("", reason="FIELD_INVALID", violations=(told,))
        if query:
            found = yield from self.search(query, limit=limit)
            named = {hit.id: hit.memory for hit in found}
        else:
            named = yield from self._named(asked, ReadPurpose.READ_PURPOSE_INTERNAL)
        missing = tuple(each for each in asked if each not in named)
        memories = tuple(named.values())
        if dry_run:
            return Forgotten(memories, dry_run=True, missing=missing)
        return (yield from self._delete(memories, missing))

    def _delete(self, memories: Sequence[Memory], missing: tuple[str, ...]) -> Flow[Forgotten]:
        """Deletes memories one by one; one that went in between went with another of them."""
        for memory in memories:
            request = DeleteMemoryRequest(
                namespace=self.scope.namespace,
                memory_id=memory.id,
                caller=self.scope.caller,
                request_id=_new_id(),
            )
            try:
                answer = yield from self.patience.ask(methods.DELETE_MEMORY, request)
            except NotFound:
                continue
            self.revisions.wrote(self.scope.namespace, answer.revision)
        return Forgotten(tuple(memories), dry_run=False, missing=missing, revision=self._seen)

    def _named(
        self, ids: str | Iterable[str], purpose: ReadPurpose.ValueType
    ) -> Flow[dict[str, Memory]]:
        """The memories of ids and pointers, by what they were asked for and in that order."""
        names = [ids] if isinstance(ids, str) else list(ids)
        plain = [name for name in names if not _is_pointer(name)]
        memories = yield from self._memories(plain, purpose)
        by_name = {memory.id: memory for memory in memories}
        for pointer in filter(_is_pointer, names):
            memory = yield from self._at(pointer)
            by_name |= {pointer: memory} if memory else {}
        return {name: by_name[name] for name in names if name in by_name}

    def _at(self, pointer: str) -> Flow[Memory | None]:
        request = ResolvePointerRequest(
            namespace=self.scope.namespace,
            caller=self.scope.caller,
            pointer=pointer,
            at_least_revision=self._seen,
        )
        answer = yield from self._read(methods.RESOLVE_POINTER, request)
        return memory_of(answer.memory) if answer.HasField("memory") else None

    def _memories(
        self, ids: Sequence[str], purpose: ReadPurpose.ValueType
    ) -> Flow[tuple[Memory, ...]]:
        memories: list[Memory] = []
        for start in range(0, len(ids), PAGE_MAX):
            request = BatchGetMemoriesRequest(
                namespace=self.scope.namespace,
                memory_ids=ids[start : start + PAGE_MAX],
                caller=self.scope.caller,
                at_least_revision=self._seen,
                purpose=purpose,
            )
            answer = yield from self._read(methods.BATCH_GET_MEMORIES, request)
            memories.extend(map(memory_of, answer.memories))
        return tuple(memories)

    def _pages(
        self,
        method: Method[Request, Answer],
        page: Callable[..., Request],
        rows: Callable[[Answer], tuple[Iterable[Row], str]],
        limit: int | None,
    ) -> Flow[tuple[Row, ...]]:
        """The rows of a list, page by page, until there are no more or there are enough."""
        found: list[Row] = []
        token = ""
        while limit is None or len(found) < limit:
            size = PAGE_MAX if limit is None else min(limit - len(found), PAGE_MAX)
            request = page(page_size=size, page_token=token)
            more, token = rows((yield from self._read(method, request)))
            found.extend(more)
            if not token:
                break
        return tuple(found)

    @property
    def _seen(self) -> str:
        return self.revisions.of(self.scope.namespace)

    def _read(self, method: Method[Request, Answer], request: Request) -> Flow[Answer]:
        """The answer of a read; an empty one where what it asks about is not there.

        Where the namespace has another past than the one that was written to (it was deleted and
        made anew, or restored), what was written is forgotten and nothing is waited for.
        """
        try:
            return (yield from self.patience.ask(method, request))
        except AnamnesisError as error:
            if error.reason in _NOT_THERE:
                return method.answer()
            if error.reason not in _ANOTHER_PAST:
                raise
            self.revisions.drop(self.scope.namespace)
            request.ClearField("at_least_revision")
        return (yield from self.patience.ask(method, request))


def _batches(events: list[StoredEvent]) -> list[list[StoredEvent]]:
    return [events[start : start + EVENTS_MAX] for start in range(0, len(events), EVENTS_MAX)]


def _sum(before: Added, batch: Added) -> Added:
    return replace(
        batch,
        appended=before.appended + batch.appended,
        replaced=before.replaced + batch.replaced,
        unchanged=before.unchanged + batch.unchanged,
    )


def _filter(
    kinds: Sequence[str],
    tags: Sequence[str],
    entities: Sequence[str],
    sessions: Sequence[str],
    after: Time | None,
    before: Time | None,
) -> MemoryFilter:
    start, end = timestamp(after, "after"), timestamp(before, "before")
    return MemoryFilter(
        kinds=[value_of(MemoryKind, kind, "kinds") for kind in kinds],
        tags=tags,
        entities=entities,
        session_ids=sessions,
        time_range=TimeRange(start_time=start, end_time=end) if start or end else None,
    )


def _is_pointer(name: str) -> bool:
    return name.lstrip().startswith("§")


def _new_id() -> str:
    """An id for one write, however often it is sent: sent again, it is stored once."""
    return uuid.uuid4().hex
