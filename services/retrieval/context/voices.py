"""Whose words come first in the log of an agent's work.

What a person said and what an assistant concluded answers most of what is asked later. What a tool
printed (a file, a list, "updated") has the question's words more often than an answer: it follows
behind, and is shown by the lines around its hits.
"""

from collections.abc import Sequence

from services.retrieval.model import Ranked

PRINTED_BEHIND = 6.0
"""So much more must the score of what a tool printed be; scores of answers lie around ten."""
PERSON_BEFORE = 1.0
"""So much less may that of what a person said be, where tools printed as well."""


def spoken_first(ranked: Sequence[Ranked]) -> list[Ranked]:
    """The hits, best first, what tools printed behind what was said about as well."""
    if not any(hit.candidate.role == "tool" for hit in ranked):
        return list(ranked)
    return sorted(ranked, key=_worth, reverse=True)


def _worth(hit: Ranked) -> float:
    role = hit.candidate.role
    return hit.score - PRINTED_BEHIND * (role == "tool") + PERSON_BEFORE * (role == "user")
