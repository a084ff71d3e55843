"""The project of "in the repository kiln we use pnpm": the fact is about kiln, not its teller."""

from spacy.tokens import Token

from anamnesis_ingestion.learning.english.clauses import Clause
from anamnesis_ingestion.learning.english.tree import children, lemma
from anamnesis_ingestion.learning.english.vocabulary import words

_WITHIN = frozenset({"in", "for", "on", "within"})


def project_of(clause: Clause) -> str:
    """The name of the project in which "we" do something; "" where none is named."""
    if clause.subject is None or clause.subject.lower_ != "we":
        return ""
    within = (each for each in children(clause.verb, "prep") if each.lower_ in _WITHIN)
    places = (place for each in within for place in children(each, "pobj"))
    return next(filter(None, map(_name_of, places)), "")


def _name_of(place: Token) -> str:
    """The name in "the kiln repo", "project atlas" or "the repository kiln"."""
    beside = list(children(place, "compound", "amod"))
    if len(beside) != 1:
        return ""
    pair = (beside[0], place)
    named = [each for each in pair if lemma(each) not in words("projects")]
    return named[0].text if len(named) == 1 else ""
