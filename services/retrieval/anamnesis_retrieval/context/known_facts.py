"""What was learned of whom a question is about, where it asks for a relation of their life.

"What is my job title?" shares no word with "I work at Halden as a consultant": ranking finds the
turn late, or not at all, among thousands. The fact that was learned of it has the predicate that
such a question asks for, so it is read by that, and stands first: what holds, in a few words; what
held before, where the past is asked about or nothing holds any more.
"""

import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from anamnesis_libs.talk.asking import is_about_caller, is_request, relatives_asked_for
from anamnesis_libs.talk.changes import tells_change
from anamnesis_libs.talk.sentences import units_of
from anamnesis_libs.talk.topics import SOFTWARE, topics_of
from anamnesis_retrieval.model import KnownFact, Remembered
from anamnesis_retrieval.ranking.language import names_in
from anamnesis_retrieval.ranking.newest import is_about_past

FACTS_MAX = 4
"""More facts of one relation tell a history, which the turns tell better."""
RELATIONS_MAX = 2
"""A question of more relations is about none of them."""
NAMES_MAX = 2
"""Names in a question of which facts are read."""
READ_CHARS_MAX = 1_000
"""So much of a line is read for a change."""

_US_PER_S = 1_000_000


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
    """The facts that would answer a question about a relation of somebody's life."""
    if is_request(query):
        return FactsAsked()
    topics = topics_of(query)
    if SOFTWARE in topics.matters or len(topics.relations) > RELATIONS_MAX:
        return FactsAsked()
    found = (_answering().get(relation) for relation in sorted(topics.relations))
    named = (sorted(one.own | one.shared) for one in found if one is not None)
    predicates = tuple(dict.fromkeys(predicate for one in named for predicate in one))
    subjects = [""] if is_about_caller(query) else []
    return FactsAsked((*subjects, *names_in(query)[:NAMES_MAX]), predicates)


def told_first(
    facts: Sequence[KnownFact], query: str, asked_at: datetime | None
) -> Sequence[Remembered]:
    """The facts to tell before all else, each with since or until when it held.

    What holds goes by its beginning, the newest first; where the past is asked about, what is over
    goes before it, by its end. A question that names a relative is told facts that name one.
    """
    relations, relatives = topics_of(query).relations, relatives_asked_for(query)
    answers = [one for one in facts if _answers(one, relations, relatives)]
    moment_us = int(asked_at.timestamp() * _US_PER_S) if asked_at else None
    holding = [one for one in answers if one.holds_at(moment_us)]
    over = [one for one in answers if one.is_over_at(moment_us)]
    over_last_first = sorted(over, key=lambda one: -(one.until_us or 0))
    newest_first = sorted(holding, key=lambda one: -(one.from_us or one.memory.event_time_us or 0))
    if is_about_past(query):
        told = [*over_last_first, *newest_first]
    else:
        told = newest_first or over_last_first[:1]
    return [_dated(one) for one in told[:FACTS_MAX]]


def without_outdated(
    told: Sequence[Remembered], lines: Iterable[Remembered], relations: Collection[str]
) -> Sequence[Remembered]:
    """The facts of which no person's line tells a change since they were told.

    What was said a moment ago is learned from later: until then the line says more than the fact.
    """
    changed_us = [
        line.event_time_us or 0
        for line in lines
        if line.role == "user" and _tells_change(line.content, relations)
    ]
    last_us = max(changed_us, default=0)
    return [one for one in told if (one.event_time_us or 0) >= last_us]


def _tells_change(text: str, relations: Collection[str]) -> bool:
    units = (unit.text for unit in units_of(text[:READ_CHARS_MAX]))
    return any(
        tells_change(unit) and not topics_of(unit).relations.isdisjoint(relations) for unit in units
    )


def _answers(fact: KnownFact, relations: Collection[str], relatives: Collection[str]) -> bool:
    said = topics_of(fact.memory.content).relations
    if relatives and not said & set(relatives):
        return False
    asked = [(one, found) for one in relations if (found := _answering().get(one)) is not None]
    return any(
        fact.predicate in found.own or (fact.predicate in found.shared and relation in said)
        for relation, found in asked
    )


def _dated(fact: KnownFact) -> Remembered:
    """The fact as a line that nobody said, with the day from which, or until which, it held."""
    memory = fact.memory
    until = [f"until {_day(fact.until_us)}"] if fact.until_us is not None else []
    others = [one for one in memory.caveats if not one.startswith("until ")]
    since = [f"since {_day(fact.from_us)}"] if fact.from_us is not None and not until else []
    return replace(memory, speaker="", caveats=(*others, *since, *until))


def _day(moment_us: int) -> str:
    return datetime.fromtimestamp(moment_us // _US_PER_S, UTC).date().isoformat()
