"""Which documents take part in a query: a mask over all slots, to be laid on the living."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from libs.index.port import Scope
from libs.index.postings import Postings
from libs.index.records import Records

Mask = NDArray[np.bool_]

_SHARED = "shared"
_OWNERS = (
    ("private_to_agent", "agent_id", "caller_agent"),
    ("private_to_user", "user_id", "caller_user"),
)
_SETS = (
    ("kind", "kinds"),
    ("category", "categories"),
    ("session_id", "session_ids"),
    ("origin", "origins"),
)
_SINGLES = ("agent_id", "user_id")


def members(records: Records, scope: Scope) -> Mask:
    """What the caller may see and the filter lets through, the dead not told apart."""
    mask = _visible(records, scope)
    if not scope.include_archived:
        mask &= ~records.table.rows["archived"]
    for narrow in (_by_codes, _by_labels, _by_time, _by_validity, _by_importance):
        narrow(records, scope, mask)
    return mask


def _visible(records: Records, scope: Scope) -> Mask:
    """Of a visibility that nobody knows, a document is nobody's."""
    table, codes = records.table.rows, records.codes
    visible: Mask = table["visibility"] == codes.find(_SHARED)
    for visibility, owner, caller in _OWNERS:
        asks = getattr(scope, caller)
        if asks:
            own = table[owner] == codes.find(asks)
            visible |= own & (table["visibility"] == codes.find(visibility))
    return visible


def _by_codes(records: Records, scope: Scope, mask: Mask) -> None:
    table, codes = records.table.rows, records.codes
    for field, wanted in _SETS:
        if texts := getattr(scope, wanted):
            mask &= np.isin(table[field], codes.find_all(texts))
    for field in _SINGLES:
        if text := getattr(scope, field):
            mask &= table[field] == codes.find(text)


def _by_labels(records: Records, scope: Scope, mask: Mask) -> None:
    for labels, wanted in ((records.tags, scope.tags), (records.entities, scope.entities)):
        if wanted:
            mask &= _labelled(labels, wanted, len(mask))


def _labelled(labels: Postings, wanted: Iterable[str], size: int) -> Mask:
    mask = np.zeros(size, np.bool_)
    for label in wanted:
        mask[labels.list_of(label.casefold())[:, 0]] = True
    return mask


def _by_time(records: Records, scope: Scope, mask: Mask) -> None:
    """Half-open; a document without an event time is outside of any range."""
    table = records.table.rows
    if scope.start_time_us is not None:
        mask &= table["dated"] & (table["event_time_us"] >= scope.start_time_us)
    if scope.end_time_us is not None:
        mask &= table["dated"] & (table["event_time_us"] < scope.end_time_us)


def _by_validity(records: Records, scope: Scope, mask: Mask) -> None:
    if scope.as_of_us is not None:
        table = records.table.rows
        mask &= (table["valid_from_us"] <= scope.as_of_us) & (scope.as_of_us < table["valid_to_us"])


def _by_importance(records: Records, scope: Scope, mask: Mask) -> None:
    if scope.min_importance > 0:
        mask &= records.table.rows["importance"] >= scope.min_importance
