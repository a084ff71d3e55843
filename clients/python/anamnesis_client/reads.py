"""Reads: searches, contexts, facts, events, memories."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from anamnesis.cluster.v1.projection_service_pb2 import GetUserProfileRequest
from anamnesis.memory.v1.filter_pb2 import MemoryFilter, TimeRange
from anamnesis.memory.v1.knowledge_service_pb2 import GetTimelineRequest, ListFactsRequest
from anamnesis.memory.v1.ledger_service_pb2 import ListEventsRequest
from anamnesis.memory.v1.memory_pb2 import MemoryKind
from anamnesis.memory.v1.memory_service_pb2 import BatchGetMemoriesRequest, ReadPurpose
from anamnesis.memory.v1.palace_service_pb2 import ResolvePointerRequest
from anamnesis.retrieval.v1.retrieval_pb2 import Detail
from anamnesis.retrieval.v1.retrieval_service_pb2 import BuildContextRequest, SearchRequest
from anamnesis_client import methods
from anamnesis_client.answers import Context, Event, Fact, Found, Memory, Profile
from anamnesis_client.asking import PAGE_MAX, Asking
from anamnesis_client.convert import (
    context_of,
    event_of,
    fact_of,
    found_of,
    in_full,
    memory_of,
    profile_of,
)
from anamnesis_client.steps import Flow
from anamnesis_client.times import Time, timestamp
from anamnesis_client.words import value_of

_POINTER = re.compile(r"\s*(§|W\s*-\s*\d)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reads(Asking):
    """The operations that store nothing."""

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
            kinds: only of these: "episodic", "semantic", "procedural", "learning",
                "document"; none means all but documents.
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
            at_least_revision=self.seen,
            time_zone=self.scope.time_zone,
        )
        found = found_of((yield from self.read(methods.SEARCH, request)))
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
            query: what the prompt is about; empty asks for a brief: rules, the newest facts and
                lessons, where the last sessions stopped.
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
            at_least_revision=self.seen,
            time_zone=self.scope.time_zone,
        )
        return context_of((yield from self.read(methods.BUILD_CONTEXT, request)))

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
            at_least_revision=self.seen,
        )
        return (
            yield from self.pages(
                methods.LIST_FACTS,
                page,
                lambda answer: (map(fact_of, answer.facts), answer.next_page_token),
                limit,
            )
        )

    def profile(self, subject: str = "", *, budget: int | None = None) -> Flow[Profile]:
        """Tells what holds now of a person, as lines under headings and as a text for a prompt.

        Args:
            subject: a user id or a name; else the user of this client.
            budget: tokens that the text may have; else 1,024.
        """
        request = GetUserProfileRequest(
            namespace=self.scope.namespace,
            caller=self.scope.caller,
            subject=subject,
            token_budget=budget or 0,
            at_least_revision=self.seen,
        )
        return profile_of((yield from self.read(methods.GET_USER_PROFILE, request)))

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
            at_least_revision=self.seen,
        )
        return (
            yield from self.pages(
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
            at_least_revision=self.seen,
            first_event_index=first,
        )
        return (
            yield from self.pages(
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
        named = yield from self.named(ids, ReadPurpose.READ_PURPOSE_FETCH)
        return tuple(named.values())

    def named(
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
            at_least_revision=self.seen,
        )
        answer = yield from self.read(methods.RESOLVE_POINTER, request)
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
                at_least_revision=self.seen,
                purpose=purpose,
            )
            answer = yield from self.read(methods.BATCH_GET_MEMORIES, request)
            memories.extend(map(memory_of, answer.memories))
        return tuple(memories)


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
    """True if a name is meant as a pointer, with its sign or without, and not as an id."""
    return _POINTER.match(name) is not None
