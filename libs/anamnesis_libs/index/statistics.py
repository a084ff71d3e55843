"""The statistics of a scope, from its documents: its kind, and the reach of a window.

Where a scope holds turns of conversations it is judged by them alone: what was learned from
them (facts, lessons) has no place in a session, and must not make talk look like something else.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anamnesis_libs.index.cohesion import Likeness
from anamnesis_libs.index.layout import Layout
from anamnesis_libs.index.members import Members
from anamnesis_libs.index.port import ConversationKind, ScopeStatistics
from anamnesis_libs.index.records import Records

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
    judged = members.judged
    found = speakers(records, members if judged.all() else members.chosen(judged))
    cohesion = likeness.cohesion
    in_session_share = float((layout.previous[judged] >= 0).mean())
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


def speakers(records: Records, judged: Members) -> Speakers:
    """Names, most frequent first (64 at most), and the shares of names and roles.

    Names of tools and of places in files are nobody's.
    """
    roles = judged.role
    unspoken = np.isin(roles, records.codes.find_all(UNSPOKEN_ROLES))
    names = np.where(unspoken, 0, judged.name)
    user, assistant = records.codes.find_all(("user", "assistant"))
    return Speakers(
        names=_names(records, names),
        named_share=float((names > 0).mean()),
        role_share=float(((roles == user) | (roles == assistant)).mean()),
        user_share=float((roles == user).mean()),
        length_spread=float(judged.log_length.std()),
    )


def _names(records: Records, codes: NDArray[np.int32]) -> tuple[str, ...]:
    counts = np.bincount(codes)
    found = np.flatnonzero(counts)
    named = [(-int(counts[code]), records.codes.texts[code]) for code in found if code]
    return tuple(name for _, name in sorted(named)[:NAMES_MAX])
