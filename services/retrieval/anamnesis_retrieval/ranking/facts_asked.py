"""The facts that a question about a relation of somebody's life asks for, by their predicates.

The relations are those of the lexicon of topics; `facts.toml` has the predicates of each.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path

from anamnesis_libs.index.analysis import has_cjk
from anamnesis_libs.talk.asking import (
    RELATIVES,
    asks_for_dislikes,
    asks_for_likes,
    asks_for_portrait,
    asks_name_of_another,
    is_about_caller,
    is_request,
    relatives_asked_for,
)
from anamnesis_libs.talk.filler import is_small_talk
from anamnesis_libs.talk.topics import SOFTWARE, relations_asked, topics_of, wide_relations
from anamnesis_retrieval.model import KnownFact
from anamnesis_retrieval.ranking import portrait, turns
from anamnesis_retrieval.ranking.language import names_in
from anamnesis_retrieval.ranking.named_time import without_dates

RELATIONS_MAX = 2
"""A question of more relations is about none of them."""
NAMES_MAX = 2
"""Names in a question of which facts are read."""

_FOR = frozenset({"likes", "prefers", "eats", "drinks", "plays"})
_AGAINST = frozenset({"dislikes", "avoids", "does_not_eat", "does_not_drink"})
_OF_WORKS = frozenset({"names.name", "hobbies.pastime", "hobbies.music"})
"""Relations of books, films and songs, whose names are no facts about who asks."""


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


def facts_asked_for(query: str, asked_at: datetime | None = None) -> FactsAsked:
    """The facts that would answer a question about a relation of somebody's life, or all of it."""
    if asks_for_portrait(query):
        return FactsAsked(("",), portrait.PREDICATES)
    if turns.time_of_changes(query, asked_at):
        return FactsAsked(("",), turns.PREDICATES)
    if is_request(query) or is_small_talk(query):
        return FactsAsked()
    relations = relations_of_facts(query)
    if SOFTWARE in topics_of(query).matters:
        return FactsAsked()
    if len(relations) > RELATIONS_MAX and not is_wide(query):
        return FactsAsked()
    found = (_answering()[relation] for relation in sorted(relations))
    named = (sorted((one.own | one.shared) - _other_tastes(query)) for one in found)
    predicates = tuple(dict.fromkeys(predicate for one in named for predicate in one))
    subjects = [""] if is_about_caller(query) else []
    return FactsAsked((*subjects, *names_in(without_dates(query))[:NAMES_MAX]), predicates)


def answering(facts: Sequence[KnownFact], query: str) -> Sequence[KnownFact]:
    """Those of the facts that answer a question; where it names a relative, that name one, too."""
    relations = relations_of_facts(query)
    relatives = relatives_asked_for(query) - wide_relations(query)
    asked = {one: _answering()[one] for one in relations}
    others = _other_tastes(query)
    told = (one for one in facts if one.predicate not in others)
    return [one for one in told if _answers(one, asked, relatives)]


def _other_tastes(query: str) -> frozenset[str]:
    """The predicates of tastes that a question does not ask for: of dislikes those of likings."""
    if asks_for_dislikes(query):
        return _FOR
    return _AGAINST if asks_for_likes(query) else frozenset()


def names_of_relatives(facts: Sequence[KnownFact], query: str) -> Sequence[str]:
    """The names of the asker's relatives whom a question is about: of "my husband" Theo."""
    relatives = relatives_asked_for(query)
    named = (
        one.value
        for one in facts
        if _is_name(one.value) and topics_of(one.memory.content).relations & relatives
    )
    return list(dict.fromkeys(named))[:NAMES_MAX]


def _is_name(value: str) -> bool:
    """True for Theo and 陈磊, and not for "two sons" and 女儿."""
    written_so = value[:1].isupper() or has_cjk(value)
    return written_so and not topics_of(value).relations & RELATIVES


def relations_of_facts(query: str) -> frozenset[str]:
    """The relations of a question that facts answer; the name of a book is not that of who asks."""
    relations = relations_asked(query) & _answering().keys()
    return relations - _OF_WORKS if asks_name_of_another(query) else relations


def is_wide(query: str) -> bool:
    """True for a question of many relations by one word: "Tell me about my family"."""
    return bool(wide_relations(query))


def _answers(fact: KnownFact, asked: Mapping[str, _Answering], relatives: frozenset[str]) -> bool:
    said = topics_of(fact.memory.content).relations
    if relatives and not said & relatives:
        return False
    return any(
        fact.predicate in found.own or (fact.predicate in found.shared and relation in said)
        for relation, found in asked.items()
    )
