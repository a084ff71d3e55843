"""Ends of held facts that follow from new ones."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from anamnesis_ingestion.learning.closing.exclusions import ANYTHING, SAME, Exclusion, exclusions
from anamnesis_ingestion.learning.knowledge import Dated, Held, LearnedFact
from anamnesis_libs.talk.narrowing import object_words, wider

_OWNED = "owns"
_PLURAL_MIN = 4


def with_ends(facts: Iterable[LearnedFact], held: Sequence[Held]) -> Iterator[LearnedFact]:
    """The facts, each with the ends of what it excludes: of what is held, or was told before it."""
    open_now = {one.folded(): one for one in held}
    for fact in facts:
        yield fact
        told = Held(fact.subject, fact.predicate, fact.object)
        for one in [each for each in open_now.values() if _ends(fact, each)]:
            del open_now[one.folded()]
            if one.folded() != told.folded():
                yield _end(one, fact)
        if not fact.ended:
            open_now[told.folded()] = told


def _ends(fact: LearnedFact, held: Held) -> bool:
    """True if the fact ends what is held."""
    if held.subject.casefold() != fact.subject.casefold():
        return False
    if fact.ended and held.predicate == fact.predicate:
        return _is_wider(fact.object, held.object) or _is_called_by(fact, held)
    table = exclusions("ends" if fact.ended else "begins").get(fact.predicate, ())
    return any(_excludes(each, fact, held) for each in table)


def _excludes(rule: Exclusion, fact: LearnedFact, held: Held) -> bool:
    if rule.held != held.predicate:
        return False
    if SAME in rule.objects:
        same = _is_wider if fact.ended else _is_same
        return same(fact.object, held.object)
    return _is_one(fact.object, rule.objects) and _is_one(held.object, rule.excluded)


def _is_one(thing: str, values: frozenset[str]) -> bool:
    return ANYTHING in values or thing.casefold() in values


def _is_same(told: str, held: str) -> bool:
    return _singular(object_words(told)) == _singular(object_words(held))


def _is_wider(told: str, held: str) -> bool:
    """True if what is told is what is held, or says it less narrowly."""
    whole = _singular(object_words(told))
    return any(_singular(each) == whole for each in wider(object_words(held)))


def _singular(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words without the s of the last one: espressos are espresso."""
    last = words[-1] if words else ""
    plural = len(last) >= _PLURAL_MIN and last.endswith("s") and not last.endswith("ss")
    return (*words[:-1], last[:-1]) if plural else words


def _is_called_by(fact: LearnedFact, held: Held) -> bool:
    """True for "the Leica" of somebody's Leica camera: a thing by the name of its maker."""
    name, whole = fact.object, held.object
    named = name[:1].isupper() or name[:1] >= "\u3400"
    return fact.predicate == _OWNED and named and whole.startswith(name) and whole != name


def _end(held: Held, fact: LearnedFact) -> LearnedFact:
    """What was held, and is over from when the fact was told to begin or to end."""
    over = fact.time.until if fact.ended else fact.time.since
    return replace(
        fact,
        statement=fact.statement,
        subject=held.subject,
        predicate=held.predicate,
        object=held.object,
        time=Dated(None, over, fact.time.precision),
        ended=True,
        single_valued=False,
    )
