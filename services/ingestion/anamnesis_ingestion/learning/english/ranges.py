"""From when until when: a range of time is taken out of a sentence before it is parsed.

"Ann plays for C.F. Estrela from Jan 1991 to Jan 1992" is a short sentence about a club. With the
range in it, the parser hangs months and years on names, and prepositions on what is no verb.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from anamnesis_ingestion.learning.english.times import NEVER_TOLD, When
from anamnesis_libs.timephrases.find import find_times
from anamnesis_libs.timephrases.model import Bound

_LEAD = re.compile(r"[\s,(]*\b(?:from|between|in|during)\s+(?:about\s+)?$", re.IGNORECASE)
_JOIN = re.compile(r"\s*(?:to|until|till|through|and|-)\s*(?:about\s+)?", re.IGNORECASE)
_TAIL = re.compile(r"\s*\)?\s*")


@dataclass(frozen=True, slots=True)
class Ranged:
    """A sentence without its range of time, where the range stood, and what it means."""

    text: str
    at: int = -1
    when: When = NEVER_TOLD


def without_range(text: str, said_at: datetime | None) -> Ranged:
    """The sentence as it is to be parsed; of several ranges none is taken out."""
    phrases = find_times(text, said_at) if said_at else ()
    ranges = [
        (first, last)
        for first, last in pairwise(phrases)
        if first.bound is Bound.SINCE
        and last.bound is Bound.UNTIL
        and _JOIN.fullmatch(text[first.end : last.start])
    ]
    if len(ranges) != 1:
        return Ranged(text)
    ((first, last),) = ranges
    lead = _LEAD.search(text[: first.start])
    head = text[: lead.start() if lead else first.start].rstrip()
    tail = _TAIL.sub("", text[last.end :], count=1)
    joined = f"{head} {tail}" if tail[:1].isalnum() and head else head + tail
    when = When(first.since, last.until, str(first.precision.value), ranged=True)
    return Ranged(joined, len(head), when)
