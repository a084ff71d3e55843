"""Touching documents: their time to live begins anew."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from anamnesis_memory.dedup.digests import memory_digests
from anamnesis_memory.model.memory_details import JsonDocument
from anamnesis_memory.ports import CommitStamp, Decision, ReadSet, ReadView, WriteSet


@dataclass(frozen=True, slots=True)
class TouchDocuments:
    """The write behind `TouchDocuments`; documents are named by their digests."""

    digests: Sequence[bytes]

    def wanted(self) -> ReadSet:
        """The documents of these names."""
        return ReadSet(digests=tuple(dict.fromkeys(self.digests)))

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[int]:
        """Move the expiry of those that have a time to live; count them."""
        found = (seen.memories[one] for one in seen.by_digest.values())
        put = tuple(
            replace(
                one,
                expire_time_us=stamp.now_us + one.part.ttl_us,
                revision=stamp.revision,
            )
            for one in found
            if isinstance(one.part, JsonDocument) and one.part.ttl_us is not None
        )
        return Decision(len(put), WriteSet(memories=put, digests=memory_digests(put)))
