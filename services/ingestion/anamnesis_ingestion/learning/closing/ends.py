"""Ends of held facts that follow from new ones.

Of two things that are told against each other ("I used to favour long beach holidays, now it's
long city holidays"), what both are is not what ended: that is the beach holidays.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

from anamnesis_ingestion.learning.closing.exclusions import ANYTHING, SAME, Exclusion, exclusions
from anamnesis_ingestion.learning.closing.things import apart, is_same, is_wider
from anamnesis_ingestion.learning.knowledge import Dated, FactKind, Held, LearnedFact

_OWNED = "owns"


def with_ends(facts: Iterable[LearnedFact], held: Sequence[Held]) -> Iterator[LearnedFact]:
    """The facts, each with the ends of what it excludes: of what is held, or was told before it."""
    open_now = {one.folded(): one for one in held}
    told = list(facts)
    for fact in told:
        yield fact
        itself = Held(fact.subject, fact.predicate, fact.object, fact.said_at)
        meant = [fact, *_against(fact, told)]
        for one in [each for each in open_now.values() if any(_ends(as_, each) for as_ in meant)]:
            del open_now[one.folded()]
            if one.folded() != itself.folded():
                yield _end(one, fact)
        if not fact.ended:
            open_now[itself.folded()] = itself


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


def _ends(fact: LearnedFact, held: Held) -> bool:
    """True if the fact ends what is held; never what was told after it."""
    later = held.told_at and fact.said_at and held.told_at > fact.said_at
    if later or held.subject.casefold() != fact.subject.casefold():
        return False
    if fact.ended and held.predicate == fact.predicate:
        return is_wider(fact.object, held.object) or _is_called_by(fact, held)
    table = exclusions("ends" if fact.ended else "begins").get(fact.predicate, ())
    return any(_excludes(each, fact, held) for each in table)


def _excludes(rule: Exclusion, fact: LearnedFact, held: Held) -> bool:
    if not fnmatchcase(held.predicate, rule.held):
        return False
    if SAME in rule.objects:
        same = is_wider if fact.ended else is_same
        return same(fact.object, held.object)
    return _is_one(fact.object, rule.objects) and _is_one(held.object, rule.excluded)


def _is_one(thing: str, values: frozenset[str]) -> bool:
    return ANYTHING in values or thing.casefold() in values


def _is_called_by(fact: LearnedFact, held: Held) -> bool:
    """True for "the Leica" of somebody's Leica camera: a thing by the name of its maker."""
    name, whole = fact.object, held.object
    named = name[:1].isupper() or name[:1] >= "\u3400"
    return fact.predicate == _OWNED and named and whole.startswith(name) and whole != name


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
        single_valued=False,
    )
