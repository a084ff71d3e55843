"""Documents that take part in a query: of the caller's audiences, and within the filter."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from anamnesis_libs.index.port import SearchScope
from anamnesis_libs.index.postings import Postings
from anamnesis_libs.index.records import Records
from anamnesis_libs.participants import is_of

Mask = NDArray[np.bool_]
Slots = NDArray[np.int32]

_SETS = (
    ("kind", "kinds"),
    ("category", "categories"),
    ("session_id", "session_ids"),
    ("origin", "origins"),
)


def members(records: Records, scope: SearchScope) -> Slots:
    """The living that the caller may see and the filter lets through, in no order.

    O(documents that the caller may see), whatever others there are.
    """
    return narrowed(records, scope, records.audiences.seen(scope))


def narrowed(records: Records, scope: SearchScope, slots: Slots) -> Slots:
    """Of some documents that the caller may see the living that the filter lets through."""
    table = records.table.rows
    slots = slots[table["alive"][slots]]
    if not scope.include_archived:
        slots = slots[~table["archived"][slots]]
    for narrow in (_by_ids, _by_codes, _by_labels, _by_time, _by_validity, _by_importance):
        slots = narrow(records, scope, slots)
    return slots


def _by_ids(records: Records, scope: SearchScope, slots: Slots) -> Slots:
    if scope.memory_ids is None:
        return slots
    held = [records.slots[one] for one in scope.memory_ids if one in records.slots]
    return slots[np.isin(slots, held)]


def _by_codes(records: Records, scope: SearchScope, slots: Slots) -> Slots:
    table, codes = records.table.rows, records.codes
    for field, wanted in _SETS:
        if texts := getattr(scope, wanted):
            slots = slots[np.isin(table[field][slots], codes.find_all(texts))]
    if scope.agent_id:
        slots = slots[table["agent_id"][slots] == codes.find(scope.agent_id)]
    if scope.user_id:
        owners = table["user_id"][slots]
        theirs = [code for code in np.unique(owners) if is_of(codes.texts[code], scope.user_id)]
        slots = slots[np.isin(owners, theirs)]
    return slots


def _by_labels(records: Records, scope: SearchScope, slots: Slots) -> Slots:
    for labels, wanted in ((records.tags, scope.tags), (records.entities, scope.entities)):
        if wanted:
            slots = slots[np.isin(slots, _labelled(labels, wanted))]
    return slots


def _labelled(labels: Postings, wanted: Iterable[str]) -> Slots:
    return np.concatenate([labels.list_of(label.casefold())[:, 0] for label in wanted])


def _by_time(records: Records, scope: SearchScope, slots: Slots) -> Slots:
    """Half-open; a document without an event time is outside of any range."""
    table = records.table.rows
    if scope.start_time_us is not None:
        times_us = table["event_time_us"][slots]
        slots = slots[table["dated"][slots] & (times_us >= scope.start_time_us)]
    if scope.end_time_us is not None:
        times_us = table["event_time_us"][slots]
        slots = slots[table["dated"][slots] & (times_us < scope.end_time_us)]
    return slots


def _by_validity(records: Records, scope: SearchScope, slots: Slots) -> Slots:
    if scope.as_of_us is None:
        return slots
    table = records.table.rows
    begun = table["valid_from_us"][slots] <= scope.as_of_us
    return slots[begun & (scope.as_of_us < table["valid_to_us"][slots])]


def _by_importance(records: Records, scope: SearchScope, slots: Slots) -> Slots:
    if scope.min_importance <= 0:
        return slots
    return slots[records.table.rows["importance"][slots] >= scope.min_importance]
