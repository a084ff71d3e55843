"""The statistics of a scope, from its documents: its kind, and the reach of a window.

Where a scope holds turns of conversations it is judged by them alone: what was learned from
them (facts, lessons) has no place in a session, and must not make talk look like something else.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anamnesis_libs.index.layout import Chosen, Layout
from anamnesis_libs.index.port import ConversationKind, Rows, ScopeStatistics
from anamnesis_libs.index.records import ALONE, Records
from anamnesis_libs.index.vectors import STRANGER, VectorRows

NAMES_MAX = 64
UNSPOKEN_ROLES = ("tool", "file")
DRAWN_MAX = 4000
STRANGERS_ENOUGH = 1000
"""Of so many documents each is compared with one other, and that is remembered."""

NAMED_SHARE_MIN = 0.9
LENGTH_SPREAD_MAX = 0.9
ROLE_SHARE_MIN = 0.9
USER_SHARE = (0.05, 0.95)
IN_SESSION_SHARE_MIN = 0.5
COHESION_MIN = 0.3

_PAIRS_MIN = 2
_SPREAD_MIN = 1e-6
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


def measure(records: Records, vectors: VectorRows, layout: Layout) -> ScopeStatistics:
    """The statistics of a scope, which is not empty; `term_weights` are a query's to add."""
    judged = _turns(records, layout)
    found = speakers(records, layout, judged)
    cohesion = measure_cohesion(records, vectors, layout, judged)
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


def speakers(records: Records, layout: Layout, judged: Chosen) -> Speakers:
    """Names, most frequent first (64 at most), and the shares of names and roles.

    Names of tools and of places in files are nobody's.
    """
    table, documents = records.table.rows, layout.documents[judged]
    roles = table["role"][documents]
    unspoken = np.isin(roles, records.codes.find_all(UNSPOKEN_ROLES))
    names = np.where(unspoken, 0, table["name"][documents])
    user, assistant = records.codes.find_all(("user", "assistant"))
    lengths = np.log(np.maximum(table["length"][documents], 1), dtype=np.float64)
    return Speakers(
        names=_names(records, names),
        named_share=float((names > 0).mean()),
        role_share=float(((roles == user) | (roles == assistant)).mean()),
        user_share=float((roles == user).mean()),
        length_spread=float(lengths.std()),
    )


def measure_cohesion(
    records: Records, vectors: VectorRows, layout: Layout, judged: Chosen
) -> float | None:
    """The deviations by which neighbours are more alike than strangers; None if unknown.

    Measured on up to 4,000 documents with vectors, the same ones as long as the scope holds them:
    each with the one before it in its session, against pairs of those drawn.
    """
    embedded = records.table.rows["embedded"][layout.documents]
    drawn = _drawn(records, layout, judged[embedded[judged]])
    messages = _Messages(records, vectors, layout)
    before = layout.previous[drawn]
    paired = (before >= 0) & embedded[before]
    neighbours = messages.cosines(before[paired], drawn[paired], 1)
    strangers = messages.strangers(drawn)
    if min(len(strangers), len(neighbours)) < _PAIRS_MIN or strangers.std() < _SPREAD_MIN:
        return None
    return float((neighbours.mean() - strangers.mean()) / strangers.std())


def _turns(records: Records, layout: Layout) -> NDArray[np.int64]:
    """The places of what has a place in a session; of everything where nothing has."""
    keys = records.table.rows["session_key"][layout.documents]
    turns: NDArray[np.int64] = np.flatnonzero(keys != ALONE)
    return turns if len(turns) else np.arange(layout.size)


def _names(records: Records, codes: NDArray[np.int32]) -> tuple[str, ...]:
    found, counts = np.unique(codes[codes > 0], return_counts=True)
    named = [(-count, records.codes.texts[code]) for code, count in zip(found, counts, strict=True)]
    return tuple(name for _, name in sorted(named)[:NAMES_MAX])


def _drawn(records: Records, layout: Layout, places: NDArray[np.int64]) -> NDArray[np.int64]:
    """Up to 4,000 of some places, in the order of the digests of their ids.

    What comes to a scope puts itself between two others; whatever else is drawn stays as it is.
    """
    keys = records.table.rows["id_key"][layout.documents[places]]
    if len(places) > DRAWN_MAX:
        least = np.argpartition(keys, DRAWN_MAX)[:DRAWN_MAX]
        places, keys = places[least], keys[least]
    drawn: NDArray[np.int64] = places[np.argsort(keys, kind="stable")]
    return drawn


@dataclass(frozen=True, slots=True)
class _Messages:
    """The vectors of whole documents: of each the sum of its pieces' vectors, at unit length."""

    records: Records
    vectors: VectorRows
    layout: Layout

    def cosines(self, left: Chosen, right: Chosen, lag: int) -> NDArray[np.float64]:
        """The cosines of pairs; those of documents of one piece are remembered under `lag`."""
        counts, firsts = self.layout.counts, self.layout.firsts
        short = (counts[left] == 1) & (counts[right] == 1)
        rows = self.records.pieces.rows["row"][self.layout.pieces]
        cosines = np.empty(len(left), np.float64)
        cosines[short] = self.vectors.neighbour_products(
            rows[firsts[left[short]]], rows[firsts[right[short]]], lag
        )
        long = ~short
        cosines[long] = np.vecdot(self._vectors(left[long]), self._vectors(right[long]))
        return cosines

    def strangers(self, drawn: NDArray[np.int64]) -> NDArray[np.float64]:
        """The cosines of each with the next; of a few also with others, for 4,000 pairs or all."""
        if len(drawn) >= STRANGERS_ENOUGH:
            return self.cosines(drawn[:-1], drawn[1:], STRANGER)
        held = self._vectors(drawn)
        distances = -(-DRAWN_MAX // len(held)) if len(held) else 0
        cosines = [np.vecdot(held[d:], held[:-d]) for d in range(1, distances + 1)]
        return np.concatenate([np.zeros(0), *cosines])

    def _vectors(self, chosen: Chosen) -> Rows:
        pieces, firsts = self.layout.pieces_of(chosen)
        held = self.vectors.at(self.records.pieces.rows["row"][pieces])
        if len(pieces) == len(chosen):
            return held
        sums: Rows = np.add.reduceat(held, firsts, axis=0)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        unit: Rows = sums / np.maximum(lengths, np.float32(_SPREAD_MIN))
        return unit
