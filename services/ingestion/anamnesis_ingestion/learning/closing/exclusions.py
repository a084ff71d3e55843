"""The table of what one person does not hold at a time, read once."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ANYTHING, SAME, NARROWER, MADE = "*", "same", "narrower", "made:"
_TABLE = Path(__file__).with_name("exclusions.tsv")
_FIELDS = 5


@dataclass(frozen=True, slots=True)
class Exclusion:
    """One pair of a line: who is told to `told` one of the objects holds no `held` of the others.

    Args:
        objects: what it is told of: ANYTHING, SAME, or some values.
        excluded: of what it is held: the same, or NARROWER for what says it less widely, too.
    """

    objects: frozenset[str]
    held: str
    excluded: frozenset[str]


@cache
def exclusions(told: str) -> Mapping[str, Sequence[Exclusion]]:
    """The exclusions by the predicate that is told; `told` is `begins` or `ends`."""
    found: dict[str, list[Exclusion]] = defaultdict(list)
    for line in _TABLE.read_text("utf-8").splitlines():
        row = line.split("\t")
        if line.startswith("#") or not line:
            continue
        assert len(row) == _FIELDS, f"{_TABLE.name}: {_FIELDS} fields a line, not {line!r}"
        if row[0] == told:
            objects, excluded = frozenset(row[1].split()), frozenset(row[4].split())
            for predicate in row[2].split():
                pairs = (Exclusion(objects, each, excluded) for each in row[3].split())
                found[predicate] += pairs
    return found
