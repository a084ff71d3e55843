"""The page of one entity: what holds of it, what was before, what happened, what was learned.

Wishes and plans that nothing has ended stand under open points, and not under a heading of their
own. What others are told of it stands apart from what is told of itself.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

from anamnesis_cluster.view_model import (
    LONG_AGO,
    FactFlag,
    FactKind,
    KnowledgePage,
    Line,
    Section,
    Source,
)
from anamnesis_cluster.views.episodes import episodes_of
from anamnesis_cluster.views.headings import Heading, heading_of
from anamnesis_cluster.views.lines import has_come, is_over, merged, plain, reworded
from anamnesis_cluster.views.profile import sections_of

LINES_MAX = 40
"""Lines of a heading; a page is to be read."""
SOURCES_MAX = 20
_WHAT_IT_IS = "What it is"


def page_of(
    names: Sequence[str],
    facts: Sequence[Line],
    lessons: Iterable[Line],
    now: datetime,
    *,
    is_person: bool = True,
) -> KnowledgePage:
    """The page, without its sources.

    Args:
        names: all names of the entity, its own first.
        facts: of all times that it is the subject of or that name it.
        lessons: that mention it.
        now: the time at which lines hold.
        is_person: it is a person, or may be one.
    """
    called = frozenset(map(plain, names))
    own = [line for line in facts if plain(line.subject) in called]
    others = [line for line in facts if plain(line.subject) not in called]
    sections = [
        *_standing(own, now, is_person=is_person),
        _section("Open points", _open(own, now)),
        _section("Before", _ended(own, now)),
        _section("Timeline", episodes_of(own), newest_last=True),
        _section("Also named in", merged(line for line in others if not is_over(line, now))),
        _section("Lessons", merged(lessons)),
    ]
    return KnowledgePage(tuple(names), tuple(section for section in sections if section.lines))


def cited(page: KnowledgePage) -> list[str]:
    """Ids of the drawers that the lines of a page were taken from, each once."""
    lines = (line for section in page.sections for line in section.lines)
    return list(dict.fromkeys(source for line in lines for source in line.sources))[:SOURCES_MAX]


def in_order(sources: Iterable[Source]) -> tuple[Source, ...]:
    """Sources by time, those without one first."""
    return tuple(sorted(sources, key=lambda each: (each.time or LONG_AGO, each.pointer)))


def _standing(own: Sequence[Line], now: datetime, *, is_person: bool) -> list[Section]:
    """The facts that hold, but for wishes and plans, under headings."""
    lasting = [line for line in own if line.kind is not FactKind.GOAL]
    titles = {} if is_person else {Heading.IDENTITY.value[0]: _WHAT_IT_IS}
    return [
        _section(titles.get(section.title, section.title), section.lines)
        for section in sections_of(lasting, now)
    ]


def _open(own: Sequence[Line], now: datetime) -> Sequence[Line]:
    """Wishes and plans that nothing has ended, however old."""
    goals = [line for line in own if line.kind is FactKind.GOAL]
    return [line for section in sections_of(goals, now, lately=False) for line in section.lines]


def _ended(own: Sequence[Line], now: datetime) -> list[Line]:
    """The facts that were replaced or ended, the last to end first."""
    past = merged(
        line
        for line in own
        if not line.kind.happened and line.until is not None and has_come(line, line.until, now)
        if FactFlag.RETRACTED not in line.flags and heading_of(line) is not Heading.LATELY
    )
    return sorted(past, key=lambda line: (line.until or now, line.memory_ids[0]), reverse=True)


def _section(title: str, lines: Sequence[Line], *, newest_last: bool = False) -> Section:
    """At most `LINES_MAX` lines, the newest of them."""
    shown = lines[-LINES_MAX:] if newest_last else lines[:LINES_MAX]
    return Section(title, tuple(map(reworded, shown)), len(lines) - len(shown))
