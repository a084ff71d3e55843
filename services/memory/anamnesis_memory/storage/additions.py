"""Writes that append: they add events with their drawers, and change nothing that memories say."""

from collections.abc import Sequence
from dataclasses import fields

from anamnesis_memory.model.memory import Memory
from anamnesis_memory.ports import WriteSet

_OF_APPENDS = frozenset(("sessions", "events", "wings", "memories", "work"))
_NOTHING = WriteSet()
_ELSE = tuple(
    (one.name, getattr(_NOTHING, one.name))
    for one in fields(WriteSet)
    if one.name not in _OF_APPENDS
)


def added_by(edits: WriteSet) -> Sequence[Memory] | None:
    """The memories of an append, which are new; None of a write that does more to memories."""
    if edits.memories and not edits.events:
        return None
    more = any(getattr(edits, name) != empty for name, empty in _ELSE)
    return None if more else edits.memories
