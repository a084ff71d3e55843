"""Amendments before what they amend, unless a question asks how things were.

A decision and its amendment share their matter, so both are found; and the decision first, as a
rule, since it tells of what is asked where the amendment tells of what changed. Lines that amend
something were marked when they came in. A session that has one amends, of the older sessions right
above it in the ranking, the one whose best hit is nearest to its own by score.
"""

from collections.abc import Sequence

from anamnesis_libs.talk.standing import AMENDMENT
from anamnesis_retrieval.model import Ranked
from anamnesis_retrieval.ranking.newest import is_about_past, moment

BEST = 40
"""Amendments are looked for among so many hits,"""
SESSIONS = 3
"""and what they amend among so many sessions above them,"""
SCORE_MIN = 0.5
"""whose best hits have at most twice the score."""


def amendments_first(query: str, ranked: Sequence[Ranked]) -> list[Ranked]:
    """The ranking, where the best hit of each amending session stands before what it amends."""
    order = list(ranked)
    if is_about_past(query):
        return order
    for session_id in _amending(order[:BEST]):
        firsts = _firsts(order)
        own = firsts[session_id]
        amended = _amended(own, list(firsts.values()))
        if amended is not None:
            order.remove(own)
            order.insert(order.index(amended), own)
    return order


def _amending(best: Sequence[Ranked]) -> list[str]:
    """The sessions with a line that amends something, best first."""
    amendments = (hit.candidate for hit in best if hit.candidate.category == AMENDMENT)
    return list(dict.fromkeys(one.session_id for one in amendments if one.session_id))


def _firsts(order: Sequence[Ranked]) -> dict[str, Ranked]:
    """The best hit of each session, best first."""
    firsts: dict[str, Ranked] = {}
    for hit in order:
        firsts.setdefault(hit.candidate.session_id, hit)
    return firsts


def _amended(own: Ranked, firsts: Sequence[Ranked]) -> Ranked | None:
    """The best hit of the session that is amended, if it stands above the amendment's."""
    above = firsts[: firsts.index(own)][-SESSIONS:]
    older = [
        hit for hit in above if moment(hit) < moment(own) and own.score >= SCORE_MIN * hit.score
    ]
    return min(older, key=lambda hit: hit.score, default=None)
