"""One English set phrase about the speaker: how it reads, and how its statement is put."""

import re
from dataclasses import dataclass

from services.ingestion.learning.knowledge import FactKind
from services.ingestion.learning.local.predicates import Predicate


@dataclass(frozen=True, slots=True)
class Phrase:
    """A pattern with its object as group `o`, and how the statement is put.

    `told` is what stands between the speaker and the object; "" quotes the clause.
    `subject` is a group that names the subject; "" is the speaker.
    """

    pattern: re.Pattern[str]
    predicate: Predicate
    kind: FactKind
    told: str
    confidence: float = 0.8
    owned: bool = False


def phrase(
    pattern: str,
    predicate: Predicate,
    kind: FactKind,
    told: str,
    confidence: float = 0.8,
    owned: bool = False,
) -> Phrase:
    """A phrase from its pattern, in any case."""
    return Phrase(re.compile(pattern, re.IGNORECASE), predicate, kind, told, confidence, owned)
