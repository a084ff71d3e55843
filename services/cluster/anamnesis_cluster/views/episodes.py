"""The timeline of a subject: what happened, at the time at which it did or else was said."""

from collections.abc import Iterable
from datetime import datetime

from anamnesis_cluster.view_model import FactFlag, Line
from anamnesis_cluster.views.lines import merged
from anamnesis_libs.clock import micros

Place = tuple[int, str]
"""The place of an episode in the list: microseconds since 1970, and the memory's id."""


def episodes_of(
    facts: Iterable[Line], start: datetime | None = None, end: datetime | None = None
) -> list[Line]:
    """The episodes of [start, end), each once, the oldest first."""
    happened = merged(
        line for line in facts if line.kind.happened and FactFlag.RETRACTED not in line.flags
    )
    within = (
        line
        for line in happened
        if (start is None or line.moment >= start) and (end is None or line.moment < end)
    )
    return sorted(within, key=place_of)


def place_of(line: Line) -> Place:
    """The place of an episode in the list."""
    return micros(line.moment), line.memory_ids[0]
