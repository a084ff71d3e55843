"""What reading one line comes to: events, or the reason why there are none."""

from dataclasses import dataclass
from enum import Enum, auto

from services.ingestion.model import SourceEvent


class LeftOut(Enum):
    """Why a line gives no event. All but MALFORMED are well-formed and left out on purpose."""

    METADATA = auto()
    UNKNOWN_ROLE = auto()
    COMPACTION = auto()
    MALFORMED = auto()


@dataclass(frozen=True, slots=True)
class Outcome:
    """The events of a line, or why it has none; `reason` is for people, on MALFORMED only."""

    events: tuple[SourceEvent, ...] = ()
    left_out: LeftOut | None = None
    reason: str = ""


METADATA = Outcome(left_out=LeftOut.METADATA)
UNKNOWN_ROLE = Outcome(left_out=LeftOut.UNKNOWN_ROLE)
COMPACTION = Outcome(left_out=LeftOut.COMPACTION)


def malformed(reason: str) -> Outcome:
    """Return the outcome of a line that could not be read."""
    return Outcome(left_out=LeftOut.MALFORMED, reason=reason)
