"""The ends of the time of a statement."""

from datetime import datetime

from spacy.tokens import Token

from anamnesis_ingestion.learning.english.clauses import Clause
from anamnesis_ingestion.learning.english.frames import Statement
from anamnesis_ingestion.learning.english.times import When
from anamnesis_ingestion.learning.english.tree import children, is_mine, lemma
from anamnesis_ingestion.learning.english.vocabulary import Change, words


def is_long_ago(verb: Token) -> bool:
    """True where words of time were said that nobody can resolve: "some time ago"."""
    then = any(each.lower_ in {"ago", "once", "when", "before"} for each in verb.subtree)
    return then or any(map(_is_at_age, children(verb, "prep")))


def _is_at_age(prep: Token) -> bool:
    """True for "at 40", "at the age of 12", "in my twenties" and "as a child"."""
    led = children(prep, "pobj")
    years = any(each.like_num or lemma(each) == "age" for each in led) and prep.lower_ == "at"
    decade = prep.lower_ == "in" and any(is_mine(each) and each.tag_ == "NNS" for each in led)
    young = prep.lower_ == "as" and any(lemma(each) in words("youths") for each in led)
    return years or decade or young


def bounds_of(
    found: Statement, when: When, clause: Clause, *, ends_ahead: bool
) -> tuple[datetime | None, datetime | None, bool]:
    """The ends of the time of a statement, and true if the time is over.

    What somebody has for a time that `ends_ahead` of them, an interview tomorrow, they have until
    then.
    """
    if when.ranged and found.change is not Change.END:
        return when.since, when.until, True
    if found.predicate == "plans":
        return None, None if when.open_end or when.precision == "year" else when.until, False
    if found.change is Change.END:
        held = found.held and clause.reading.change is None
        return (when.since if held else None), when.until, True
    if found.change is Change.STATE and not when.open_end:
        return None, when.until if ends_ahead else None, False
    return when.since, None, False
