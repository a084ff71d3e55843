"""Marks of review: derived from a fact that no longer holds as it did, with the reasons.

    ground  b1 --- closed at 2021-03 ---          reasons kept
              ^        ^
    derived  d1       d2                          (d1, b1, 2021-03), (d2, b1, 2021-03)
              ^
             d3                                   (d3, b1, 2021-03)

A memory is marked while it has a reason. A reason names the ground and what became of it: the end
that the closing gave it, or that it was taken back. So a closing that is undone lifts the marks
that it had set, and no others: those of an earlier or later end, or of another ground, stay.

- Marked is what is derived from the ground *at that time*, `DERIVED_FROM`, directly or through
  others, of any kind and scope, also where other grounds still hold.
- Only `CLOSED` and `RETRACTED` facts mark; the fact itself is not marked for that. What has been
  closed or taken back says so already, and does not say `needs_review` besides; but the walk goes
  on through it to what was derived from it.
- A confirmation (or a rewriting) takes away the reasons of one memory, and of nothing below it.
- A reason whose ground is the memory itself says that something it was made of was erased, or that
  somebody asked for a review: only a confirmation takes it away.
- A retracted fact that is told again lifts nothing: whoever told it knew nothing of the marks.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from anamnesis_memory.domain.facts.transitions import LineEdits, Transition

HOPS_MAX = 8
NODES_MAX = 1000


@dataclass(frozen=True, slots=True)
class ReviewReason:
    """A reason to look at a memory again; the row that a store keeps.

    Args:
        memory_id: the derived memory.
        ground_id: the fact that it was derived from, directly or through others; or itself.
        ended_us: the end that the closing gave the ground; None: it was taken back.
    """

    memory_id: str
    ground_id: str
    ended_us: int | None

    @classmethod
    def own(cls, memory_id: str) -> "ReviewReason":
        """The reason of a memory that has lost a part, or that somebody wants to be reviewed."""
        return cls(memory_id, memory_id, None)


@dataclass(frozen=True, slots=True)
class Ground:
    """A fact that an outcome has closed or taken back (`ended_us` None)."""

    ground_id: str
    ended_us: int | None


@dataclass(frozen=True, slots=True)
class Walk:
    """A walk down `DERIVED_FROM`, breadth first, a hop at a time, so that a store can be asked.

        walk = Walk.below(ground_id)
        while walk.front:
            walk = walk.further(await store.derived_from(walk.front))

    Args:
        front: whose derived memories are to be asked for next; empty when the walk is over.
        found: what was reached, nearest first, without where it began.
        start: where it began.
        hops_left: how many more times it may go on.
        nodes_left: how many more memories it may find.
        cut: whether a bound has ended it: there may be more below.
    """

    front: tuple[str, ...]
    found: tuple[str, ...] = ()
    start: str = ""
    hops_left: int = HOPS_MAX
    nodes_left: int = NODES_MAX
    cut: bool = False

    @classmethod
    def below(cls, memory_id: str, hops_max: int = HOPS_MAX, nodes_max: int = NODES_MAX) -> "Walk":
        """A walk that begins at one memory."""
        return cls((memory_id,), start=memory_id, hops_left=hops_max, nodes_left=nodes_max)

    def further(self, derived: Iterable[str]) -> "Walk":
        """The walk one hop further; `derived` are the memories derived from any of `front`."""
        seen = {self.start, *self.found}
        new = tuple(each for each in dict.fromkeys(derived) if each not in seen)
        kept = new[: self.nodes_left] if self.hops_left else ()
        cut = len(kept) < len(new)
        return replace(
            self,
            front=() if cut else kept,
            found=(*self.found, *kept),
            hops_left=max(0, self.hops_left - 1),
            nodes_left=self.nodes_left - len(kept),
            cut=cut,
        )

    def reasons(self, ground: Ground) -> frozenset[ReviewReason]:
        """The reasons of all that was reached."""
        ended_us = ground.ended_us
        return frozenset(ReviewReason(each, ground.ground_id, ended_us) for each in self.found)


def shaken(outcome: LineEdits) -> tuple[Ground, ...]:
    """The facts that an outcome has closed or taken back: where walks begin."""
    closed = tuple(
        Ground(change.fact_id, change.after.state.interval.to_us)
        for change in outcome.of(Transition.CLOSED)
        if change.after is not None
    )
    gone = tuple(Ground(change.fact_id, None) for change in outcome.of(Transition.RETRACTED))
    return closed + gone


def reopened(outcome: LineEdits) -> tuple[Ground, ...]:
    """The facts whose end has moved on or gone, with the end that they have now."""
    return tuple(
        Ground(change.fact_id, change.after.state.interval.to_us)
        for change in outcome.of(Transition.REOPENED)
        if change.after is not None
    )


def lifted(reasons: Iterable[ReviewReason], grounds: Collection[Ground]) -> frozenset[ReviewReason]:
    """The reasons that are gone with the closings that had set them.

    `reasons` are those of the reopened `grounds` (others are left alone). An end that the ground
    has again, or a later one that still stands, is a reason still.
    """
    ends = {ground.ground_id: ground.ended_us for ground in grounds}
    return frozenset(
        reason
        for reason in reasons
        if reason.ground_id in ends and _undone(reason.ended_us, ends[reason.ground_id])
    )


def needs_review(reasons: Collection[ReviewReason], *, ended: bool) -> bool:
    """True if a memory says so; `ended`: the memory is a fact that was closed or withdrawn."""
    return bool(reasons) and not ended


def _undone(ended_us: int | None, end_now_us: int | None) -> bool:
    """True if a closing at `ended_us` is undone by an end at `end_now_us` (None: open)."""
    return ended_us is not None and (end_now_us is None or ended_us < end_now_us)
