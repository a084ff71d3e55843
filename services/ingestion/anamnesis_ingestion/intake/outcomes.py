"""The result of reading one line: events, or the reason why there are none."""

from dataclasses import dataclass
from enum import Enum, auto

from anamnesis_ingestion.model import SourceEvent


class LeftOut(Enum):
    """The reason why a line gives no event. All but MALFORMED are left out on purpose."""

    METADATA = auto()
    UNKNOWN_ROLE = auto()
    COMPACTION = auto()
    MALFORMED = auto()


@dataclass(frozen=True, slots=True)
class LineOutcome:
    """The events of a line, or why it has none; `reason` is for people, on MALFORMED only."""

    events: tuple[SourceEvent, ...] = ()
    left_out: LeftOut | None = None
    reason: str = ""


METADATA = LineOutcome(left_out=LeftOut.METADATA)
UNKNOWN_ROLE = LineOutcome(left_out=LeftOut.UNKNOWN_ROLE)
COMPACTION = LineOutcome(left_out=LeftOut.COMPACTION)


def malformed(reason: str) -> LineOutcome:
    """Return the outcome of a line that could not be read."""
    return LineOutcome(left_out=LeftOut.MALFORMED, reason=reason)
