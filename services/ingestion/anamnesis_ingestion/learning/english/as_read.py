"""A statement as its clause has it: denied, begun, over or past."""

from dataclasses import replace

from spacy.tokens import Token

from anamnesis_ingestion.learning.english.clauses import Clause
from anamnesis_ingestion.learning.english.frames import Statement, worded
from anamnesis_ingestion.learning.english.marks import (
    Tense,
    is_at_first,
    is_never,
    is_of_interest,
    was_usual,
)
from anamnesis_ingestion.learning.english.misread import is_by_the_way
from anamnesis_ingestion.learning.english.needs import is_had
from anamnesis_ingestion.learning.english.times import limit_of
from anamnesis_ingestion.learning.english.tree import child, children, is_title, lemma
from anamnesis_ingestion.learning.english.vocabulary import Change, words

_OPPOSITE = {
    "likes": "dislikes", "prefers": "avoids", "eats": "does_not_eat", "drinks": "avoids",
    "uses": "avoids", "follows_diet": "", "does": "does_not", "can": "cannot",
    "wants": "dislikes", "has": "",
}  # fmt: skip

_LIMITED = frozenset({"avoids", "does_not_eat"})
"""What one may leave at some time of the day alone: "no coffee after lunch"."""
_TO_COME = {
    "marital_status": "get",
    "lives_in": "move to",
    "works_at": "join",
    "studies_at": "study at",
    "lives_with": "move in with",
}
"""The plan to do what begins some state."""
_HAD = frozenset({"has_pet", "owns"})
"""What one has where one has "got" it."""


def as_read(found: Statement, clause: Clause, *, ahead: bool = False) -> Statement | None:
    """The statement as polarity, tense and change have it; None where nothing is left of it.

    Of a time that was `ahead` a present tells a plan: "I move to Lyon on May 1".
    """
    reading = clause.reading
    if reading.negated and not found.denies:
        return _denied(found, clause)
    if reading.change is not None:
        begun = found.denies and reading.change is Change.END
        return _changed(found, clause, Change.BEGIN if begun else reading.change)
    from_there = found.predicate == "is_from" or is_by_the_way(found, clause)
    from_there = from_there and clause.verb.tag_ == "VBG"
    if from_there or _is_to_come(found, clause.verb):
        past = clause.reading.tense is Tense.PAST
        return None if from_there or past else _planned(found, clause.verb, ahead=ahead)
    if _is_got(found, clause.verb):
        return replace(found, change=Change.BEGIN)
    if found.predicate in _HAD and is_had(clause.verb) and not _is_new(found.head):
        return replace(found, change=Change.STATE)
    return _told(found, clause)


def _told(found: Statement, clause: Clause) -> Statement | None:
    """The statement as its tense has it."""
    if found.change is Change.STATE and clause.reading.tense is Tense.PAST:
        born = found.predicate == "has_relative" and lemma(clause.verb) == "have"
        return _born(found) if born else _past(found, clause.verb)
    if found.predicate == "married_to" and _has_been(clause.verb):
        return replace(found, change=Change.STATE)
    return replace(found, change=Change.BEGIN) if _is_anew(found, clause) else found


def _has_been(verb: Token) -> bool:
    """True for "I've been married to Stuart", nobody knows since when."""
    return any(each.lower_ == "been" for each in children(verb, "auxpass"))


def _born(found: Statement) -> Statement | None:
    """The twins of "my brother just had twins"; nobody has had a sister."""
    born = lemma(found.head) in words("babies")
    return replace(found, change=Change.BEGIN) if born else None


def _is_got(found: Statement, verb: Token) -> bool:
    """True for "I got my licence in April": one has it from then on."""
    got = found.predicate == "has" and lemma(verb) == "get" and not is_had(verb)
    return got and lemma(found.head) in words("credentials")


def _is_to_come(found: Statement, verb: Token) -> bool:
    """True for "I move to Lyon": a change that is told as present has not happened.

    What somebody is starting at or using, they do.
    """
    turns = found.change in {Change.BEGIN, Change.END} and lemma(verb) != "be"
    if any(each.lower_ == "getting" for each in children(verb, "auxpass")):
        return found.change is Change.BEGIN
    now = found.predicate == "uses" or (lemma(verb) == "start" and found.predicate != "owns")
    return turns and verb.tag_ in {"VB", "VBP", "VBZ"} | (set() if now else {"VBG"})


def _planned(found: Statement, verb: Token, *, ahead: bool) -> Statement | None:
    """The plan of "I'm moving to Lyon"; None for what is told as a rule."""
    deed = _TO_COME.get(found.predicate, "")
    getting = any(each.lower_ == "getting" for each in children(verb, "auxpass"))
    under_way = getting or (verb.tag_ == "VBG" and child(verb, "aux") is not None)
    if not deed or not (under_way or ahead) or found.change is not Change.BEGIN:
        return None
    what = f"{deed} {found.object}"
    said = "" if under_way else worded("plans to", what)
    return replace(
        found, predicate="plans", object=what, kind="goal", change=Change.DEED, said=said
    )


def _said(found: Statement, clause: Clause) -> str:
    """The statement of a change whose clause does not name its object."""
    if not found.said or clause.reading.change is not Change.END:
        return found.said
    return worded(f"used to {found.predicate.removesuffix('s')}", found.object)


def _changed(found: Statement, clause: Clause, change: Change) -> Statement | None:
    """The statement that begins or ends; what was usual once is a deed of then."""
    if found.generic and was_usual(clause.verb):
        return replace(found, predicate="did", kind="experience", change=Change.DEED)
    limit = limit_of(clause.verb) if change is Change.END else ""
    if not limit:
        return replace(found, change=change, said=_said(found, clause))
    if found.predicate not in _OPPOSITE or found.generic:
        return None
    what = f"{found.object} {limit}"
    said = worded("avoids", what)
    return replace(found, predicate="avoids", object=what, change=Change.BEGIN, said=said)


def _is_new(head: Token) -> bool:
    return any(each.lower_ == "new" for each in children(head, "amod"))


def _is_anew(found: Statement, clause: Clause) -> bool:
    """True for a state that holds "again": it begins anew, whatever was before."""
    if found.change is not Change.STATE or found.generic:
        return False
    return any(each.lower_ == "again" for each in children(clause.verb, "advmod"))


def _denied(found: Statement, clause: Clause) -> Statement | None:
    """The opposite that a denial states ("don't like" is dislikes); None if it states none."""
    if found.predicate == "wants" and found.generic:
        said = found.said.replace("{} wants", "{} does not want", 1)
        return replace(found, predicate="does_not_want", worth=found.worth + 0.2, said=said)
    opposite = _OPPOSITE.get(found.predicate, "")
    if opposite == "dislikes" and is_of_interest(clause.verb):
        opposite = "uninterested_in"
    doing = found.change is not Change.STATE or clause.verb.tag_ == "VBG"
    idle = found.predicate == "does" and doing
    idle = idle or (found.predicate == "uses" and clause.reading.tense is Tense.PERFECT)
    whole = found.generic and found.predicate != "can" and not is_never(clause.verb)
    idle = idle or clause.reading.tense is Tense.PAST or whole
    if not opposite or idle:
        return None
    limit = limit_of(clause.verb) if opposite in _LIMITED and not found.generic else ""
    what = f"{found.object} {limit}".rstrip()
    said = worded(opposite, what) if limit else found.said
    return replace(found, predicate=opposite, object=what, said=said)


def _past(found: Statement, verb: Token) -> Statement | None:
    """A state that is told as past: over by now; a taste of then is none of now.

    A taste is over where it was so "at first".
    """
    if found.generic:
        return replace(found, change=Change.DEED)
    if found.kind == "preference" and any(map(is_at_first, verb.subtree)):
        return replace(found, change=Change.END)
    if found.predicate == "likes" and is_title(found.head):
        return found
    return None if found.kind == "preference" else replace(found, change=Change.END, held=True)
