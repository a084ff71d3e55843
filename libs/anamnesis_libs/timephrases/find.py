"""Finding time phrases: every rule proposes, the leftmost and longest proposal stands."""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import pairwise

from anamnesis_libs.timephrases import (
    chinese_dates,
    chinese_relative,
    english_dates,
    english_relative,
)
from anamnesis_libs.timephrases.around import PhraseMatch, bound_of, opens_range, shifted, timed
from anamnesis_libs.timephrases.model import Bound, TimePhrase
from anamnesis_libs.timephrases.months import MONTHS
from anamnesis_libs.timephrases.rules import Rule
from anamnesis_libs.timephrases.script import normalised
from anamnesis_libs.timephrases.spans import TimeSpan
from anamnesis_libs.timephrases.speech import Speech

_LATIN = (*english_dates.RULES, *english_relative.RULES)
_HAN = (*chinese_dates.RULES, *chinese_relative.RULES)
_HAS_LATIN = re.compile(r"[A-Za-z]{2}|\d[-/]\d")
_HAS_HAN = re.compile(r"[一-鿿]")
_OWN_YEAR = re.compile(r"\d{4}|[年岁]|\b(?:last|this|next)\b", re.IGNORECASE)
_OF_A_MONTH = re.compile(
    rf"\b(?:{'|'.join(one[:3] for one in MONTHS)})|[\d一二三四五六七八九十]\s?月", re.IGNORECASE
)


_Match = tuple[int, int, Rule, re.Match[str]]


@dataclass(frozen=True, slots=True)
class MatchedText:
    """A text and what all rules propose in it, by their places; whenever it was said."""

    text: str
    normal: str
    """The text as `Speech` has it."""
    proposals: tuple[_Match, ...]


def find_times(text: str, reference: datetime) -> tuple[TimePhrase, ...]:
    """Find the phrases of time in a text that can be resolved, in order, without overlap.

    Args:
        text: English or Chinese, in either script, or both.
        reference: the moment at which the text was said. Its UTC offset is the speaker's clock:
            "yesterday" is the day before by that clock.

    Returns:
        One phrase for each that can be resolved; ages, durations and vague words are none.

    Raises:
        ValueError: the reference has no UTC offset.
    """
    return resolve_times(match_times(text), reference)


def match_times(text: str) -> MatchedText:
    """The proposals of all rules in a text, to be resolved at one moment or at several."""
    normal = normalised(text)
    return MatchedText(text, normal, tuple(sorted(_matches(normal), key=_leftmost_longest)))


def resolve_times(matched: MatchedText, reference: datetime) -> tuple[TimePhrase, ...]:
    """The phrases of a text that was said at a moment; see `find_times`."""
    offset = reference.utcoffset()
    if offset is None:
        msg = "the reference needs a UTC offset: it is the speaker's clock"
        raise ValueError(msg)
    if not matched.proposals:
        return ()
    try:
        now = reference.astimezone(UTC) + offset
    except OverflowError:
        return ()  # the edges of the calendar have no such wall time
    speech = Speech(matched.normal, now, offset)
    grown = _grown(_bare(matched.proposals, speech), speech)
    return tuple(_phrases(matched.text, grown, speech))


def _bare(proposals: Iterable[_Match], speech: Speech) -> list[PhraseMatch]:
    """The phrases as the rules have them, each with the room around it."""
    taken: list[tuple[int, int, TimeSpan | None]] = []
    for start, end, rule, match in proposals:
        if taken and start < taken[-1][1]:
            continue
        span, is_time = _resolved(rule, match, speech)
        if is_time:
            taken.append((start, end, span))
    edges = [(0, 0, None), *taken, (len(speech.text), len(speech.text), None)]
    return [
        PhraseMatch(start, end, span, before[1], after[0])
        for before, (start, end, span), after in zip(edges, taken, edges[2:], strict=False)
        if span is not None
    ]


def _grown(bare: list[PhraseMatch], speech: Speech) -> list[PhraseMatch]:
    """The phrases with what belongs to them; words between two belong to the first, if to both."""
    grown: list[PhraseMatch] = []
    for each in bare:
        floor = max(each.floor, grown[-1].end) if grown else each.floor
        found = replace(each, floor=floor)
        with suppress(ValueError, OverflowError):
            found = timed(shifted(found, speech), speech)
        grown.append(found)
    return grown


def _matches(normal: str) -> Iterator[_Match]:
    for rules, script in ((_LATIN, _HAS_LATIN), (_HAN, _HAS_HAN)):
        if script.search(normal) is None:
            continue
        for rule in rules:
            for match in rule.regex.finditer(normal):
                yield (*rule.phrase(match), rule, match)


def _leftmost_longest(found: _Match) -> tuple[int, int]:
    return found[0], -found[1]


def _resolved(rule: Rule, match: re.Match[str], speech: Speech) -> tuple[TimeSpan | None, bool]:
    """The span of a match, and True if no other rule may have its words.

    Days that do not exist and years that the calendar does not have mean nothing, and neither do
    their parts: 31 February 2023 is not February 2023.
    """
    if rule.resolve is None:
        return None, True
    try:
        span = rule.resolve(match, speech)
    except (ValueError, OverflowError):
        return None, True
    return span, span is not None


def _phrases(text: str, found: list[PhraseMatch], speech: Speech) -> Iterator[TimePhrase]:
    is_end_of_range = False
    for each, following in pairwise([*found, None]):
        assert each is not None
        opens = opens_range(each, following, speech)
        bound = _bound(each, speech, opens=opens, closes=is_end_of_range)
        is_end_of_range = opens
        said = _in_year_of_end(each, following, speech) if opens and following else each
        phrase = _phrase(text, said, bound, speech)
        if phrase is not None:
            yield phrase


def _in_year_of_end(first: PhraseMatch, last: PhraseMatch, speech: Speech) -> PhraseMatch:
    """The first month or day of a range: without a year of its own, the last one before its end."""
    words = speech.text[first.start : first.end]
    if _OWN_YEAR.search(words) or not _OF_A_MONTH.search(words):
        return first
    since, year = first.span.since, last.span.since.year
    with suppress(ValueError, OverflowError):  # 29 February
        began = since.replace(year=year)
        began = began if began <= last.span.since else since.replace(year=year - 1)
        ended = began + (first.span.until - since)
        return replace(first, span=replace(first.span, since=began, until=ended))
    return first


def _bound(each: PhraseMatch, speech: Speech, *, opens: bool, closes: bool) -> Bound:
    if opens:
        return Bound.SINCE
    return Bound.UNTIL if closes else bound_of(each, speech)


def _phrase(text: str, each: PhraseMatch, bound: Bound, speech: Speech) -> TimePhrase | None:
    try:
        since, until = each.span.since - speech.offset, each.span.until - speech.offset
    except OverflowError:
        return None
    words = text[each.start : each.end]
    return TimePhrase(each.start, each.end, since, until, each.span.precision, words, bound)
