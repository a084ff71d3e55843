"""The record of consolidation about a pair of lessons: JSON, the detail of the edge between them.

It holds for the two texts it was made of. The guard's detail is a list and a caller's an empty
object, so that each is told from the others.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from anamnesis_memory.model.edges import Edge
from anamnesis_memory.model.memory import Memory

TRIES_MAX = 3
"""So often a text for two lessons is refused before they are left alone."""
_MARK_BYTES = 8
Triple = tuple[str, str, str]
"""An aspect in which two texts differ, the words of the one, the words of the other."""


def text_mark(memory: Memory) -> str:
    """A mark by which a text is known again."""
    return hashlib.blake2b(memory.content.encode(), digest_size=_MARK_BYTES).hexdigest()


@dataclass(frozen=True, slots=True)
class PairRecord:
    """A decision about a pair, or tries without one; `marks` are of its edge's two ends.

    `differences` are those that the guard sees, in the form of its own detail.
    """

    reason: str
    marks: tuple[str, str]
    tries: int = 0
    differences: tuple[Triple, ...] = ()

    @property
    def detail(self) -> str:
        """The detail of the edge."""
        held = {
            "reason": self.reason,
            "marks": self.marks,
            "tries": self.tries,
            "differences": self.differences,
        }
        return json.dumps(held, ensure_ascii=False)

    def holds(self, source: Memory, target: Memory) -> bool:
        """True if neither text has changed."""
        return self.marks == (text_mark(source), text_mark(target))


def record_of(edge: Edge) -> PairRecord | None:
    """The record in the detail of an edge; None where it has none."""
    held = json.loads(edge.detail) if edge.detail else None
    if not isinstance(held, dict) or "marks" not in held:
        return None
    one, other = held["marks"]
    return PairRecord(
        str(held["reason"]),
        (str(one), str(other)),
        int(held["tries"]),
        _triples(held.get("differences", ())),
    )


def guard_differences(edge: Edge) -> tuple[Triple, ...]:
    """The differences in the detail of an edge: aspect, words of its source, of its target."""
    held = json.loads(edge.detail) if edge.detail else ()
    return _triples(held.get("differences", ()) if isinstance(held, dict) else held)


def pair_record(
    one: Memory,
    other: Memory,
    reason: str,
    tries: int = 0,
    differences: tuple[Triple, ...] = (),
) -> PairRecord:
    """The record of a pair; marks stand in the order of the edge's ends."""
    source, target = sorted((one, other), key=lambda each: each.memory_id)
    return PairRecord(reason, (text_mark(source), text_mark(target)), tries, differences)


def _triples(held: Iterable[Sequence[str]]) -> tuple[Triple, ...]:
    return tuple((str(aspect), str(a), str(b)) for aspect, a, b in held)
