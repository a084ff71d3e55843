"""What says the same: a fact and the drawer it was taken from take one place, the better one's.

The drawer is what is shown: it was really said, and a fact of it says no more. So facts are
further ways to a drawer, and never push one down. A fact whose drawer is not among the candidates
(the caller asked for facts alone, or it is gone) stands for itself.
"""

from collections.abc import Sequence
from dataclasses import replace

from services.retrieval.model import Ranked


def grouped(ranked: Sequence[Ranked]) -> list[Ranked]:
    """The hits in the same order, each drawer once, where it or a fact of it comes first."""
    there = {one.candidate.memory_id: one for one in ranked}
    shown: set[str] = set()
    kept: list[Ranked] = []
    for one in ranked:
        for hit in _standing_for(one, there):
            if hit.candidate.memory_id not in shown:
                shown.add(hit.candidate.memory_id)
                kept.append(hit)
    return kept


def _standing_for(one: Ranked, there: dict[str, Ranked]) -> list[Ranked]:
    """A fact's drawers in its place, with its score; anything else itself."""
    drawers = [there[source] for source in one.candidate.source_ids if source in there]
    lifted = [replace(one, candidate=drawer.candidate, by_fact=True) for drawer in drawers]
    return lifted or [one]
