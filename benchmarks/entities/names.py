"""Names that somebody labelled in texts, each against each: what would be merged that is not one.

The labels of a text name each entity once, so two names of one text are two entities. That is true
but for slips of the labellers, so every merge is shown and not only counted.
"""

import json
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from anamnesis_memory.domain.entities.kinds import EntityKind
from anamnesis_memory.domain.entities.matching import Entity, MatchReason, match

FILE = (
    Path(__file__).parents[3] / "shared" / "data" / "extraction" / "entity_extraction.labels.jsonl"
)
KINDS = {"organization": EntityKind.ORGANISATION, "concept": EntityKind.TOPIC}


@dataclass(frozen=True, slots=True)
class Merge:
    """Two names that were taken for one."""

    one: str
    other: str
    kind: EntityKind
    reason: MatchReason


@dataclass(frozen=True, slots=True)
class Apart:
    """Counts of a comparison of all names that differ as written, in one text and over all texts.

    Args:
        names: how many there are.
        compared: how many pairs within one text.
        merged: those of them that were taken for one.
        merged_across: pairs from different texts that were taken for one, right or wrong.
    """

    names: int
    compared: int
    merged: tuple[Merge, ...]
    merged_across: tuple[Merge, ...]


def compare(file: Path = FILE) -> Apart | None:
    """The comparison; None where the data are not there."""
    if not file.exists():
        return None
    texts = [_entities(line) for line in file.read_text(encoding="utf-8").splitlines()]
    inside = {pair for text in texts for pair in combinations(text, 2)}
    names = sorted({entity for text in texts for entity in text}, key=lambda each: each.name)
    across = [pair for pair in combinations(names, 2) if not {pair, pair[::-1]} & inside]
    return Apart(len(names), len(inside), _merged(inside), _merged(across))


def _merged(pairs: "set[tuple[Entity, Entity]] | list[tuple[Entity, Entity]]") -> tuple[Merge, ...]:
    verdicts = [(one, other, match(one, other)) for one, other in pairs]
    merges = [
        Merge(one.name, other.name, one.kind, verdict.reason)
        for one, other, verdict in verdicts
        if verdict.same
    ]
    return tuple(sorted(merges, key=lambda each: (each.one, each.other)))


def _entities(line: str) -> list[Entity]:
    rows = json.loads(line)["entities"]
    found = [Entity(str(row["name"]), kind) for row in rows if (kind := _kind(str(row["type"])))]
    return list(dict.fromkeys(found))


def _kind(written: str) -> EntityKind | None:
    """The kind that a label means; None for those that are none of ours."""
    if written in KINDS:
        return KINDS[written]
    return EntityKind(written) if written in set(EntityKind) else None
