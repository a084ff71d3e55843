"""The facts that a question about a relation of somebody's life asks for, by their predicates.

The relations are those of the lexicon of topics; `facts.toml` has the predicates of each.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from anamnesis_libs.talk.asking import (
    asks_for_portrait,
    asks_name_of_another,
    is_about_caller,
    is_request,
    relatives_asked_for,
)
from anamnesis_libs.talk.filler import is_small_talk
from anamnesis_libs.talk.topics import SOFTWARE, topics_of
from anamnesis_retrieval.model import KnownFact
from anamnesis_retrieval.ranking.language import names_in
from anamnesis_retrieval.ranking.named_time import without_dates
from anamnesis_retrieval.ranking.portrait import PREDICATES

RELATIONS_MAX = 2
"""A question of more relations is about none of them."""
NAMES_MAX = 2
"""Names in a question of which facts are read."""

_NAME = "names.name"


@dataclass(frozen=True, slots=True)
class _Answering:
    """The predicates whose facts answer a relation: of themselves, or by what they say."""

    own: frozenset[str]
    shared: frozenset[str]


@cache
def _answering() -> Mapping[str, _Answering]:
    """The predicates by relation, from `facts.toml`."""
    held = tomllib.loads((Path(__file__).parent / "facts.toml").read_text(encoding="utf-8"))
    return {
        f"{matter}.{relation}": _Answering(
            *(frozenset(one.get(part, "").split()) for part in ("own", "shared"))
        )
        for matter, relations in held.items()
        for relation, one in relations.items()
    }


@dataclass(frozen=True, slots=True)
class FactsAsked:
    """Whom a question is about, where "" is who asks, and the predicates that would answer it."""

    subjects: Sequence[str] = ()
    predicates: Sequence[str] = ()


def facts_asked_for(query: str) -> FactsAsked:
    """The facts that would answer a question about a relation of somebody's life, or who one is."""
    if asks_for_portrait(query):
        return FactsAsked(("",), PREDICATES)
    if is_request(query) or is_small_talk(query):
        return FactsAsked()
    relations = relations_of_facts(query)
    if SOFTWARE in topics_of(query).matters or len(relations) > RELATIONS_MAX:
        return FactsAsked()
    found = (_answering()[relation] for relation in sorted(relations))
    named = (sorted(one.own | one.shared) for one in found)
    predicates = tuple(dict.fromkeys(predicate for one in named for predicate in one))
    subjects = [""] if is_about_caller(query) else []
    return FactsAsked((*subjects, *names_in(without_dates(query))[:NAMES_MAX]), predicates)


def answering(facts: Sequence[KnownFact], query: str) -> Sequence[KnownFact]:
    """Those of the facts that answer a question; where it names a relative, that name one, too."""
    relations, relatives = relations_of_facts(query), relatives_asked_for(query)
    asked = {one: _answering()[one] for one in relations}
    return [one for one in facts if _answers(one, asked, relatives)]


def relations_of_facts(query: str) -> frozenset[str]:
    """The relations of a question that facts answer; the name of a book is not that of who asks."""
    relations = topics_of(query).relations & _answering().keys()
    return relations - {_NAME} if asks_name_of_another(query) else relations


def _answers(fact: KnownFact, asked: Mapping[str, _Answering], relatives: frozenset[str]) -> bool:
    said = topics_of(fact.memory.content).relations
    if relatives and not said & relatives:
        return False
    return any(
        fact.predicate in found.own or (fact.predicate in found.shared and relation in said)
        for relation, found in asked.items()
    )
