"""When a fact holds or happened: time phrases beside it, resolved against its own event's time.

A phrase counts where it stands in the clause, or before it in the same sentence without a fact
of its own. An event without a time gives no date. What is ambiguous stays empty: of two phrases
in one clause the first counts only where both say the same day.
"""

from collections.abc import Sequence
from datetime import datetime

from libs.timephrases.find import find_times
from libs.timephrases.model import Bound, TimePhrase
from services.ingestion.learning.knowledge import NO_TIME, Dated, FactKind, Precision
from services.ingestion.learning.local.drafts import Draft
from services.ingestion.learning.local.predicates import Predicate
from services.ingestion.ledger import LedgerEvent

# A deadline dates what is still to come by itself.
_MAY_END = frozenset({FactKind.GOAL, FactKind.CONSTRAINT, FactKind.EVENT, FactKind.DECISION})


_OVER = frozenset(
    {Predicate.DID, Predicate.MOVED_TO, Predicate.HAPPENED, Predicate.DISCOVERED, Predicate.IS_FROM}
)


def times_in(event: LedgerEvent) -> tuple[TimePhrase, ...]:
    """The phrases of time of an event; none where it has no time of its own."""
    return find_times(event.content, event.event_time) if event.event_time else ()


def dated(draft: Draft, phrases: Sequence[TimePhrase], said_at: datetime | None) -> Dated:
    """The time of a draft, empty where none is told or can be resolved.

    What has happened did so before it was told: a later time is a misreading and left out.
    """
    if not draft.dated:
        return NO_TIME
    start, end = draft.clause.start, draft.clause.start + len(draft.clause.text)
    inside = [each for each in phrases if start <= each.start and each.end <= end]
    before = [each for each in phrases if draft.times_from <= each.start and each.end <= start]
    chosen = inside[:1] or before[-1:]
    time = _dated(chosen[0], draft) if chosen else NO_TIME
    ahead = time.since is not None and said_at is not None and time.since > said_at
    return NO_TIME if ahead and draft.predicate in _OVER else time


def _dated(phrase: TimePhrase, draft: Draft) -> Dated:
    precision = Precision(phrase.precision.value)
    match phrase.bound:
        case Bound.AT:
            return Dated(phrase.since, phrase.until, precision)
        case Bound.SINCE:
            return Dated(phrase.since, None, precision)
        case _ if draft.kind in _MAY_END:
            return Dated(phrase.since, phrase.until, precision)
    return NO_TIME
