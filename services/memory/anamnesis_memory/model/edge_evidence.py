"""Detail of an edge that a session shows: the indices of the events that show it, as JSON."""

import json
from collections.abc import Sequence

_EVENTS = "events"


def shown_by(event_indices: Sequence[int]) -> str:
    """The detail of an edge that these events of its ends' session show."""
    return json.dumps({_EVENTS: [*event_indices]})


def events_of(detail: str) -> tuple[int, ...]:
    """The indices of the events that show an edge; empty for one that nothing shows."""
    held = json.loads(detail) if detail else None
    return tuple(held.get(_EVENTS, ())) if isinstance(held, dict) else ()
