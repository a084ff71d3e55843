"""A name seen in a text, how sure its kind is, and which of those that overlap is meant."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

from anamnesis_ingestion.learning.knowledge import EntityKind


class Evidence(IntEnum):
    """The evidence for the kind of a name; more is surer."""

    DOUBTFUL = 0
    """The name opens a sentence, as any word might; it counts if it stands elsewhere too."""
    SPELLED = 1
    """The name is written as a name, and nothing tells its kind."""
    CUED = 2
    """Words beside it tell: `moved to`, `works at`."""
    LISTED = 3
    """The name is in a list of names."""
    FORMED = 4
    """A word of it tells: `University`, `Street`, `项目`."""
    SPOKEN = 5
    """A speaker bears the name."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """A name at [start, end) of a text."""

    start: int
    end: int
    name: str
    kind: EntityKind
    evidence: Evidence


def apart(sightings: Iterable[Sighting]) -> list[Sighting]:
    """Sightings that do not overlap, in order: the longest first, and of equals the surest."""
    kept: list[Sighting] = []
    for one in sorted(sightings, key=_rank):
        at = bisect_right(kept, one.start, key=_start)
        free = at == len(kept) or one.end <= kept[at].start
        if free and (at == 0 or kept[at - 1].end <= one.start):
            kept.insert(at, one)
    return kept


def kinds_of(sightings: Iterable[Sighting]) -> dict[str, EntityKind]:
    """The kind of each name, in any case, by its surest evidence; UNKNOWN on disagreement."""
    best: dict[str, tuple[Evidence, set[EntityKind]]] = {}
    for one in sightings:
        name = one.name.casefold()
        evidence, kinds = best.get(name, (one.evidence, set()))
        if one.evidence >= evidence:
            kinds = kinds | {one.kind} if one.evidence == evidence else {one.kind}
            best[name] = (one.evidence, kinds)
    return {
        name: next(iter(kinds)) if len(kinds) == 1 else EntityKind.UNKNOWN
        for name, (_, kinds) in best.items()
    }


def _start(one: Sighting) -> int:
    return one.start


def _rank(one: Sighting) -> tuple[int, int, int]:
    return one.start - one.end, -one.evidence, one.start
