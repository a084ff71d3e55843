"""The labelled pairs of `tests/data/entities`, the verdicts on them, and their figures by class."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from anamnesis_memory.domain.entities.kinds import EntityKind
from anamnesis_memory.domain.entities.matching import Entity, MatchVerdict, match

FOLDER = Path(__file__).parents[2] / "tests" / "data" / "entities"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two entities and whether they are one."""

    id: str
    language: str
    label: str
    """The class of the pair: `same_alias`, `near_name`."""
    one: Entity
    other: Entity
    same: bool


@dataclass(frozen=True, slots=True)
class Judged:
    """A pair and the verdict on it."""

    pair: Pair
    verdict: MatchVerdict

    @property
    def right(self) -> bool:
        """True if the verdict is the label's."""
        return self.verdict.same is self.pair.same


@dataclass(frozen=True, slots=True)
class Figures:
    """Precision and recall of saying *same*, and what was wrong."""

    pairs: int
    merged_wrongly: int
    missed: int
    precision: float
    recall: float


def read(half: str) -> list[Pair]:
    """The pairs of `dev` or `held`."""
    text = (FOLDER / f"{half}.jsonl").read_text(encoding="utf-8")
    return [_pair(json.loads(line)) for line in text.splitlines()]


def judge(pairs: Iterable[Pair]) -> list[Judged]:
    """The verdict on each pair."""
    return [Judged(pair, match(pair.one, pair.other)) for pair in pairs]


def figures(judged: Iterable[Judged]) -> Figures:
    """Precision is 1 where nothing was said to be the same, recall where nothing is."""
    every = list(judged)
    said = [each for each in every if each.verdict.same]
    same = [each for each in every if each.pair.same]
    hits = sum(each.right for each in said)
    return Figures(
        pairs=len(every),
        merged_wrongly=len(said) - hits,
        missed=len(same) - hits,
        precision=hits / len(said) if said else 1.0,
        recall=hits / len(same) if same else 1.0,
    )


def by_class(judged: Iterable[Judged]) -> dict[str, list[Judged]]:
    """The pairs of each class and language, in the order of the file."""
    found: dict[str, list[Judged]] = {}
    for each in judged:
        found.setdefault(f"{each.pair.label} {each.pair.language}", []).append(each)
    return found


def _pair(row: dict[str, object]) -> Pair:
    return Pair(
        id=str(row["id"]),
        language=str(row["language"]),
        label=str(row["class"]),
        one=_entity(row["a"]),
        other=_entity(row["b"]),
        same=row["same"] is True,
    )


def _entity(side: object) -> Entity:
    if not isinstance(side, dict):
        raise TypeError(f"a side of a pair is an object, not {side!r}")
    aliases = tuple(str(alias) for alias in side.get("aliases", ()))
    return Entity(str(side["name"]), EntityKind(str(side["kind"])), aliases)
