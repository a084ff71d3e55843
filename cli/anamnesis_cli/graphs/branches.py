"""The neighbourhood as a tree around its middle: each connection is drawn once.

A thing hangs where it is met first, nearest to the middle. What else connects it with another hangs
from the one that was met first, as a leaf that repeats the other: so no line crosses another.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from anamnesis_cli.graphs.neighbourhood import Neighbourhood, StatedFact, Thing

LEVELS_MAX = 2
"""Steps from the middle that are drawn."""


@dataclass(frozen=True, slots=True)
class Label:
    """The label of a line.

    Args:
        text: the predicate.
        when: its times, in order.
        outward: it leads away from the middle.
        over: it holds no longer.
    """

    text: str
    when: str
    outward: bool
    over: bool


@dataclass(slots=True)
class Branch:
    """A thing, its labels to the branch that it hangs from, and its own branches.

    Without labels both are only mentioned together. A `repeated` one stands elsewhere too.
    """

    thing: Thing
    labels: tuple[Label, ...]
    repeated: bool = False
    children: list["Branch"] = field(default_factory=list)

    @property
    def over(self) -> bool:
        """True if no label of the branch holds any more."""
        return bool(self.labels) and all(label.over for label in self.labels)


@dataclass(frozen=True, slots=True)
class Drawn:
    """The drawn branches, and the numbers of those left out for want of room."""

    branches: tuple[Branch, ...]
    claims_left_out: int
    beside_left_out: int


def branches(around: Neighbourhood, claims_max: int, beside_max: int) -> Drawn:
    """The tree around the middle: holding claims first, then ended ones, then mentions beside."""
    centre = around.centre.key
    pairs = _pairs(_chosen(around, claims_max))
    root = Branch(around.centre, ())
    placed = {centre: root}
    level = [root]
    for _ in range(LEVELS_MAX):
        level = [child for parent in level for child in _grow(parent, pairs, placed, around)]
    beside = [key for key in around.together if key not in placed]
    for key in beside[:beside_max]:
        root.children.append(Branch(around.things[key], ()))
    waiting = sum(len(claims) for claims in pairs.values())
    left_out = max(0, len(around.claims) - claims_max) + waiting
    return Drawn(tuple(root.children), left_out, max(0, len(beside) - beside_max))


def _chosen(around: Neighbourhood, claims_max: int) -> list[StatedFact]:
    """The most important claims, in their order; those about the middle and those that hold win."""
    centre = around.centre.key

    def worth(claim: StatedFact) -> tuple[bool, bool, float]:
        return centre not in (claim.subject, claim.object), claim.over, -claim.importance

    chosen = set(sorted(around.claims, key=worth)[:claims_max])
    return [claim for claim in around.claims if claim in chosen]


Pairs = dict[tuple[str, str], list[StatedFact]]


def _pairs(claims: Iterable[StatedFact]) -> Pairs:
    """Claims by the two things that they connect, in order."""
    pairs: defaultdict[tuple[str, str], list[StatedFact]] = defaultdict(list)
    for claim in claims:
        if claim.subject != claim.object:
            pairs[min(claim.subject, claim.object), max(claim.subject, claim.object)].append(claim)
    return dict(pairs)


def _grow(
    parent: Branch, pairs: Pairs, placed: dict[str, Branch], around: Neighbourhood
) -> Iterator[Branch]:
    """Hang from a thing all that it is connected with and that is not drawn yet."""
    here = parent.thing.key
    for ends in [ends for ends in pairs if here in ends]:
        there = ends[1] if ends[0] == here else ends[0]
        labels = tuple(_labels(pairs.pop(ends), here))
        child = Branch(around.things[there], labels, repeated=there in placed)
        parent.children.append(child)
        if not child.repeated:
            placed[there] = child
            yield child


def _labels(claims: Iterable[StatedFact], here: str) -> Iterator[Label]:
    """One label for each predicate, direction and state; it names all times of its claims."""
    same: defaultdict[tuple[str, bool, bool], list[str]] = defaultdict(list)
    for claim in claims:
        text = f"{claim.predicate} ({claim.caveat})" if claim.caveat else claim.predicate
        same[text, claim.subject == here, claim.over].append(claim.when)
    for (text, outward, over), times in same.items():
        yield Label(text, ", ".join(dict.fromkeys(filter(None, times))), outward, over)
