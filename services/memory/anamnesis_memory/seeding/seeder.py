"""Seeding a namespace: the best that its source gives, copied in one transaction."""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

from anamnesis_libs.errors import FailedPrecondition, RedactionBlocked, SeedingNotAllowed
from anamnesis_memory.memories.craft.seeds import (
    KINDS,
    Copied,
    copy_for,
    is_giveable,
    seeded_from,
    worth,
)
from anamnesis_memory.model.edges import source_ids
from anamnesis_memory.model.ids import new_id
from anamnesis_memory.model.memory import Caller, Kind, Memory, MemoryFilter, Namespace
from anamnesis_memory.model.seeds import SEEDS_MAX, Seed
from anamnesis_memory.preparation.prepare import Preparer
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from anamnesis_memory.runtime.revisions import revision_token

LIMIT_DEFAULT = 100
PAGE_MAX = 500
EVERYBODY = Caller()


@dataclass(frozen=True, slots=True)
class SeedRequest:
    """The part of a source that is asked for; no kinds, categories or tags mean all."""

    kinds: tuple[Kind, ...] = ()
    categories: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    confidence_min: float = 0.0
    limit: int = LIMIT_DEFAULT


def check_allowed(source: OpenNamespace, namespace: str) -> None:
    """Refuse a namespace that the source's policy does not name.

    Raises:
        SeedingNotAllowed: it may not be seeded from there.
    """
    if not source.policy.seeds(namespace):
        raise SeedingNotAllowed(source.name, namespace)


def check_room(opened: OpenNamespace, seed: Seed) -> None:
    """Refuse one seed more than a namespace follows the sources of.

    Raises:
        FailedPrecondition: there are as many.
    """
    known = {one.key for one in opened.seeds}
    if seed.key not in known and len(known) >= SEEDS_MAX:
        raise FailedPrecondition(
            f"namespace {opened.name!r} has {SEEDS_MAX} seeds, the most there may be: withdraw one"
        )


async def best_of(source: OpenNamespace, wanted: SeedRequest) -> list[Memory]:
    """The best that a source may give, the best first."""
    where = MemoryFilter(
        kinds=wanted.kinds or KINDS, categories=wanted.categories, tags=wanted.tags
    )
    best: list[Memory] = []
    after: int | str | None = 0
    while isinstance(after, int):
        page = await source.store.list_memories(where, EVERYBODY, after, PAGE_MAX)
        given = [one for one in page.items if is_giveable(one, wanted.confidence_min)]
        given = await _without_copied(source, given)
        best = heapq.nlargest(wanted.limit, (*best, *given), key=worth)
        after = page.next_after
    return best


async def _without_copied(source: OpenNamespace, given: Sequence[Memory]) -> list[Memory]:
    """Leave out skills that were made of copies: they are not the source's own."""
    ids = {one for memory in given for one in _made_of(memory)}
    found = await source.store.memories(sorted(ids), None) if ids else []
    copied = {one.memory_id for one in found if one.provenance.seed_namespace}
    return [one for one in given if copied.isdisjoint(_made_of(one))]


def _made_of(memory: Memory) -> tuple[str, ...]:
    return source_ids(memory) if memory.kind is Kind.PROCEDURAL else ()


def prepared(
    source: Namespace, chosen: Sequence[Memory], prepare: Preparer, agent_id: str, now_us: int
) -> tuple[list[Copied], int]:
    """The copies as the namespace keeps texts, and how many it refuses to keep; for a thread."""
    copies: list[Copied] = []
    for memory in chosen:
        token = revision_token(source, memory.revision)
        provenance = seeded_from(memory, source.name, token)
        copy = copy_for(memory, provenance, new_id(now_us), agent_id)
        try:
            ready, _ = prepare.memory(copy, None)
        except RedactionBlocked:
            continue
        copies.append(Copied(ready, memory))
    return copies, len(chosen) - len(copies)
