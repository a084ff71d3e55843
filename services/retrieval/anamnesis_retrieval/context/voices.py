"""Order of speakers in the log of an agent's work: people and assistants before tools.

What a person said and what an assistant concluded answers most of what is asked later. What a tool
printed (a file, a list, "updated") has the question's words more often than an answer: it follows
behind, and is shown by the lines around its hits.
"""

from collections.abc import Sequence

from anamnesis_libs.talk.asking import asks_for_beginning, asks_of_person
from anamnesis_retrieval.model import Candidate, Ranked
from anamnesis_retrieval.ranking.newest import moment

PRINTED_BEHIND = 6.0
"""So much more must the score of what a tool printed be; scores of answers lie around ten."""
FAILED_BEHIND = 3.0
"""And of a run that failed, since that is an event, and not a text that was looked at."""
PERSON_BEFORE, ASKED_PERSON_BEFORE = 1.0, 3.0
"""So much less may the score of a person's words be, and where it is asked what they said."""
FIRST_BEFORE = 8.0
"""So much less yet, where it is asked what came first, that of the first things they said."""
FIRST_MAX = 2
CANDIDATES_FACTOR = 5
"""So many times more candidates are looked at where it is asked what a person said in a log:
"continue until all are done" has no word of such a question."""

_FAILED = "(failed)"


def candidates_factor(query: str) -> int:
    """The factor on the usual number of candidates that a prompt needs."""
    return CANDIDATES_FACTOR if asks_of_person(query) else 1


def spoken_first(query: str, ranked: Sequence[Ranked]) -> list[Ranked]:
    """The hits, best first, what tools printed behind what was said about as well."""
    if not any(hit.candidate.role == "tool" for hit in ranked):
        return list(ranked)
    of_person = asks_of_person(query)
    before = ASKED_PERSON_BEFORE if of_person else PERSON_BEFORE
    first = _first_said(ranked) if of_person and asks_for_beginning(query) else frozenset()

    def worth(hit: Ranked) -> float:
        score = hit.score - _behind(hit.candidate) + before * (hit.candidate.role == "user")
        return score + FIRST_BEFORE * (hit.candidate.memory_id in first)

    return sorted(ranked, key=worth, reverse=True)


def _behind(candidate: Candidate) -> float:
    if candidate.role != "tool":
        return 0.0
    return FAILED_BEHIND if candidate.name.endswith(_FAILED) else PRINTED_BEHIND


def _first_said(ranked: Sequence[Ranked]) -> frozenset[str]:
    """The ids of the first things that persons said."""
    said = sorted((hit for hit in ranked if hit.candidate.role == "user"), key=moment)
    return frozenset(hit.candidate.memory_id for hit in said[:FIRST_MAX])
