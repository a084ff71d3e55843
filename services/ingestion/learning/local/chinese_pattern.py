"""One pattern of a Chinese predicate: what it says, and whose subject it needs."""

import re
from dataclasses import dataclass
from enum import StrEnum

from services.ingestion.learning.knowledge import FactKind
from services.ingestion.learning.local.predicates import Predicate


class Who(StrEnum):
    """Which subjects a pattern takes."""

    SPEAKER = "speaker"
    PERSON = "person"
    GROUP = "group"
    THING = "thing"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class Pattern:
    """One way to say something. `bare` allows that no subject is told: it is the speaker then."""

    pattern: re.Pattern[str]
    predicate: Predicate
    kind: FactKind
    who: Who
    bare: bool
    confidence: float
    dated: bool


def pattern(
    pattern: str,
    predicate: Predicate,
    kind: FactKind,
    who: Who = Who.PERSON,
    *,
    bare: bool = False,
    confidence: float = 0.8,
    dated: bool = False,
) -> Pattern:
    """A pattern with its usual way: of a person, with a subject told, true at any time."""
    return Pattern(re.compile(pattern), predicate, kind, who, bare, confidence, dated)
