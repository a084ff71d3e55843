"""A fact that a sentence states, and which subjects and times a predicate goes with."""

from dataclasses import dataclass

from anamnesis_ingestion.learning.chinese.frames import Claim
from anamnesis_ingestion.learning.chinese.subjects import Read
from anamnesis_ingestion.learning.chinese.vocabulary import meanings
from anamnesis_ingestion.learning.knowledge import NO_TIME, Dated, FactKind

_NEEDS_SUBJECT = frozenset(
    [
        "uses",
        "owns",
        "prefers",
        "can",
        "cannot",
        "plays",
        "studies",
        "reads",
        "prepares",
        "does",
        "avoids",
        "has_setting",
        "works_on",
        "member_of",
    ]
)
"""Predicates that are an order, or about anything, where no subject is written."""
_OURS = frozenset(
    [
        "lives_in",
        "married_to",
        "has_partner",
        "marital_status",
        "has_pet",
        "has_relative",
        "rent",
        "owns",
        "uses",
        "studies_at",
        "is_from",
        "visited",
        "has_seen",
        "attended",
    ]
)
"""Predicates that hold of the speaker where 我们 is the subject."""
OVER_BY_TIME = frozenset(["lives_in", "works_at", "works_in", "works_as", "studies_at"])
TASTES = frozenset(
    {"likes", "dislikes", "prefers", "uses", "does_not_eat", "does_not_drink", "is_allergic_to"}
)
INTRODUCE = frozenset({"has_pet", "owns", "knows"})
"""Predicates whose object is what the next clause is about: 我养了一只猫，七岁了."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundFact:
    """A fact that a sentence states."""

    subject: str
    predicate: str
    object: str
    statement: str
    kind: FactKind
    worth: float
    time: Dated = NO_TIME
    ended: bool = False
    single_valued: bool = False
    persons: tuple[str, ...] = ()
    assumed: bool = False
    """The sentence takes it for granted: 我老婆王敏的生日送什么好？"""


def allowed(claim: Claim, read: Read, *, implied: bool) -> bool:
    """True if the claim may be made of such a subject."""
    if read.plural and claim.predicate not in _OURS:
        return False
    return not (implied and claim.predicate in _NEEDS_SUBJECT)


def found_fact(
    subject: str,
    predicate: str,
    held: str,
    statement: str,
    *,
    sort: str = "",
    time: Dated = NO_TIME,
    ended: bool = False,
    persons: tuple[str, ...] = (),
    assumed: bool = False,
) -> FoundFact:
    """The fact with what its predicate, or the sort of predicate, says of it."""
    meaning = meanings()[sort or predicate]
    return FoundFact(
        subject=subject,
        predicate=predicate,
        object=held,
        statement=statement,
        kind=meaning.kind,
        worth=meaning.worth,
        time=time,
        ended=ended,
        single_valued=meaning.single_valued,
        persons=persons,
        assumed=assumed,
    )
