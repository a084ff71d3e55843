"""Ends of held facts that follow from new ones; what only ends is no fact by itself.

Of two things that are told against each other ("I used to favour long beach holidays, now it's
long city holidays"), what both are is not what ended: that is the beach holidays.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from fnmatch import fnmatchcase

from anamnesis_ingestion.learning.closing.exclusions import (
    ANYTHING,
    MADE,
    NARROWER,
    SAME,
    Exclusion,
    exclusions,
)
from anamnesis_ingestion.learning.closing.plans import PLANS, ends_plan
from anamnesis_ingestion.learning.closing.things import apart, is_same, is_wider, made_by
from anamnesis_ingestion.learning.knowledge import Dated, FactKind, Held, LearnedFact

EMPLOYER, JOB = "works_at", "works_as"
_CALLED_SHORT = frozenset({"owns", "works_at", "works_in", "studies_at", "member_of"})


def with_ends(facts: Iterable[LearnedFact], held: Sequence[Held]) -> Iterator[LearnedFact]:
    """The facts, with the ends that they bring to what is held, and those that it brings to them.

    It does not matter which of two was learned first: the one that was told later ends the other.
    """
    told = list(facts)
    open_now = [one for one in held if not one.ended or one.predicate in PLANS]
    for fact in told:
        itself = _as_held(fact)
        meant = [itself, *map(_as_held, _against(fact, told))]
        excluded = [one for one in open_now if any(_ends(each, one) for each in meant)]
        excluded += [one for one in open_now if _is_before(one, fact) and ends_plan(fact, one)]
        excluded += [one for one in open_now if _was_of(one, excluded) and one not in excluded]
        open_now = [one for one in open_now if one not in excluded]
        by_short_name = fact.ended and any(_is_called_by(itself, one) for one in excluded)
        if not (fact.ends_only or by_short_name):
            yield fact
        for one in excluded:
            if fact.ends_only or one.folded() != itself.folded():
                yield _end(one, fact)
        if not fact.ended:
            open_now.append(itself)
            yield from _ended_by(held, fact, itself)


def _ended_by(held: Iterable[Held], fact: LearnedFact, itself: Held) -> Iterator[LearnedFact]:
    """The end of a fact by the first of what is held that excludes it, and was told later."""
    over = [
        when
        for one in held
        if (when := _when(one)) and fact.said_at and when > fact.said_at
        if one.folded() != itself.folded() and _excludes(one, itself)
    ]
    if over:
        time = Dated(fact.time.since, min(over), fact.time.precision)
        yield replace(fact, time=time, ended=True, single_valued=False)


def _was_of(job: Held, ended: Sequence[Held]) -> bool:
    """True for the job at an employer who is left: "I work at Veltrix as an analyst" told both."""
    employers = (one for one in ended if one.predicate == EMPLOYER and one.told_at is not None)
    return job.predicate == JOB and any(
        (one.subject, one.told_at) == (job.subject, job.told_at) for one in employers
    )


def _as_held(fact: LearnedFact) -> Held:
    return Held(
        subject=fact.subject,
        predicate=fact.predicate,
        object=fact.object,
        told_at=fact.said_at,
        ended=fact.ended,
        since=fact.time.since,
        until=fact.time.until,
    )


def _when(one: Held) -> datetime | None:
    """The time from which it excludes others."""
    return (one.until if one.ended else one.since) or one.told_at


def _against(ended: LearnedFact, told: Iterable[LearnedFact]) -> Iterator[LearnedFact]:
    """A taste that ended, by what sets it apart from the one that is told to follow it."""
    if not ended.ended or ended.kind is not FactKind.PREFERENCE:
        return
    for other in told:
        follows = other.kind is FactKind.PREFERENCE and not other.ended
        if follows and other.sources == ended.sources and other.subject == ended.subject:
            thing = apart(ended.object, other.object)
            if thing:
                yield replace(ended, object=thing)


def _is_before(held: Held, fact: LearnedFact) -> bool:
    """True for what was told before a fact, and is not over by its own word."""
    when, told_at = fact.said_at, held.told_at
    if when is None or told_at is None or told_at >= when:
        return False
    return held.until is None or held.until > when


def _ends(new: Held, held: Held) -> bool:
    """True if the new one ends what is held; never what was told after it, or was over by then.

    Nor what is told to begin together with it: the new car is not the old one.
    """
    when = _when(held)
    if new.told_at and when and when > new.told_at:
        return False
    if held.since is not None and held.since == new.told_at:
        return False
    over = new.told_at and held.until and held.until <= new.told_at
    return not over and _excludes(new, held)


def _excludes(told: Held, held: Held) -> bool:
    """True if what is told is not beside what is held, whenever that was."""
    if held.subject.casefold() != told.subject.casefold():
        return False
    itself = told.ended and held.predicate == told.predicate
    if itself and (is_wider(told.object, held.object) or _is_called_by(told, held)):
        return True
    table = exclusions("ends" if told.ended else "begins").get(told.predicate, ())
    return any(_falls_under(each, told, held) for each in table)


def _falls_under(rule: Exclusion, told: Held, held: Held) -> bool:
    if not fnmatchcase(held.predicate, rule.held):
        return False
    if SAME in rule.objects:
        same = is_wider if told.ended or NARROWER in rule.excluded else is_same
        return same(told.object, held.object)
    return _is_one(told.object, rule.objects) and _is_one(held.object, rule.excluded)


def _is_one(thing: str, values: frozenset[str]) -> bool:
    if ANYTHING in values or thing.casefold() in values:
        return True
    made = (each.removeprefix(MADE) for each in values if each.startswith(MADE))
    return any(each in made_by(thing) for each in made)


def _is_called_by(told: Held, held: Held) -> bool:
    """True for "the Leica" of somebody's Leica camera, and Nordvik of Nordvik Shipping.

    So things are called by their maker, and firms and schools by the head of their name.
    """
    name, whole = told.object, held.object
    han = name[:1] >= "\u3400"
    parted = whole[len(name) : len(name) + 1] == " " or (han and len(name) > 1)
    named = (han or name[:1].isupper()) and whole.startswith(name) and whole != name
    return named and parted and told.predicate in _CALLED_SHORT


def _end(held: Held, fact: LearnedFact) -> LearnedFact:
    """A fact that was held, and is over from when the fact was told to begin or to end."""
    over = fact.time.until if fact.ended else fact.time.since
    return replace(
        fact,
        subject=held.subject,
        predicate=held.predicate,
        object=held.object,
        time=Dated(None, over, fact.time.precision),
        ended=True,
        ends_only=False,
        single_valued=False,
    )
