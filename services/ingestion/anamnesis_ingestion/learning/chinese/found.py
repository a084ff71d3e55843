"""A fact that a sentence states, and which subjects and times a predicate goes with."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from anamnesis_ingestion.learning.chinese.frames import Claim
from anamnesis_ingestion.learning.chinese.subjects import Read, Subject
from anamnesis_ingestion.learning.chinese.vocabulary import Change, meanings
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
        "is_aged",
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
        "plans",
        "does",
    ]
)
"""Predicates that hold of the speaker where 我们 is the subject."""
OVER_BY_TIME = frozenset(["lives_in", "works_at", "works_in", "works_as", "studies_at"])
_TASTES = frozenset(
    {"likes", "dislikes", "prefers", "uses", "does_not_eat", "does_not_drink", "is_allergic_to"}
)
_TRAITS = frozenset({"does_not_eat", "does_not_drink", "cannot", "avoids", "dislikes"})
_OF_FIRMS = frozenset({"hours", "located_in"})
"""Predicates of a firm or a shop alone."""
_OF_ANY = frozenset(
    {"does", "uses", "is", "is_named", "manages", "works_as", "owns", "prefers", "plans"}
)
_OF_PETS = frozenset(
    [
        "is_aged",
        "has_condition",
        "is",
        "weight",
        "is_named",
        "must",
        "likes",
        "dislikes",
        "does_not_eat",
        "is_allergic_to",
        "underwent",
        "eats",
        "born_on",
    ]
)
"""Predicates that a pet may have."""
_FOUND_ILL = re.compile(r"查|诊|体检|报告|得了|患")
"""What is found in somebody on a day lasts."""
_INFANT = re.compile(r"[一两二三四五1-5]周?岁半?|.{1,3}个(?:半)?月")
"""An age at which nobody writes."""
_DISTRICTS = "区县镇乡村"
_TIMELESS = frozenset({"born_on", "likes", "dislikes"})
"""Predicates that no time to come makes a plan of: 下午我喜欢喝茶."""
OF_SELF = frozenset({"is_named", "is_aged", "works_as"})
"""Predicates behind which a bare noun says what somebody is: 我叫陈昊，一名插画师,"""
_OF_GOODS = OF_SELF | {"is", "is_from", "born_on", "weight", "height", "surname", "uses"}
"""Predicates that may be of what somebody has, where the clause before tells of it."""
_OF_A_NAME = frozenset({"is_named", "uses"})
"""What a name is no object of where it is told as somebody's: 我老板换成了陈总."""
NOUNS_OF_SELF = frozenset({"works_as", "is"})
"""and the predicates of that noun."""
INTRODUCE = frozenset({"has_pet", "owns"})
"""Predicates whose object is what the next clause is about: 我养了一只猫，七岁了."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """The circumstances in which a claim is told."""

    clause: str
    then: bool
    """The sentence tells of another time."""
    of_days: bool
    ahead: bool
    of_goods: bool
    """The clause before told of a thing, which this one may go on with."""
    of_a_name: bool
    """The clause names somebody else, or gives another name."""


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
    ends_only: bool = False
    """It ends what was held, and is nothing to remember by itself."""
    assumed: bool = False
    """The sentence takes it for granted: 我老婆王敏的生日送什么好？"""


def allowed(claim: Claim, read: Read, *, implied: bool, answers: bool) -> bool:
    """True if the claim may be made of such a subject.

    `implied` is true where none is written and the sentence opens with the claim, `answers` where
    it says 是 and nobody was named before: then only an illness is somebody's.
    """
    if answers and claim.predicate != "has_condition":
        return False
    if read.plural and claim.predicate not in _OURS:
        return False
    return not (implied and claim.predicate in _NEEDS_SUBJECT)


def of_thing(claim: Claim) -> Claim:
    """The claim as made of a firm, a shop or a pet."""
    return replace(claim, predicate="located_in") if claim.predicate == "lives_in" else claim


def fits(claim: Claim, subject: Subject) -> bool:
    """True if such a claim can be made of a firm, of a pet, or of a person."""
    if claim.predicate == "is_aged" and subject.is_speaker and _INFANT.fullmatch(claim.object.text):
        return False
    if not subject.is_thing:
        return claim.predicate not in _OF_FIRMS
    return claim.predicate in (_OF_PETS if subject.name else _OF_FIRMS | _OF_ANY)


def holds(claim: Claim, subject: Subject, told: Circumstances) -> bool:
    """True for a claim that can be made of such a subject, as it is told."""
    return fits(claim, subject) and not (
        (told.then and claim.predicate not in _TASTES)
        or (told.ahead and claim.predicate not in _TIMELESS)
        or (told.of_days and _of_the_day(claim, told.clause))
        or (told.of_goods and claim.predicate in _OF_GOODS)
        or (told.of_a_name and claim.predicate in _OF_A_NAME)
        or (claim.predicate == "is_named" and claim.object.text == subject.name)
    )


def _of_the_day(claim: Claim, clause: str) -> bool:
    """True for what says nothing lasting where it is told of a day: 今天不吃辣, 昨晚又失眠."""
    passes = claim.predicate == "has_condition" and _FOUND_ILL.search(clause) is None
    return (claim.predicate in _TRAITS or passes) and claim.change is Change.STATE


def in_one_place(found: Iterable[FoundFact]) -> Iterator[FoundFact]:
    """The facts, with a city and its district as one place: 搬到杭州了，住在滨江区."""
    last: FoundFact | None = None
    for each in found:
        if last is not None and _is_within(each, last):
            where = f"{last.object}{each.object}"
            statement = last.statement.replace(last.object, where)
            last = replace(last, object=where, statement=statement)
            continue
        if last is not None:
            yield last
        last = each
    if last is not None:
        yield last


def _is_within(part: FoundFact, whole: FoundFact) -> bool:
    """True for a district of which the place is told right before it."""
    lived = whole.predicate == part.predicate == "lives_in" and whole.subject == part.subject
    narrower = part.object[-1] in _DISTRICTS and whole.object[-1] not in _DISTRICTS
    return lived and narrower and not (whole.ended or part.ended)


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
