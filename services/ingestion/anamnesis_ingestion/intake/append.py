"""Appending: events that a caller states one by one, checked before they are sent on."""

from collections.abc import Iterator, Sequence

from anamnesis_ingestion.intake.files.limits import may_be_stored
from anamnesis_ingestion.ledger import Append, Appended, LedgerEvent
from anamnesis_ingestion.ports import Ledger
from anamnesis_libs.errors import FieldViolation, InvalidArgument


async def append_events(write: Append, ledger: Ledger) -> Appended:
    """Store the events of one session, all of them or none.

    Raises:
        InvalidArgument: an event lacks its time or its text, or an index comes twice; the fields
            are named by position, `events[3].event_time`.
    """
    violations = tuple(_violations(write))
    if violations:
        first = violations[0]
        raise InvalidArgument(f"{first.field}: {first.description}", violations)
    return await ledger.append(write)


def _violations(write: Append) -> Iterator[FieldViolation]:
    for position, event in enumerate(write.events):
        path = f"events[{position}]"
        if event.event_time is None and not write.server_time:
            yield FieldViolation(
                f"{path}.event_time", "is required; or set use_server_time if it is now"
            )
        if not _says_enough(event):
            yield FieldViolation(f"{path}.content", "must not be empty for this role")
    yield from _index_violations(write.events)


def _says_enough(event: LedgerEvent) -> bool:
    return may_be_stored(
        event.role, event.content, calls=bool(event.tool_calls), reasoning=bool(event.reasoning)
    )


def _index_violations(events: Sequence[LedgerEvent]) -> Iterator[FieldViolation]:
    first_at: dict[int, int] = {}
    numbered = any(event.index is not None for event in events)
    for position, event in enumerate(events):
        path = f"events[{position}].index"
        if event.index is None:
            if numbered:
                yield FieldViolation(path, "is unset; set it for every event or for none")
        elif event.index in first_at:
            other = first_at[event.index]
            yield FieldViolation(path, f"{event.index} is the index of events[{other}] too")
        else:
            first_at[event.index] = position
