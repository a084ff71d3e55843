"""The profile of a person: facts that hold now, each once, under headings, within a budget.

Facts become lines (`lines`), lines stand under headings (`headings`), newest first. The budget is
filled in rounds, one line of each heading a round, so that a heading with many lines leaves room
for the others. The same facts give the same profile.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from anamnesis_cluster.view_model import Line, Profile, Section
from anamnesis_cluster.views.headings import Heading, heading_of
from anamnesis_cluster.views.lines import (
    LATELY,
    holds,
    is_idle,
    is_over,
    merged,
    plain,
    reworded,
    single,
    without_less,
)
from anamnesis_cluster.views.wording import profile_text
from anamnesis_libs.tokens import TokenCounter

TOKEN_BUDGET = 1_024
"""Tokens of the text where a request names no budget: as many as a context has."""
LATELY_LINES_MAX = 8
_OF_A_TIME = frozenset({"plans", "considers"})
"""Predicates of goals that pass with their time, as others do not."""
_HAN = re.compile(r"[\u3400-\u9fff]")


def profile_of(
    subject: str, facts: Sequence[Line], now: datetime, token_budget: int, tokens: TokenCounter
) -> Profile:
    """The profile of a subject.

    Args:
        subject: whom the facts are about.
        facts: of all times; what is over is left out, and of other sentences what names it.
        now: the time at which lines hold.
        token_budget: tokens that the text may have.
        tokens: counts them.
    """
    kept = _within(subject, sections_of(facts, now), token_budget, tokens)
    text = profile_text(subject, kept)
    return Profile(subject if kept else "", kept, text, tokens.count(text) if text else 0)


def sections_of(
    facts: Iterable[Line], now: datetime, *, lately: bool = True
) -> tuple[Section, ...]:
    """Facts of one subject that hold, as lines under headings, all of them.

    With `lately` plans and what somebody does are left out where they were said long before the
    newest line.
    """
    every = list(facts)
    holding = single(merged(line for line in every if holds(line, now)))
    ended = {plain(line.object) for line in every if is_over(line, now)} - {
        plain(line.object) for line in holding
    }
    by_heading: defaultdict[Heading, list[Line]] = defaultdict(list)
    for line in holding:
        heading = heading_of(line)
        if heading is not None and not is_idle(line, heading):
            by_heading[heading].append(reworded(line, ended))
    if lately:
        _keep_what_is_recent(by_heading)
    chinese = _is_chinese(line for lines in by_heading.values() for line in lines)
    return tuple(
        Section(heading.value[chinese], tuple(without_less(by_heading[heading])))
        for heading in Heading
        if by_heading[heading]
    )


def _keep_what_is_recent(by_heading: Mapping[Heading, list[Line]]) -> None:
    """Of plans and of what somebody does, keep what was said not long before the newest line.

    Of what somebody does, that are the weightiest lines: such talk is mostly of the day.
    """
    times = [line.told for lines in by_heading.values() for line in lines if line.told]
    if not times:
        return
    since = max(times) - LATELY
    for heading in (Heading.LATELY, Heading.GOALS):
        lines = by_heading.get(heading, [])
        lines[:] = [
            line
            for line in lines
            if line.moment >= since
            or (heading is Heading.GOALS and line.predicate not in _OF_A_TIME)
        ]
    lately = by_heading.get(Heading.LATELY, [])
    weightiest = sorted(lately, key=lambda line: line.importance, reverse=True)[:LATELY_LINES_MAX]
    lately[:] = [line for line in lately if line in weightiest]


def _is_chinese(lines: Iterable[Line]) -> bool:
    """True if more lines are Chinese than not."""
    told = [bool(_HAN.search(line.text)) for line in lines]
    return 2 * sum(told) > len(told)


def _within(
    subject: str, sections: Sequence[Section], token_budget: int, tokens: TokenCounter
) -> tuple[Section, ...]:
    """The sections, with as many lines as fit; each line costs what its own text does."""
    taken = [0] * len(sections)
    left = token_budget - tokens.count(f"{subject}\n")
    deepest = max((len(section.lines) for section in sections), default=0)
    for depth in range(deepest):
        for at, section in enumerate(sections):
            if depth >= len(section.lines) or taken[at] < depth:
                continue
            shown = Section(section.title, section.lines[depth : depth + 1])
            cost = tokens.count(profile_text("", (shown,), headed=depth == 0))
            if cost <= left:
                left -= cost
                taken[at] = depth + 1
    return tuple(
        Section(section.title, section.lines[:count], len(section.lines) - count)
        for section, count in zip(sections, taken, strict=True)
    )
