"""Creating memories that callers state: all of a batch, or none."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from services.memory.edges import Edge, derived_from, source_ids
from services.memory.model import Kind, Memory, Vectors, Work
from services.memory.narrowing import narrowed, sources_of
from services.memory.ports import Decision, Edits, Seen, Stamp, Wanted
from services.memory.work import WorkItem, WorkKey, made_due

TAGS_MAX = 10
CLUSTER: WorkKey = (Work.CLUSTER, "")


class Outcome(StrEnum):
    """What became of a memory that was sent."""

    CREATED = "created"
    MERGED = "merged"
    KEPT_APART = "kept_apart"
    CANDIDATE = "candidate"


@dataclass(frozen=True, slots=True)
class Created:
    """The memory that holds what was sent, and how that came."""

    memory: Memory
    outcome: Outcome = Outcome.CREATED


@dataclass(frozen=True, slots=True)
class CreateMemories:
    """The write behind `CreateMemory` and `BatchCreateMemories`.

    Memories come redacted and summarised, with their ids; times and revision are
    the commit's.
    """

    memories: Sequence[Memory]
    vectors: Sequence[Vectors | None]

    @property
    def kinds(self) -> frozenset[Kind]:
        """What kinds of memory come in."""
        return frozenset(memory.kind for memory in self.memories)

    def wanted(self) -> Wanted:
        """The work that lessons make due, and what the memories are from."""
        sources = dict.fromkeys(one for memory in self.memories for one in source_ids(memory))
        return Wanted(
            work=(CLUSTER,) if Kind.LEARNING in self.kinds else (), memories=tuple(sources)
        )

    def decide(self, seen: Seen, stamp: Stamp) -> Decision[tuple[Created, ...]]:
        """Stamp each memory; none is seen more widely than what it is from.

        Raises:
            InvalidArgument: no visibility is as narrow as all sources of a memory.
        """
        stamped = tuple(
            replace(
                narrowed(memory, seen.memories),
                create_time_us=stamp.now_us,
                update_time_us=stamp.now_us,
                revision=stamp.revision,
            )
            for memory in self.memories
        )
        vectors = {
            memory.memory_id: rows
            for memory, rows in zip(stamped, self.vectors, strict=True)
            if rows is not None
        }
        work = lessons_due(stamped, seen, stamp)
        edges = tuple(edge for memory in stamped for edge in _edges(memory, seen, stamp))
        edits = Edits(memories=stamped, embeddings=vectors, work=work, edges=edges)
        return Decision(tuple(map(Created, stamped)), edits)


def _edges(memory: Memory, seen: Seen, stamp: Stamp) -> Iterator[Edge]:
    """To what it was taken from; a source that its owner may not see is none."""
    sources = {one.memory_id for one in sources_of(memory, seen.memories)}
    return (edge for edge in derived_from(memory, stamp.now_us) if edge.target_id in sources)


def lessons_due(stored: Sequence[Memory], seen: Seen, stamp: Stamp) -> tuple[WorkItem, ...]:
    """Clustering becomes due where a lesson was stored; needs the CLUSTER work."""
    if all(memory.kind is not Kind.LEARNING for memory in stored):
        return ()
    now_us = stamp.now_us
    return (made_due(seen.work.get(CLUSTER), CLUSTER, now_us, now_us, seen.next_token),)


def unite_tags(*lists: Sequence[str]) -> tuple[str, ...]:
    """Tags in order, first spelling kept, case ignored, ten at most."""
    united: dict[str, str] = {}
    for tag in (tag.strip() for tags in lists for tag in tags):
        if tag:
            united.setdefault(tag.casefold(), tag)
    return tuple(united.values())[:TAGS_MAX]
