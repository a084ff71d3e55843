"""What reads must tell, said plainly: who sees what, what a filter lets through, how pages join."""

from collections.abc import Awaitable, Callable, Collection, Iterable
from dataclasses import replace
from typing import TypeVar

import numpy as np

from anamnesis_memory.ledger.append import Appended
from anamnesis_memory.ledger.work import Claims
from anamnesis_memory.memories.learn import LearnedSegment
from anamnesis_memory.model.memory import (
    Caller,
    Memory,
    MemoryFilter,
    Status,
    Topic,
    Vectors,
    Visibility,
)
from anamnesis_memory.model.session import Session
from anamnesis_memory.ports import Listing
from tests.support.store_writes import Result

T = TypeVar("T")
C = TypeVar("C", int, str)


def sees(caller: Caller | None, record: Memory | Session) -> bool:
    """Shared ones are everybody's, private ones their owner's; None sees all."""
    if caller is None or record.visibility is Visibility.SHARED:
        return True
    if record.visibility is Visibility.PRIVATE_TO_AGENT:
        return record.agent_id != "" and record.agent_id == caller.agent_id
    return owns(caller.user_id, record.user_id)


def owns(user_id: str, owner: str) -> bool:
    """Whether it is a user's: an owner may be several, each between marks."""
    return user_id != "" and (user_id == owner or user_id in owner.split("␟"))


def within(scope: str, scopes: Collection[str] | None) -> bool:
    """Whether a scope is one of these, or of several of whom one is named by a mark among them."""
    if scopes is None or scope in scopes:
        return True
    return any(one.startswith("␟") and one in scope for one in scopes)


def sees_topic(caller: Caller | None, topic: Topic) -> bool:
    """A topic is seen by those who see the memory that founded it."""
    if caller is None or topic.scope == "shared":
        return True
    owner = topic.scope.partition(":")[2]
    if topic.scope.startswith("agent:"):
        return owner != "" and owner == caller.agent_id
    return owns(caller.user_id, owner)


def passes(memory: Memory, where: MemoryFilter) -> bool:
    """Every field that is set must hold; one value of a list is enough; case does not count."""
    refused = [
        memory.status is Status.ARCHIVED and not where.include_archived,
        where.kinds and memory.kind not in where.kinds,
        where.categories and memory.category not in where.categories,
        where.origins and memory.provenance.origin not in where.origins,
        where.session_ids and memory.session_id not in where.session_ids,
        where.agent_id and memory.agent_id != where.agent_id,
        where.user_id and not owns(where.user_id, memory.user_id),
        memory.importance < where.min_importance,
        where.tags and not folded(memory.tags) & folded(where.tags),
        where.entities and not folded(memory.entities) & folded(where.entities),
    ]
    time_us = memory.event_time_us
    if where.start_time_us is not None:
        refused.append(time_us is None or time_us < where.start_time_us)
    if where.end_time_us is not None:
        refused.append(time_us is None or time_us >= where.end_time_us)
    return not any(refused)


def folded(names: Iterable[str]) -> set[str]:
    """Names without their case."""
    return {name.casefold() for name in names}


def same(one: Vectors | None, other: Vectors | None) -> bool:
    """Whether vectors are the same to the bit, or neither is there."""
    if one is None or other is None:
        return one is other
    return np.array_equal(one, other)


def tally(names: Iterable[str]) -> dict[str, int]:
    """How often each name occurs."""
    listed = list(names)
    return {str(name): listed.count(name) for name in listed}


def told(result: Result, revision: int) -> bytes:
    """An answer to a request, as far as these tests look at it."""
    if isinstance(result, Appended):
        return f"{revision} {result.results}".encode()
    if isinstance(result, LearnedSegment):
        return f"{revision} {result.memory_ids}".encode()
    if isinstance(result, Claims):
        return f"{revision} {result.items} {result.next_us}".encode()
    if isinstance(result, tuple):
        return f"{revision} {[made.memory.memory_id for made in result]}".encode()
    return f"{revision} {result}".encode()


def without_centroid(topic: Topic) -> Topic:
    """A topic whose equality says something: arrays do not answer yes or no."""
    return replace(topic, centroid=())  # type: ignore[arg-type]


async def paged(page: Callable[[C], Awaitable[Listing[T]]], first: C, limit: int) -> list[T]:
    """All items of a listing, page by page; only the last one may be short, and says so."""
    items: list[T] = []
    after: int | str | None = first
    while after is not None:
        listing = await page(after)  # type: ignore[arg-type]
        assert len(listing.items) <= limit
        assert listing.next_after is None or len(listing.items) == limit
        assert listing.items or after == first, "a page was promised"
        items += listing.items
        after = listing.next_after
    return items
