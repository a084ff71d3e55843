"""The additions of the last commits, at hand for the index that follows: it reads no file for them.

A turn is appended, put into the index, and asked for by an agent in the same breath. What is at
hand is what a read would give, to the value; where a commit did more than add, it is read.
"""

from collections.abc import Container, Sequence

from anamnesis_memory.model.memory import Changes, LoggedChange, Memory
from anamnesis_memory.ports import IndexRecord

ADDED_MAX = 64
"""Memories at hand at most: whoever follows is rarely further behind."""


class AtHand:
    """The memories that were added behind a revision, up to another one; handed out once."""

    def __init__(self, revision: int) -> None:
        self._after = self._up_to = revision
        self._added: list[Memory] = []

    def note(self, added: Sequence[Memory] | None, begun: int, revision: int) -> None:
        """Note what a commit from one revision to another added; None where it did more."""
        follows, self._up_to = begun == self._up_to, revision
        if added is None or not follows or len(self._added) + len(added) > ADDED_MAX:
            self._forget()
        else:
            self._added += added

    def got_vectors(self, memory_ids: Container[str]) -> None:
        """Note that memories have vectors in the file; those at hand have none."""
        if any(memory.memory_id in memory_ids for memory in self._added):
            self._forget()

    def take(
        self, after: int, limit: int, revision: int
    ) -> tuple[Changes, Sequence[IndexRecord]] | None:
        """The changes behind a revision, up to the store's; None where they must be read."""
        if self._up_to != revision or after < self._after:
            return None
        added = [memory for memory in self._added if memory.revision > after]
        if len(added) >= limit:
            return None
        self._forget()
        changes = [
            LoggedChange(one.revision, one.memory_id, deleted=False, kind=one.kind) for one in added
        ]
        return Changes(changes, revision), [IndexRecord(memory, None) for memory in added]

    def _forget(self) -> None:
        self._after, self._added = self._up_to, []
