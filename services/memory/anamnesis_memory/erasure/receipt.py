"""The receipt of an erasure: counts by store, added up over several writes."""

from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True)
class Receipt:
    """Counts so far; see `anamnesis.memory.v1.ErasureReceipt`.

    Args:
        records: what was removed, by what it was; empty where nothing was.
        derived: ids of memories that went because all they were derived from went.
        kept: ids of memories that stay without something they rested on.
        index_entries: texts and vectors removed from the index.
        files: snapshots and files that were removed or written anew.
        revision: that of the last write.
    """

    records: Counter[str] = field(default_factory=Counter)
    derived: set[str] = field(default_factory=set)
    kept: set[str] = field(default_factory=set)
    index_entries: int = 0
    files: int = 0
    revision: int = 0

    def count(self, **removed: int) -> None:
        """Add what was removed; what had none is left out."""
        self.records.update({name: count for name, count in removed.items() if count})

    @property
    def empty(self) -> bool:
        """True if there was nothing to erase."""
        return not (self.records or self.kept)
