"""Failed calls of long work, and what was said and done until the same call succeeded.

How long work ends says nothing of an error on the way. What mended it lies between the failure and
the next success of the same call.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from anamnesis_ingestion.learning.injected import learnable_text
from anamnesis_ingestion.learning.local.procedures import spec_of
from anamnesis_ingestion.learning.local.turns import (
    Attempt,
    Turn,
    failing_line,
    reads,
    tells_failure,
)
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role

LONG_ATTEMPTS = 10
"""Work of more calls than this is not about one error."""
_ALIKE_WORDS = 4


@dataclass(frozen=True, slots=True)
class Mended:
    """From the failure to the success, by place; title, context and resolution."""

    first: int
    last: int
    words: tuple[str, str, str]


def first_mended(events: Sequence[LedgerEvent], turn: Turn) -> Mended | None:
    """The first failure of a turn that says what it is, and whose call then worked."""
    for at, failed in enumerate(turn.attempts):
        what = failing_line(failed.answer)
        if not failed.failed or reads(failed.call) or not tells_failure(what):
            continue
        near = turn.attempts[at + 1 : at + 1 + LONG_ATTEMPTS]
        worked = next((n for n, one in enumerate(near) if _worked(one, failed)), 0)
        if worked:
            last = near[worked].answered_at
            said = [*_said(events[failed.answered_at : last]), tried(near[:worked])]
            context = f"{spec_of(failed)}\n{what}"
            return Mended(failed.asked_at, last, (what, context, "\n".join(said)))
    return None


def tried(attempts: Sequence[Attempt]) -> str:
    """Calls with their telling arguments, a line each."""
    return "\n".join(f"{each.call.name}: {spec_of(each)}" for each in attempts)


def _said(events: Sequence[LedgerEvent]) -> list[str]:
    told = (learnable_text(event).strip() for event in events if event.role is Role.ASSISTANT)
    return [text for text in told if text]


def _worked(one: Attempt, failed: Attempt) -> bool:
    """True if a call succeeded that does the same: the tool, and the first words it is given."""
    mine, others = (spec_of(each).split()[:_ALIKE_WORDS] for each in (one, failed))
    return not one.failed and one.call.name == failed.call.name and mine == others
