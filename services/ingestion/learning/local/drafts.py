"""What rules hand on: a clause of an event, and a fact as the clause gives it."""

from dataclasses import dataclass
from enum import StrEnum

from services.ingestion.learning.knowledge import FactKind
from services.ingestion.learning.local.predicates import Predicate


class Language(StrEnum):
    """Which rules read a clause."""

    ENGLISH = "en"
    CHINESE = "zh"


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence that may say one thing; `start` counts in the event's content.

    `opens` is whether it begins its sentence. `sentence` counts the sentences of the event.
    """

    text: str
    start: int
    sentence: int
    opens: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """One fact; `subject` is resolved and `statement` reads by itself.

    `confidence` says how sure the rule is. `dated` is whether a time told beside it is when
    the fact holds or happened; such a time is looked for from `times_from` on.
    """

    clause: Clause
    subject: str
    predicate: Predicate
    object: str
    statement: str
    kind: FactKind
    persons: tuple[str, ...] = ()
    location: str = ""
    confidence: float = 0.75
    dated: bool = True
    times_from: int = 0
