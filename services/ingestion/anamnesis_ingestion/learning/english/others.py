"""The claims of names and words by which others know the speaker: "my friends call me Bo"."""

from collections.abc import Iterator

from spacy.tokens import Token

from anamnesis_ingestion.learning.english.clauses import Clause
from anamnesis_ingestion.learning.english.frames import Statement, worded
from anamnesis_ingestion.learning.english.marks import Mood, Tense
from anamnesis_ingestion.learning.english.subjects import name_of
from anamnesis_ingestion.learning.english.tree import children, lemma
from anamnesis_ingestion.learning.english.values import is_vague, value
from anamnesis_ingestion.learning.english.vocabulary import Change

_WORTH = 0.8


def told_by_others(clause: Clause) -> Iterator[Statement]:
    """The names and descriptions that somebody else gives the speaker."""
    reading = clause.reading
    if reading.mood is not Mood.FACT or reading.negated or reading.tense is Tense.PAST:
        return
    verb = clause.verb
    if not any(each.lower_ == "me" for each in children(verb, "dobj", "nsubj", "dative")):
        return
    if lemma(verb) == "call":
        for each in children(verb, "oprd", "xcomp", "ccomp"):
            if each.pos_ == "PROPN":
                yield _stated("goes_by", name_of(each), each)
    if lemma(verb) == "describe":
        told = list(_descriptions(verb))
        whole = ", ".join(value(each, "full", ()) for each in told)
        for head in told:
            yield _stated("is_described_as", value(head, "full", ()), head, whole)


def _stated(predicate: str, what: str, head: Token, whole: str = "") -> Statement:
    said = worded(predicate, whole or what)
    return Statement(predicate, what, "identity", Change.STATE, _WORTH, head, said=said)


def _descriptions(verb: Token) -> Iterator[Token]:
    """The nouns behind "as", and those behind "with these words:"."""
    for prep in children(verb, "prep"):
        for head in children(prep, "pobj", "amod") if prep.lower_ in {"as", "with"} else ():
            listed = children(head, "appos")
            for start in listed or [head]:
                yield from (each for each in _enumerated(start) if not is_vague(each))


def _enumerated(start: Token) -> Iterator[Token]:
    """The words of a list, those included that the parser took for a name of the one before."""
    yield start
    for each in children(start, "conj", "appos"):
        yield from _enumerated(each)
