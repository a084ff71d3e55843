"""The statistics of a scope, from its documents: its kind, and the reach of a window.

Where a scope holds turns of conversations it is judged by them alone: what was learned from
them (facts, lessons) has no place in a session, and must not make talk look like something else.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anamnesis_libs.index.cohesion import Likeness
from anamnesis_libs.index.layout import Layout
from anamnesis_libs.index.members import Members
from anamnesis_libs.index.port import ConversationKind, ScopeStatistics
from anamnesis_libs.index.records import Records

Counts = NDArray[np.int64]

NAMES_MAX = 64
UNSPOKEN_ROLES = ("tool", "file")

NAMED_SHARE_MIN = 0.9
LENGTH_SPREAD_MAX = 0.9
ROLE_SHARE_MIN = 0.9
USER_SHARE = (0.05, 0.95)
IN_SESSION_SHARE_MIN = 0.5
COHESION_MIN = 0.3

_RADIUS = {ConversationKind.PEOPLE: 2, ConversationKind.ROLES: 1, ConversationKind.PLAIN: 2}


@dataclass(frozen=True, slots=True)
class Speakers:
    """The speakers of a scope, and their balance. Shares are of its documents."""

    names: tuple[str, ...]
    named_share: float
    role_share: float
    user_share: float
    length_spread: float

    @property
    def kind(self) -> ConversationKind:
        """People: two or more names, even lengths. Roles: a user and an assistant."""
        if (
            len(self.names) >= 2
            and self.named_share >= NAMED_SHARE_MIN
            and self.length_spread <= LENGTH_SPREAD_MAX
        ):
            return ConversationKind.PEOPLE
        least, most = USER_SHARE
        if self.role_share >= ROLE_SHARE_MIN and least <= self.user_share <= most:
            return ConversationKind.ROLES
        return ConversationKind.PLAIN


def measure(
    records: Records, members: Members, layout: Layout, likeness: Likeness
) -> ScopeStatistics:
    """The statistics of a scope, which is not empty; `term_weights` are a query's to add."""
    turns = members.turns
    count = int(np.count_nonzero(turns))
    some = 0 < count < len(members)
    judged = turns if some else slice(None)
    roles, names = members.role[judged], members.name[judged]
    found = speakers(records, roles, names, members.log_length[judged])
    cohesion = likeness.cohesion
    in_session_share = float(np.count_nonzero(layout.previous >= 0)) / len(roles)
    return ScopeStatistics(
        size=layout.size,
        kind=found.kind,
        names=found.names,
        named_share=found.named_share,
        role_share=found.role_share,
        length_spread=found.length_spread,
        cohesion=cohesion or 0.0,
        window_radius=choose_radius(found.kind, in_session_share, cohesion),
    )


def choose_radius(kind: ConversationKind, in_session_share: float, cohesion: float | None) -> int:
    """Number of neighbours on each side that belong to the content of a record.

    0 if records stand alone, or are no more like their neighbours than like
    strangers. Before vectors can tell (`cohesion` is None), turns of a conversation are taken
    to hang together, and other records are not.
    """
    is_talk = kind is not ConversationKind.PLAIN
    coheres = is_talk if cohesion is None else cohesion >= COHESION_MIN
    return _RADIUS[kind] if coheres and in_session_share >= IN_SESSION_SHARE_MIN else 0


def speakers(
    records: Records,
    roles: NDArray[np.int32],
    names: NDArray[np.int32],
    log_lengths: NDArray[np.float64],
) -> Speakers:
    """Names, most frequent first (64 at most), and the shares of names and roles.

    Names of tools and of places in files are nobody's.
    """
    count, spoken = len(roles), np.bincount(roles)
    unspoken = _held(records, spoken, UNSPOKEN_ROLES)
    if any(spoken[code] for code in unspoken):
        is_spoken = np.ones(len(spoken), np.bool_)
        is_spoken[unspoken] = False
        names = np.where(is_spoken[roles], names, 0)
    named = np.bincount(names)
    users = sum(int(spoken[code]) for code in _held(records, spoken, ("user",)))
    both = sum(int(spoken[code]) for code in _held(records, spoken, ("user", "assistant")))
    return Speakers(
        names=_names(records, named),
        named_share=(count - int(named[0])) / count,
        role_share=both / count,
        user_share=users / count,
        length_spread=float(log_lengths.std()),
    )


def _held(records: Records, counts: Counts, texts: Sequence[str]) -> list[int]:
    """The codes of texts, of those that are counted."""
    return [code for code in records.codes.find_all(texts) if 0 <= code < len(counts)]


def _names(records: Records, counts: Counts) -> tuple[str, ...]:
    found = np.flatnonzero(counts)
    named = [(-int(counts[code]), records.codes.texts[code]) for code in found if code]
    return tuple(name for _, name in sorted(named)[:NAMES_MAX])
