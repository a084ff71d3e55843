"""The values that pass between the suite and the process that reads English."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A text that one person said.

    Args:
        sentences: its English sentences, cleaned.
        subject: the id or name that facts about the speaker have as their subject; "" for a file.
        shown: the speaker's name in a statement.
        said_at: when it was said; None where nobody knows.
        listener: the person who is spoken to; "" where nobody knows, or where it is an agent.
        to_agent: an agent is spoken to, so that orders may be standing rules.
    """

    sentences: Sequence[str]
    subject: str
    shown: str
    said_at: datetime | None = None
    to_agent: bool = True
    listener: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A fact that a sentence states.

    `since` and `until` bound the words of time in it; `ended` says that `until`, or else the time
    of telling, is where the fact ends. `ends_only` says that it is nothing to learn where no such
    fact is held.
    """

    subject: str
    predicate: str
    object: str
    statement: str
    kind: str
    worth: float
    since: datetime | None = None
    until: datetime | None = None
    precision: str = ""
    ended: bool = False
    ends_only: bool = False
    begins: bool = False
    persons: tuple[str, ...] = ()
    location: str = ""
    single_valued: bool = False
    presupposed: bool = False
    """The sentence takes it for granted, and so may a question: "what about my friend Victor?"."""


def once(claims: Iterable[Claim]) -> list[Claim]:
    """The claims without those that say the same again.

    One thing may be called in more words: "a used Kia Niro" is the "Kia Niro" of the same words.
    """
    seen: dict[tuple[str, str, str], Claim] = {}
    for each in claims:
        if not any(_calls_it_longer(each, other) for other in seen.values()):
            seen.setdefault((each.subject, each.predicate, each.object), each)
    return list(seen.values())


def _calls_it_longer(claim: Claim, other: Claim) -> bool:
    same = (claim.subject, claim.predicate, claim.statement, claim.ended) == (
        *(other.subject, other.predicate, other.statement, other.ended),
    )
    return same and claim.object.endswith(f" {other.object}")
