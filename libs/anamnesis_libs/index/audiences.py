"""Audiences of documents: the slots of each, so that a scope is found and not filtered.

An audience is all who see the same: everybody, the callers of one agent, those of one user, those
of some users together.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from anamnesis_libs.index.codes import Codes
from anamnesis_libs.index.growing import Growing
from anamnesis_libs.index.port import Document, SearchScope
from anamnesis_libs.participants import is_of_several, participants

Slots = NDArray[np.int32]

EVERYBODY = "shared"
_AGENTS, _USERS = "private_to_agent", "private_to_user"
_OWNERS = {_AGENTS: "agent_id", _USERS: "user_id"}
"""The field that names a document's owner, by visibility; a shared one has no owner."""
_SLOTS_EMPTY = np.zeros(0, np.int32)
_LIST_BYTES, _SLOT_BYTES = 250, 8

Audience = tuple[str, str]
"""A visibility, and whose: ("shared", ""), ("private_to_user", "ada")."""


def audience_of(document: Document) -> Audience:
    """The audience of a document."""
    return document.visibility, _owner(document.visibility, document.agent_id, document.user_id)


def audiences_of(scope: SearchScope) -> Iterator[Audience]:
    """The audiences that the caller of a scope is alone."""
    yield EVERYBODY, ""
    if scope.caller_agent:
        yield _AGENTS, scope.caller_agent
    if scope.caller_user:
        yield _USERS, scope.caller_user


def parts_of(audience: Audience) -> Iterator[Audience]:
    """An audience, or each of those who are one together."""
    visibility, owner = audience
    if visibility == _USERS and is_of_several(owner):
        yield from ((_USERS, user) for user in participants(owner))
    else:
        yield audience


class Audiences:
    """The slots of each audience, ascending. What was taken out stays listed until `restart`."""

    def __init__(self) -> None:
        self._lists: dict[Audience, Growing] = {}
        self._together: defaultdict[Audience, list[Audience]] = defaultdict(list)
        self._listed = 0

    @property
    def nbytes(self) -> int:
        """Bytes of memory taken, estimated."""
        return len(self._lists) * _LIST_BYTES + self._listed * _SLOT_BYTES

    def add(self, audience: Audience, slot: int) -> None:
        """List a document whose slot is higher than all before."""
        held = self._lists.get(audience)
        if held is None:
            held = self._listing(audience)
        held.append(np.array([slot], np.int32))
        self._listed += 1

    def of(self, audience: Audience) -> Slots:
        """The slots of one audience; a copy."""
        held = self._lists.get(audience)
        return _SLOTS_EMPTY if held is None else held.rows.astype(np.int32)

    def seen(self, scope: SearchScope) -> Slots:
        """The slots that the caller of a scope may see, one audience after another; a copy."""
        held = [self._lists[one].rows for one in self._of(scope) if one in self._lists]
        return np.concatenate(held, dtype=np.int32) if held else _SLOTS_EMPTY

    def _of(self, scope: SearchScope) -> Iterator[Audience]:
        """The audiences that the caller of a scope is of, alone or with others."""
        for audience in audiences_of(scope):
            yield audience
            yield from self._together.get(audience, ())

    def _listing(self, audience: Audience) -> Growing:
        """An empty list for an audience that has none."""
        for part in parts_of(audience):
            if part != audience:
                self._together[part].append(audience)
        held = self._lists[audience] = Growing(np.int32, rows_min=4)
        return held

    def restart(self, table: NDArray[np.void], codes: Codes) -> None:
        """List anew all documents of a table, which are all alive."""
        self._lists.clear()
        self._together.clear()
        self._listed = len(table)
        owners = np.zeros(len(table), np.int32)
        for visibility, field in _OWNERS.items():
            own = table["visibility"] == codes.find(visibility)
            owners[own] = table[field][own]
        keys = np.stack([table["visibility"], owners], 1)
        found, groups = np.unique(keys, axis=0, return_inverse=True)
        order = np.argsort(groups.ravel(), kind="stable").astype(np.int32)
        starts = np.searchsorted(groups.ravel()[order], np.arange(len(found) + 1))
        for group, (visibility, owner) in enumerate(found.tolist()):
            held = self._listing((codes.texts[visibility], codes.texts[owner]))
            held.append(order[starts[group] : starts[group + 1]])


def audience_in(row: np.void, codes: Codes) -> Audience:
    """The audience of the document in a row."""
    visibility = codes.texts[row["visibility"]]
    owners: Mapping[str, str] = {
        field: codes.texts[row[field]] for field in ("agent_id", "user_id")
    }
    return visibility, _owner(visibility, owners["agent_id"], owners["user_id"])


def _owner(visibility: str, agent_id: str, user_id: str) -> str:
    return {"agent_id": agent_id, "user_id": user_id}.get(_OWNERS.get(visibility, ""), "")
