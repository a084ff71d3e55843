"""The turns that its asker's life took in a time, where a prompt asks for those: "What changed?".

A move, a new job, a pet: no line that tells of one shares a word with the prompt. So what was
learned of a life is told by when it began or ended, beside the lines of that time in which its
asker tells of a change; memory is searched by the words in which people do.
"""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from operator import itemgetter

from anamnesis_libs.talk.asking import asks_for_changes
from anamnesis_libs.talk.changes import tells_change, tells_plan
from anamnesis_libs.talk.sentences import units_of
from anamnesis_libs.talk.topics import SOFTWARE, topics_of
from anamnesis_retrieval.model import KnownFact
from anamnesis_retrieval.ranking.named_time import NamedTime, named_within, without_times
from anamnesis_retrieval.ranking.portrait import tells_of_life

LONG = timedelta(days=300)
"""Of a time so long what changed is asked of a life, and not of a piece of work."""
_WHAT_CHANGED = re.compile(r"\W*what(?:['’]s| has| have)? (?:all )?changed\W*$", re.IGNORECASE)
LOOKED_BACK = timedelta(days=365)
"""So far is looked back where a prompt names no time."""
PREDICATES = (
    *("lives_in", "moved_to", "lives_with", "works_as", "works_at", "employment_status"),
    *("studies", "studies_at", "education_status", "marital_status", "has_partner", "has_pet"),
    *("drives", "owns", "learns", "plays", "gave_up", "follows_diet", "avoids", "has_condition"),
)
"""What turns a life takes; many of its likings come and go."""
FACTS_MAX = 10
_TURNING = frozenset(
    [
        *("home", "work", "family", "pets", "health", "food", "study"),
        *("devices", "sport", "hobbies", "person"),
    ]
)
"""The matters in which a life takes turns."""
_BEGINS = re.compile(
    r"\b(?:got|bought|adopted|started|joined|became|graduated|married|engaged|learning)\b|[买養养]了|开始|開始"
)
"""What a statement begins with, that is no change of anything that was told before."""
_DAY = timedelta(days=1)
_US_PER_S = 1_000_000


def time_of_changes(prompt: str, asked_at: datetime | None) -> NamedTime | None:
    """The time of which a prompt asks what changed in it; None where it asks for no changes."""
    return _time_of_changes(prompt, asked_at) if asked_at else None


@lru_cache(maxsize=64)
def _time_of_changes(prompt: str, asked_at: datetime) -> NamedTime | None:
    left = without_times(prompt, asked_at)
    of_life = asks_for_changes(left)
    if not (of_life or _WHAT_CHANGED.match(left)):
        return None
    named = named_within(prompt, asked_at)
    if not of_life and (named is None or named.until - named.since < LONG):
        return None
    since, until = (named.since, named.until) if named else (asked_at - LOOKED_BACK, asked_at)
    return NamedTime(since, min(until, asked_at) + _DAY, any_year=False)


def tells_turn(line: str) -> bool:
    """True for a line in which somebody tells of a change of their own life, not of a plan."""
    matters = topics_of(line).matters
    of_life = tells_of_life(line) and matters & _TURNING and SOFTWARE not in matters
    return bool(of_life) and any(
        tells_change(unit.text) and not tells_plan(unit.text) for unit in units_of(line)
    )


def turns_within(facts: Sequence[KnownFact], time: NamedTime) -> Sequence[KnownFact]:
    """The facts that began or ended in a time, the last first, and of each line one."""
    since_us, until_us = (int(at.timestamp()) * _US_PER_S for at in (time.since, time.until))
    turned: dict[str, tuple[int, KnownFact]] = {}
    followed = {one.memory.fact_line for one in facts if one.until_us is not None}
    for one in facts:
        if _is_only_told(one) and one.memory.fact_line not in followed:
            continue
        moments = [at for at in (one.from_us, one.until_us) if at and since_us <= at < until_us]
        if moments:
            turned.setdefault(one.memory.content, (max(moments), one))
    last_first = sorted(turned.values(), key=itemgetter(0), reverse=True)
    return [one for _, one in last_first[:FACTS_MAX]]


def _is_only_told(fact: KnownFact) -> bool:
    """True for what is known since it was told, and not to have begun then: "teaches chemistry"."""
    since_told = fact.from_us == fact.memory.event_time_us and fact.until_us is None
    said = fact.memory.content
    return since_told and not (tells_change(said) or _BEGINS.search(said))
