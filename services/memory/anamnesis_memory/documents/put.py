"""Putting and deleting documents: the changes of a batch in their order, all or none."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from anamnesis_memory.dedup.digests import memory_digests
from anamnesis_memory.erasure.erase_memories import Lineage, LineageGrew, erase_memories
from anamnesis_memory.model.expiry import check_expiry
from anamnesis_memory.model.json_documents import Name
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.model.memory_details import JsonDocument
from anamnesis_memory.ports import CommitStamp, Decision, ReadSet, ReadView, WriteSet


class Outcome(StrEnum):
    """The outcome of one change."""

    CREATED = "created"
    REPLACED = "replaced"
    DELETED = "deleted"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """One change: the memory that is to be the document of a name; None deletes it."""

    name: Name
    memory: Memory | None


@dataclass(frozen=True, slots=True)
class DocumentResult:
    """The result of one change; it has no id where there was nothing."""

    outcome: Outcome
    memory_id: str = ""


@dataclass(frozen=True, slots=True)
class PutDocuments:
    """The write behind `BatchPutDocuments`.

    Memories come redacted, with ids of their own, which those keep that are new. `lineage` is of
    the documents that are deleted, as `planning.trace` found it.
    """

    changes: Sequence[DocumentChange]
    scope: str
    lineage: Lineage = field(default_factory=lambda: Lineage((), frozenset()))

    def wanted(self) -> ReadSet:
        """The documents of these names, and what hangs on those that go."""
        digests = (one.name.digest_in(self.scope) for one in self.changes)
        return replace(self.lineage.wanted(), digests=tuple(dict.fromkeys(digests)))

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[tuple[DocumentResult, ...]]:
        """Put and delete.

        Raises:
            InvalidArgument: an expiry is over.
            LineageGrew: other documents go than were traced, or more was derived from them.
        """
        before = {digest: seen.memories[one] for digest, one in seen.by_digest.items()}
        after: dict[bytes, Memory | None] = dict(before)
        results: list[DocumentResult] = []
        for place, change in enumerate(self.changes):
            digest = change.name.digest_in(self.scope)
            there = after.get(digest)
            results.append(_outcome(there, change))
            if change.memory is None:
                after[digest] = None
                continue
            expiry_us = change.memory.expire_time_us
            check_expiry(expiry_us, stamp.now_us, f"changes[{place}].expire_time")
            put = _stamped(change.memory, there or before.get(digest), stamp)
            results[-1] = replace(results[-1], memory_id=put.memory_id)
            after[digest] = put
        gone = {one.memory_id for digest, one in before.items() if after[digest] is None}
        if gone != set(self.lineage.roots):
            raise LineageGrew
        erased = _erased(self.lineage, seen, stamp) if gone else WriteSet()
        put_now = [one for digest, one in after.items() if one and one is not before.get(digest)]
        return Decision(tuple(results), _with(erased, put_now, seen.memories))


def gone_of(
    changes: Sequence[DocumentChange], known: Mapping[bytes, Memory], scope: str
) -> list[str]:
    """The ids of the documents that changes leave none of, of those that are known by digest."""
    last = {one.name.digest_in(scope): one.memory for one in changes}
    return [one.memory_id for digest, one in known.items() if last.get(digest) is None]


def _erased(lineage: Lineage, seen: ReadView, stamp: CommitStamp) -> WriteSet:
    return erase_memories(seen, stamp, lineage, tombstones=True).edits


def _outcome(there: Memory | None, change: DocumentChange) -> DocumentResult:
    if change.memory is not None:
        return DocumentResult(Outcome.REPLACED if there else Outcome.CREATED)
    return (
        DocumentResult(Outcome.DELETED, there.memory_id)
        if there
        else DocumentResult(Outcome.ABSENT)
    )


def _stamped(new: Memory, there: Memory | None, stamp: CommitStamp) -> Memory:
    """A document as of now; one that takes another's place has its identity and its uses."""
    part = new.part
    ttl_us = part.ttl_us if isinstance(part, JsonDocument) else None
    kept = there or replace(new, create_time_us=stamp.now_us)
    return replace(
        kept,
        content=new.content,
        summary=new.summary,
        overview=new.overview,
        part=part,
        agent_id=new.agent_id,
        user_id=new.user_id,
        expire_time_us=new.expire_time_us if ttl_us is None else stamp.now_us + ttl_us,
        update_time_us=stamp.now_us,
        revision=stamp.revision,
    )


def _with(erased: WriteSet, put: Sequence[Memory], before: Mapping[str, Memory]) -> WriteSet:
    """The edits of an erasure and of documents that are put; changed texts lose their vectors."""
    stale = (
        one.memory_id
        for one in put
        if one.memory_id in before and before[one.memory_id].content != one.content
    )
    return replace(
        erased,
        memories=(*erased.memories, *put),
        digests={**erased.digests, **memory_digests(put)},
        stale_embeddings=(*erased.stale_embeddings, *stale),
    )
