"""The closed vocabulary of predicates: the same for every language, so that facts agree.

A single-valued predicate holds for one object at a time: who lives in Leeds lives no longer in
York, so that a new object closes the old fact. The others add up.
"""

from dataclasses import dataclass
from enum import StrEnum

from services.ingestion.learning.knowledge import FactKind


class Predicate(StrEnum):
    """What a fact says of its subject."""

    LIKES = "likes"
    DISLIKES = "dislikes"
    PREFERS = "prefers"
    USES = "uses"
    EATS = "eats"
    DOES_NOT_EAT = "does_not_eat"
    IS_ALLERGIC_TO = "is_allergic_to"
    HAS_CONDITION = "has_condition"
    IS = "is"
    IS_NAMED = "is_named"
    IS_AGED = "is_aged"
    IS_FROM = "is_from"
    LIVES_IN = "lives_in"
    WORKS_AS = "works_as"
    WORKS_AT = "works_at"
    WORKS_ON = "works_on"
    STUDIES = "studies"
    DOES = "does"
    HAS = "has"
    OWNS = "owns"
    HAS_RELATIVE = "has_relative"
    KNOWS = "knows"
    CAN = "can"
    CANNOT = "cannot"
    SPEAKS = "speaks"
    WANTS = "wants"
    PLANS = "plans"
    MUST = "must"
    MUST_NOT = "must_not"
    REQUIRES = "requires"
    ALLOWS = "allows"
    DID = "did"
    MOVED_TO = "moved_to"
    HAPPENED = "happened"
    WILL_HAPPEN = "will_happen"
    DECIDED = "decided"
    DISCOVERED = "discovered"
    HAS_PROPERTY = "has_property"


@dataclass(frozen=True, slots=True)
class Meaning:
    """What kind of fact a predicate makes unless a rule knows better, and how much it matters."""

    kind: FactKind
    importance: float
    single_valued: bool = False


_K = FactKind
MEANINGS: dict[Predicate, Meaning] = {
    Predicate.LIKES: Meaning(_K.PREFERENCE, 0.5),
    Predicate.DISLIKES: Meaning(_K.PREFERENCE, 0.55),
    Predicate.PREFERS: Meaning(_K.PREFERENCE, 0.6),
    Predicate.USES: Meaning(_K.PREFERENCE, 0.5),
    Predicate.EATS: Meaning(_K.PREFERENCE, 0.5),
    Predicate.DOES_NOT_EAT: Meaning(_K.PREFERENCE, 0.7),
    Predicate.IS_ALLERGIC_TO: Meaning(_K.CONSTRAINT, 0.9),
    Predicate.HAS_CONDITION: Meaning(_K.IDENTITY, 0.8),
    Predicate.IS: Meaning(_K.IDENTITY, 0.6),
    Predicate.IS_NAMED: Meaning(_K.IDENTITY, 0.8, single_valued=True),
    Predicate.IS_AGED: Meaning(_K.IDENTITY, 0.6, single_valued=True),
    Predicate.IS_FROM: Meaning(_K.IDENTITY, 0.6, single_valued=True),
    Predicate.LIVES_IN: Meaning(_K.IDENTITY, 0.7, single_valued=True),
    Predicate.WORKS_AS: Meaning(_K.IDENTITY, 0.7, single_valued=True),
    Predicate.WORKS_AT: Meaning(_K.IDENTITY, 0.7, single_valued=True),
    Predicate.WORKS_ON: Meaning(_K.IDENTITY, 0.5),
    Predicate.STUDIES: Meaning(_K.IDENTITY, 0.6),
    Predicate.DOES: Meaning(_K.IDENTITY, 0.5),
    Predicate.HAS: Meaning(_K.IDENTITY, 0.5),
    Predicate.OWNS: Meaning(_K.IDENTITY, 0.5),
    Predicate.HAS_RELATIVE: Meaning(_K.RELATIONSHIP, 0.7),
    Predicate.KNOWS: Meaning(_K.RELATIONSHIP, 0.6),
    Predicate.CAN: Meaning(_K.SKILL, 0.55),
    Predicate.CANNOT: Meaning(_K.SKILL, 0.55),
    Predicate.SPEAKS: Meaning(_K.SKILL, 0.6),
    Predicate.WANTS: Meaning(_K.GOAL, 0.6),
    Predicate.PLANS: Meaning(_K.GOAL, 0.6),
    Predicate.MUST: Meaning(_K.CONSTRAINT, 0.7),
    Predicate.MUST_NOT: Meaning(_K.CONSTRAINT, 0.75),
    Predicate.REQUIRES: Meaning(_K.CONSTRAINT, 0.7),
    Predicate.ALLOWS: Meaning(_K.CONSTRAINT, 0.6),
    Predicate.DID: Meaning(_K.EXPERIENCE, 0.5),
    Predicate.MOVED_TO: Meaning(_K.EXPERIENCE, 0.65),
    Predicate.HAPPENED: Meaning(_K.EVENT, 0.5),
    Predicate.WILL_HAPPEN: Meaning(_K.EVENT, 0.6),
    Predicate.DECIDED: Meaning(_K.DECISION, 0.7),
    Predicate.DISCOVERED: Meaning(_K.DISCOVERY, 0.65),
    Predicate.HAS_PROPERTY: Meaning(_K.OTHER, 0.4),
}

SINGLE_VALUED = frozenset(each.value for each, meaning in MEANINGS.items() if meaning.single_valued)
"""Predicates whose new object closes the old fact."""
