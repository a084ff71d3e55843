"""Asking the guard no more than can be waited for.

The guard takes some 12 ms for two lessons of 200 characters, and seconds for very long ones. What
can be known before a write is asked before it, on a thread; only what came in meanwhile is asked
inside of the commit, and no more than `INSIDE_CHARS_MAX` of it. Lessons of a pair on which the
guard is not asked are not merged: they stay apart, as candidates.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from anamnesis_memory.dedup.difference import Difference
from anamnesis_memory.dedup.semantic_diff import differences

PAIR_CHARS_MAX = 8_000
"""Two texts that are longer together are never compared word by word."""
INSIDE_CHARS_MAX = 10_000
"""Characters that one commit compares at most: some 300 ms."""

Judged = Mapping[tuple[str, str], tuple[Difference, ...]]
"""The guard's differences between pairs of texts, by the incoming and the known one."""


@dataclass(slots=True)
class DuplicateJudge:
    """The guard with what it has said before, and what may still be asked of it."""

    judged: Judged
    chars_left: int = INSIDE_CHARS_MAX

    def differences(self, incoming: str, known: str) -> tuple[Difference, ...] | None:
        """The differences that make two lessons of the texts; None if the guard was not asked."""
        said = self.judged.get((incoming, known))
        if said is not None:
            return said
        chars = len(incoming) + len(known)
        if chars > min(PAIR_CHARS_MAX, self.chars_left):
            return None
        self.chars_left -= chars
        return differences(incoming, known)
