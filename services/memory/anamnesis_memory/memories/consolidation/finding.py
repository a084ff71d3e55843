"""Finding lessons that may be one, at the lessons of a page.

Pairs were linked when they were written or got their vectors, those included that differ in what
may matter; identical lessons are found by their digests, wherever they came from. A contribution is
found where its lesson's text lacks what it says.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from anamnesis_memory.dedup.decide import nearest
from anamnesis_memory.dedup.decide_duplicate import PAIR_CHARS_MAX
from anamnesis_memory.dedup.digests import digest_of
from anamnesis_memory.dedup.merged_text import says_all
from anamnesis_memory.dedup.neighbours import group_of
from anamnesis_memory.dedup.normalised import normal_form
from anamnesis_memory.dedup.pair_record import (
    TRIES_MAX,
    guard_differences,
    record_of,
    text_mark,
)
from anamnesis_memory.dedup.semantic_diff import differences
from anamnesis_memory.dedup.thresholds import Thresholds
from anamnesis_memory.memories.consolidation.links import is_apart, is_held
from anamnesis_memory.model.edges import Edge, EdgeType, symmetric
from anamnesis_memory.model.memory import Caller, Kind, Memory, MemoryFilter, Status, Vectors
from anamnesis_memory.model.memory_versions import Copy, CopyRole
from anamnesis_memory.ports import CommitStamp, Decision, NamespaceStore, ReadSet, ReadView

LESSONS = MemoryFilter(kinds=(Kind.LEARNING,))
EDGES_MAX = 5_000
HELD = "other memories were derived from it or linked to it"
_ALIKE = (EdgeType.MAY_DUPLICATE, EdgeType.SIMILAR_TO)
_Ends = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Two lessons that may be one; `other` is a contribution to `known` where it says so.

    `certain` ones need no model, `blocked` ones cannot be made one now, for `reason`.
    """

    known: Memory
    other: Memory
    similarity: float
    contribution: bool = False
    certain: bool = False
    blocked: bool = False
    tries: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class DuplicatesPage:
    """Duplicates found at some lessons; `next_after` is the place behind the last of them."""

    found: tuple[Duplicate, ...]
    lessons: int
    next_after: int | None


@dataclass(frozen=True, slots=True)
class LookAtLessons:
    """The write that reads all that hangs on lessons at one moment; it changes nothing."""

    lessons: Sequence[Memory]

    def wanted(self) -> ReadSet:
        """Their edges and copies, and the eldest lessons that say the same."""
        ids = tuple(one.memory_id for one in self.lessons)
        digests = tuple(digest_of(one) for one in self.lessons)
        return ReadSet(memories=ids, edges_of=ids, copies_of=ids, digests=digests)

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[ReadView]:
        """The result is what was seen."""
        return Decision(seen)


async def find_duplicates(
    store: NamespaceStore, thresholds: Thresholds, caller: Caller | None, after: int, limit: int
) -> DuplicatesPage:
    """Look at a page of lessons in the order in which they were stored.

    Raises:
        StoreUnavailable: the store does not answer.
    """
    page = await store.list_memories(LESSONS, caller, after, limit)
    if not page.items:
        return DuplicatesPage((), 0, None)
    seen = (await store.commit(LookAtLessons(page.items))).result
    assert seen is not None, "no answer of a look is remembered"
    lessons = [seen.memories[one.memory_id] for one in page.items if one.memory_id in seen.memories]
    pairs = await _pairs(store, lessons, seen, thresholds, is_callers=caller is not None)
    given = [one for each in lessons for one in _contributions(each, seen, caller)]
    next_after = None if page.next_after is None else int(page.next_after)
    return DuplicatesPage((*pairs, *given), len(page.items), next_after)


def _contributions(lesson: Memory, seen: ReadView, caller: Caller | None) -> Iterator[Duplicate]:
    for copy in seen.copies.get(lesson.memory_id, ()):
        if _waits(copy, lesson) and (caller is None or _sees(caller, copy.memory)):
            tries, reason = (copy.tries, copy.reason) if _is_of(copy, lesson) else (0, "")
            yield Duplicate(
                lesson,
                copy.memory,
                copy.similarity,
                contribution=True,
                tries=tries,
                reason=reason,
            )


def _waits(copy: Copy, lesson: Memory) -> bool:
    """True if the text of a contribution is to be taken into that of its lesson."""
    if copy.role is not CopyRole.CONTRIBUTION or copy.merged or lesson.status is not Status.ACTIVE:
        return False
    if copy.tries >= TRIES_MAX and _is_of(copy, lesson):
        return False
    return not says_all(lesson.content, copy.memory.content)


def _is_of(copy: Copy, lesson: Memory) -> bool:
    return copy.tried_on == text_mark(lesson)


def _sees(caller: Caller, memory: Memory) -> bool:
    return caller.sees(memory.visibility, memory.agent_id, memory.user_id)


async def _pairs(
    store: NamespaceStore,
    lessons: Sequence[Memory],
    seen: ReadView,
    thresholds: Thresholds,
    *,
    is_callers: bool,
) -> list[Duplicate]:
    """The pairs that are found at lessons: each at the end that its edge begins with.

    A caller is not told that something hangs on them which the caller may not see.
    """
    links = _links(lessons, seen)
    every = {one for ends in links for one in ends}
    others = await store.memories(sorted(every - seen.memories.keys()), None)
    memories = {**seen.memories, **{one.memory_id: one for one in others}}
    held = set() if is_callers else await _held(store, every)
    vectors = await store.embeddings(sorted(every)) if every else {}
    found = [
        duplicate
        for ends, edges in links.items()
        if (duplicate := _pair(ends, edges, memories, held)) is not None
    ]
    return await asyncio.to_thread(_with_certainty, found, vectors, thresholds)


def _links(lessons: Sequence[Memory], seen: ReadView) -> dict[_Ends, list[Edge]]:
    """The pairs of lessons that may be one, with the edges between them; of twins there is none."""
    ids = {one.memory_id for one in lessons}
    links: dict[_Ends, list[Edge]] = {}
    for edge in seen.edges:
        if edge.type in _ALIKE and edge.source_id in ids:
            links.setdefault((edge.source_id, edge.target_id), []).append(edge)
    for one in lessons:
        eldest = seen.by_digest.get(digest_of(one), one.memory_id)
        if eldest != one.memory_id:
            links.setdefault(symmetric(one.memory_id, eldest), [])
    return {ends: edges for ends, edges in links.items() if not any(map(is_apart, edges))}


async def _held(store: NamespaceStore, memory_ids: set[str]) -> set[str]:
    """The memories that cannot go, since others hang on them."""
    if not memory_ids:
        return set()
    edges = await store.edges_of(sorted(memory_ids), (), EDGES_MAX)
    return {one for one in memory_ids if is_held(one, edges)}


def _pair(
    ends: _Ends, edges: Sequence[Edge], memories: Mapping[str, Memory], held: set[str]
) -> Duplicate | None:
    """The pair of two lessons that the same callers see until the same time; None of others."""
    one, other = (memories.get(end) for end in ends)
    if one is None or other is None or not may_be_one(one, other):
        return None
    tries, reason = tried(one, other, edges)
    if tries >= TRIES_MAX:
        return None
    known, goes = sorted((one, other), key=lambda each: (not each.pinned, each.create_time_us))
    if goes.memory_id in held and known.memory_id not in held:
        known, goes = goes, known
    blocked = goes.memory_id in held
    return Duplicate(
        known,
        goes,
        max((edge.weight for edge in edges), default=1.0),
        blocked=blocked,
        tries=tries,
        reason=HELD if blocked else reason,
    )


def tried(one: Memory, other: Memory, edges: Sequence[Edge]) -> tuple[int, str]:
    """The number of refused texts for two lessons and the last fault, else their differences."""
    for edge in edges:
        record = record_of(edge)
        if record is not None and record.holds(*sorted((one, other), key=_id)):
            return record.tries, record.reason
    told = [f"{aspect} {a} / {b}" for edge in edges for aspect, a, b in guard_differences(edge)]
    return 0, f"they differ: {', '.join(told)}" if told else ""


def _id(memory: Memory) -> str:
    return memory.memory_id


def may_be_one(one: Memory, other: Memory) -> bool:
    """True of two active lessons of one category that the same callers see until the same time."""
    return (
        one.kind is Kind.LEARNING
        and one.status is other.status is Status.ACTIVE
        and group_of(one) == group_of(other)
        and one.expire_time_us == other.expire_time_us
        and one.memory_id != other.memory_id
    )


def _with_certainty(
    found: Sequence[Duplicate], vectors: Mapping[str, Vectors], thresholds: Thresholds
) -> list[Duplicate]:
    """The pairs with what is known of them now, those first that are likeliest to be one."""
    sure = [assessed(one, vectors, thresholds) for one in found]
    return sorted(sure, key=lambda one: (not one.certain, -one.similarity))


def assessed(pair: Duplicate, vectors: Mapping[str, Vectors], thresholds: Thresholds) -> Duplicate:
    """The pair with the cosine of its texts as they are now, and whether it needs no model."""
    known, other = pair.known, pair.other
    if normal_form(known.content) == normal_form(other.content):
        return replace(pair, similarity=1.0, certain=True)
    ours, theirs = vectors.get(known.memory_id), vectors.get(other.memory_id)
    if ours is None or theirs is None or ours.shape[1] != theirs.shape[1]:
        return pair
    cosine = nearest(ours, theirs)
    short = len(known.content) + len(other.content) <= PAIR_CHARS_MAX
    near = cosine >= thresholds.merge and short
    certain = near and not differences(known.content, other.content)
    return replace(pair, similarity=cosine, certain=certain)
