"""Facts about whom a question is about, where it asks for a relation of their life.

"What is my job title?" shares no word with "I work at Halden as a consultant": ranking finds the
turn late, or not at all, among thousands. The fact that was learned of it has the predicate that
such a question asks for, so it is read by that, and stands first: what holds, in a few words; what
held before, where the past is asked about or nothing holds any more.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import combinations

from anamnesis_libs.talk.asking import RELATIVES, asks_for_history, asks_for_portrait
from anamnesis_libs.talk.changes import tells_change
from anamnesis_libs.talk.sentences import units_of
from anamnesis_libs.talk.topics import topics_of
from anamnesis_libs.zones import moment_beside_facts
from anamnesis_retrieval.context.versions import is_of_another
from anamnesis_retrieval.model import KnownFact, Remembered
from anamnesis_retrieval.ranking.facts_asked import answering, is_wide
from anamnesis_retrieval.ranking.named_time import Window, time_asked_of
from anamnesis_retrieval.ranking.newest import is_about_past
from anamnesis_retrieval.ranking.portrait import portrait
from anamnesis_retrieval.ranking.turns import time_of_changes, turns_within
from anamnesis_retrieval.validity import held_words

FACTS_MAX = 4
"""More facts of one relation tell a history, which the turns tell better,"""
HISTORY_MAX = 8
"""but where it is asked for, or where many relations are: a whole family."""
REPLACED_MAX = 1
"""Facts that were replaced by what holds, to be folded under it."""
READ_CHARS_MAX = 1_000
"""So much of a line is read for a change."""

OF_BLOOD = RELATIVES - {"family.partner", "pets.pet"}
"""Ties that no change of a life ends."""
_TOLD_ON = "; "
_OF_NAMES = frozenset({"names.name"})
_US_PER_S = 1_000_000


def told_first(
    facts: Sequence[KnownFact], query: str, asked_at: datetime | None
) -> Sequence[Remembered]:
    """The facts to tell before all else, each with the days from and until which it held.

    What holds goes by its beginning, the newest first, and what it replaced last goes behind it;
    where the past is asked about, what is over goes before it, by its end. Facts of one line, and
    of one thing that was told again, are told once.
    """
    if asks_for_portrait(query):
        return _who_one_is(facts, asked_at)
    changed = time_of_changes(query, asked_at)
    if changed:
        return list(map(_dated, turns_within(_newest_first(facts), changed)))
    newest_first = _newest_first(answering(facts, query))
    answers = list({_line_of(one): one for one in newest_first}.values())
    time = time_asked_of(query, asked_at)
    if time is not None:
        return list(map(_dated, _held_within(answers, time)[:FACTS_MAX]))
    if asks_for_history(query):
        return list(map(_dated, answers[:HISTORY_MAX]))
    moment_us = _to_us(moment_beside_facts(asked_at)) if asked_at else None
    holding = [one for one in answers if one.holds_at(moment_us)]
    over = [one for one in answers if one.is_over_at(moment_us)]
    over_last_first = sorted(over, key=lambda one: -(one.until_us or 0))
    if is_about_past(query):
        return list(map(_dated, [*over_last_first, *holding][:FACTS_MAX]))
    told = holding[: HISTORY_MAX if is_wide(query) else FACTS_MAX] or over_last_first[:1]
    lines = {one.memory.fact_line for one in told if not one.memory.superseded}
    before = [one for one in over_last_first if one.memory.superseded]
    replaced = [one for one in before if one.memory.fact_line in lines][:REPLACED_MAX]
    return list(map(_dated, [*told, *(replace(one, from_us=None) for one in replaced)]))


def _newest_first(facts: Iterable[KnownFact]) -> Sequence[KnownFact]:
    return sorted(_each_once(facts), key=_begun, reverse=True)


def _who_one_is(facts: Sequence[KnownFact], asked_at: datetime | None) -> Sequence[Remembered]:
    moment_us = _to_us(moment_beside_facts(asked_at)) if asked_at else None
    holding = [one for one in facts if one.holds_at(moment_us)]
    return list(map(_dated, portrait(_newest_first(holding))))


def _held_within(newest_first: Sequence[KnownFact], time: Window) -> Sequence[KnownFact]:
    """The facts that held in some of a time; where none did, the last before and the first after.

    One of which neither beginning nor end is known tells nothing beside one of the same thing.
    """
    since_us, until_us = _to_us(time.since), _to_us(time.until)
    held = [one for one in newest_first if one.holds_within(since_us, until_us)]
    known = {one.memory.fact_line for one in held if one.is_bounded}
    told = [one for one in held if one.is_bounded or one.memory.fact_line not in known]
    if told:
        return told
    before = [one for one in newest_first if one.is_over_at(since_us)]
    after = [one for one in newest_first if not one.is_over_at(since_us)]
    return [*after[-1:], *before[:1]]


def asks_of_then(query: str, asked_at: datetime | None) -> bool:
    """True where what held at some time, or one after the other, is asked for: changes are told."""
    return time_asked_of(query, asked_at) is not None or asks_for_history(query)


def without_outdated(
    told: Sequence[Remembered], lines: Iterable[Remembered], relations: Collection[str]
) -> Sequence[Remembered]:
    """The facts of which no person's line tells a change since they were told.

    What was said a moment ago is learned from later: until then the line says more than the fact.
    What was replaced stays with what replaced it.
    """
    if not told:
        return told
    by_id = {line.memory_id: line for line in lines}
    said_us = {one.memory_id: _said_us(one, by_id) for one in told}
    first_us = min(said_us.values())
    later = [line for line in by_id.values() if line.role == "user" and _us(line) > first_us]
    changes = [(_us(line), unit) for line in later for unit in _changes_in(line.content)]
    kept = [
        one
        for one in told
        if not any(
            at > said_us[one.memory_id] and _concerns(unit, one.content, relations)
            for at, unit in changes
        )
    ]
    holding = {one.fact_line for one in kept if not one.superseded}
    return [one for one in told if one in kept or (one.superseded and one.fact_line in holding)]


def _each_once(facts: Iterable[KnownFact]) -> Iterable[KnownFact]:
    """The facts, each line once where what it says held at one time.

    A line that says several things holds while all of them do: "works at Halden as a consultant"
    is over with either, so it is told for the time that they share.
    """
    by_line: dict[str, list[KnownFact]] = defaultdict(list)
    for one in _not_told_again(facts):
        by_line[one.memory.content].append(one)
    for said in by_line.values():
        yield from [_together(said)] if _are_of_one_time(said) else said


def _not_told_again(facts: Iterable[KnownFact]) -> Iterable[KnownFact]:
    """The facts without those that only say again, with a later beginning, what held then."""
    by_thing: dict[tuple[str, str], KnownFact] = {}
    for one in sorted(facts, key=_begun):
        thing = one.memory.fact_line, one.value.casefold()
        first = by_thing.get(thing) if one.value else None
        if first is None or first.until_us != one.until_us or not first.holds_at(one.from_us):
            by_thing[thing] = one
            yield one


def _are_of_one_time(facts: Sequence[KnownFact]) -> bool:
    """True for facts of several predicates of one line that all hold at some moment."""
    several = len({one.predicate for one in facts}) == len(facts) > 1
    return several and all(
        one.holds_within(other.from_us, other.until_us) for one, other in combinations(facts, 2)
    )


def _together(facts: Sequence[KnownFact]) -> KnownFact:
    """The fact of several that ends first, from where the last of them begins."""
    last = max(facts, key=lambda one: one.from_us or 0)
    ends = [one for one in facts if one.until_us is not None]
    first_over = min(ends, key=lambda one: one.until_us or 0) if ends else last
    return replace(first_over, from_us=last.from_us, form=last.form)


def _line_of(fact: KnownFact) -> tuple[str, int | None, int | None]:
    """All that is told of a fact."""
    return fact.memory.content, fact.from_us, fact.until_us


def _begun(fact: KnownFact) -> int:
    """When a fact began, or was said, in microseconds; 0 where neither is known."""
    return fact.from_us or _us(fact.memory)


def _said_us(fact: Remembered, by_id: Mapping[str, Remembered]) -> int:
    """When a fact was told last: it may have begun long before."""
    told_in = (by_id[one] for one in fact.source_ids if one in by_id)
    return max((_us(one) for one in (fact, *told_in)), default=0)


def _us(memory: Remembered) -> int:
    """When a memory was said, in microseconds; 0 where that is not known."""
    return memory.event_time_us or 0


def _to_us(moment: datetime | None) -> int | None:
    return None if moment is None else int(moment.timestamp() * _US_PER_S)


def _changes_in(text: str) -> Iterator[str]:
    """The sentences that tell of a change."""
    for unit in units_of(text[:READ_CHARS_MAX]):
        if tells_change(unit.text):
            yield unit.text


def _concerns(change: str, fact: str, relations: Collection[str]) -> bool:
    """True for a change of the relation, among those asked about, that a fact is of.

    "My brother is getting married" changes nothing of who one's husband is, and what a new cat is
    called nothing of one's own name.
    """
    asked = frozenset(relations)
    about = (topics_of(fact).relations & asked or asked) - OF_BLOOD - _OF_NAMES
    concerned = not topics_of(change).relations.isdisjoint(about)
    return concerned and not is_of_another(change, about & RELATIVES)


def _dated(fact: KnownFact) -> Remembered:
    """The fact as a line that nobody said, with the days from which and until which it held.

    Of a birthday that is in its words ("was born on 1984-09-14") no day leads the line.
    """
    memory = fact.memory
    clock = memory.utc_offset_minutes
    told = _in_few_words(fact)
    held = held_words(fact.from_us, fact.until_us, fact.form, clock, memory.event_time_us)
    apart = (one for one in held if one.removeprefix("since ") not in told)
    return replace(memory, speaker="", content=told, caveats=(*memory.caveats, *apart))


def _in_few_words(fact: KnownFact) -> str:
    """The statement up to where it tells on: "Ada retired; it has been quite a journey"."""
    head, _, more = fact.memory.content.partition(_TOLD_ON)
    says_all = more and fact.value and fact.value.casefold() in head.casefold()
    return head if says_all else fact.memory.content
