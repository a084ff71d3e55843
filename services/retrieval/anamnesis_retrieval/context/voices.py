"""Order of speakers in the log of an agent's work: people and assistants before tools.

What a person said and what an assistant concluded answers most of what is asked later. What a tool
printed (a file, a list, "updated") has the question's words more often than an answer: it follows
behind, and is shown by the lines around its hits. It follows less far where the question asks for
what tools know: why something failed, what must hold, by which command something is run.
"""

import functools
from collections.abc import Sequence
from dataclasses import dataclass

from anamnesis_libs.index.analysis import tokens
from anamnesis_libs.talk.asking import (
    asks_for_beginning,
    asks_for_command,
    asks_for_end,
    asks_for_failure,
    asks_of_person,
    manners_of,
)
from anamnesis_retrieval.model import Candidate, Ranked
from anamnesis_retrieval.ranking.newest import moment

PRINTED_BEHIND = 6.0
"""So much more must the score of what a tool printed be; scores of answers lie around ten."""
FAILED_BEHIND = 3.0
"""And of a run that failed, since that is an event, and not a text that was looked at."""
LAID_DOWN_BEHIND = 2.0
"""And of a text that a command printed, where it is asked what must hold."""
COMMAND_BEFORE = 6.0
"""So much less may the score of a run be, where it is asked how such a thing is run."""
PERSON_BEFORE, ASKED_PERSON_BEFORE = 1.0, 3.0
"""So much less may the score of a person's words be, and where it is asked what they said."""
FIRST_MAX, LAST_MAX = 2, 5
"""So many of the first or last things said come before all else, where these are asked for."""
PERSON_FACTOR, LAST_FACTOR = 5, 20
"""So many times more candidates are looked at where it is asked what a person said in a log, or
what came last: "continue until all are done" has no word of such a question."""

READ_MAX = 64
"""Questions that are kept as they were read."""

_FAILED = "(failed)"
_FILE_TOOLS = frozenset(
    ["read", "write", "edit", "multiedit", "glob", "ls", "view", "cat", "open", "create"]
)
"""Tools that look at files or write them: what they print is the files."""


def candidates_factor(query: str) -> int:
    """The factor on the usual number of candidates that a prompt needs."""
    if asks_for_end(query):
        return LAST_FACTOR
    return PERSON_FACTOR if asks_of_person(query) else 1


def said_then(query: str, ranked: Sequence[Ranked]) -> frozenset[str]:
    """The ids of the first or last things said in a log, where these are asked for."""
    if not _is_log(ranked):
        return frozenset()
    of_person = asks_of_person(query)
    of_role = "user" if of_person else "assistant"
    said = sorted((hit for hit in ranked if hit.candidate.role == of_role), key=moment)
    first = said[:FIRST_MAX] if of_person and asks_for_beginning(query) else []
    last = said[-LAST_MAX:] if asks_for_end(query) else []
    return frozenset(hit.candidate.memory_id for hit in (*first, *last))


def spoken_first(query: str, ranked: Sequence[Ranked]) -> list[Ranked]:
    """The hits, best first, what tools printed behind what was said about as well."""
    if not _is_log(ranked):
        return list(ranked)
    asked = _asked(query)
    at_the_edge = said_then(query, ranked)

    def worth(hit: Ranked) -> tuple[bool, float]:
        score = hit.score - asked.behind(hit.candidate) + asked.before(hit.candidate)
        return hit.candidate.memory_id in at_the_edge, score

    return sorted(ranked, key=worth, reverse=True)


def is_asked_run(query: str, candidate: Candidate) -> bool:
    """True for a run of the kind that is asked for: one that failed, one of such a command."""
    return candidate.role == "tool" and _asked(query).behind(candidate) <= 0.0


def _is_log(ranked: Sequence[Ranked]) -> bool:
    """True for the log of an agent's work: tools take part in it."""
    return any(hit.candidate.role == "tool" for hit in ranked)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question as it is put to a log."""

    terms: frozenset[str]
    of_person: bool
    for_failure: bool
    for_norm: bool
    for_command: bool

    def behind(self, candidate: Candidate) -> float:
        """The points by which what a tool printed follows behind what was said."""
        if candidate.role != "tool":
            return 0.0
        if candidate.name.endswith(_FAILED):
            return 0.0 if self.for_failure else FAILED_BEHIND
        if _tool_of(candidate) in _FILE_TOOLS:
            return PRINTED_BEHIND
        if self.for_command and not self.terms.isdisjoint(tokens(candidate.name)):
            return -COMMAND_BEFORE
        return LAID_DOWN_BEHIND if self.for_norm else PRINTED_BEHIND

    def before(self, candidate: Candidate) -> float:
        """The points by which a person's words stand before what others said."""
        if candidate.role != "user":
            return 0.0
        return ASKED_PERSON_BEFORE if self.of_person else PERSON_BEFORE


@functools.lru_cache(maxsize=READ_MAX)
def _asked(query: str) -> _Asked:
    """The question as it was read; one is asked about many hits."""
    return _Asked(
        terms=frozenset(tokens(query)),
        of_person=asks_of_person(query),
        for_failure=asks_for_failure(query),
        for_norm="norm" in manners_of(query),
        for_command=asks_for_command(query),
    )


def _tool_of(candidate: Candidate) -> str:
    """The first word of a tool's name: `read` of "read_file: parser.py"."""
    return candidate.name.split(":", 1)[0].split("_", 1)[0].strip().lower()
