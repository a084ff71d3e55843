"""All that queries over one scope have in common, kept up as documents come in.

What comes in finds its place among the others. The rows of those, their windows and the cosines by
which the scope is judged stay as they are, unless it stands beside them; the rest is worked out
anew from arrays that stand side by side, which costs little.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anamnesis_libs.chunking import DOCUMENT_ROLE
from anamnesis_libs.index.cohesion import Likeness, Messages, measured
from anamnesis_libs.index.layout import Layout, Places, lay_out
from anamnesis_libs.index.members import Members, members_of
from anamnesis_libs.index.ordering import Order, in_order, place_of
from anamnesis_libs.index.port import ScopeStatistics
from anamnesis_libs.index.records import Records, spans
from anamnesis_libs.index.row_places import RowPlaces
from anamnesis_libs.index.scoring import Saturation, standardised
from anamnesis_libs.index.statistics import measure
from anamnesis_libs.index.terms import Terms
from anamnesis_libs.index.port import RowNumbers
from anamnesis_libs.index.vectors import NO_ROW, VectorRows
from anamnesis_libs.index.windows import Floats, Windows

TermsOf = Callable[[NDArray[np.int32]], Terms]
"""The words of pieces, by place."""

NORM_MIN = 1e-6
WHOLE_MAX = 100_000
"""Pieces of a scope that are scored one and all, unless told otherwise."""


@dataclass(frozen=True, slots=True, eq=False)
class Arrangement:
    """A scope ready to be scored. Arrays run over its documents or its pieces, in place order.

    `window_norms` is None where windows reach nobody (radius 0). `embedded` says which
    documents have vectors, `embedded_pieces` which pieces; `paged` which are passages of pages.
    `odds` is what a document of n pieces gains by having many: sqrt(2 ln n), and nothing for a
    passage, whose pieces share a name. `row_places` is there of a scope that is not scored whole;
    of a part of one, `shares` says how many of its documents each stands for (see `wide`).
    """

    members: Members
    likeness: Likeness
    layout: Layout
    terms: Terms
    statistics: ScopeStatistics
    windows: Windows
    rows: RowNumbers
    window_norms: Floats | None
    embedded: NDArray[np.bool_]
    embedded_pieces: NDArray[np.bool_]
    saturation: Saturation
    window_saturation: Saturation
    owners: Places
    odds: Floats
    paged: NDArray[np.bool_]
    lengths: Floats
    questions: NDArray[np.bool_]
    row_places: RowPlaces | None = None
    shares: Floats | None = None

    @property
    def piece_shares(self) -> Floats | None:
        """The shares of pieces' documents; None where each stands for itself."""
        return None if self.shares is None else self.shares[self.owners]


@dataclass(frozen=True, slots=True)
class _Kept:
    """The lengths of windows that are as they were, and where documents have changed."""

    norms: Floats | None
    radius: int
    places: Places


@dataclass(frozen=True, slots=True)
class Arranger:
    """Arranges scopes of one index, which are not empty."""

    records: Records
    vectors: VectorRows
    terms_of: TermsOf
    whole_max: int = WHOLE_MAX
    """Pieces of a scope up to which all of it is scored."""

    def arrange(self, documents: Order) -> Arrangement:
        """The arrangement of documents, which are in canonical order."""
        members = members_of(self.records.table.rows, documents)
        layout = lay_out(members)
        messages = Messages(self.records, self.vectors)
        likeness = measured(messages, members, layout)
        return self._arranged(members, layout, likeness, None)

    def rearrange(self, old: Arrangement, changed: Order) -> Arrangement:
        """The arrangement after documents have come in, or have got their vectors."""
        table, documents = self.records.table.rows, old.layout.documents
        changed = in_order(changed, table)
        at = np.array([place_of(slot, documents, table) for slot in changed], np.int32)
        new = documents[np.minimum(at, len(documents) - 1)] != changed
        came = members_of(table, changed)
        places = (at + np.cumsum(new) - new).astype(np.int32)
        members = old.members.grown(at[new], came.chosen(new)) if new.any() else old.members
        members = members.with_vectors(places, came.embedded)
        layout = lay_out(members)
        likeness = self._renewed(old, members, layout, places)
        if likeness is None:
            return self.arrange(layout.documents)
        norms = _norms_kept(old, layout, places[new])
        kept = _Kept(norms, old.windows.radius, places)
        return self._arranged(members, layout, likeness, kept)

    def _renewed(
        self, old: Arrangement, members: Members, layout: Layout, places: Places
    ) -> Likeness | None:
        """The likeness with what has changed; None where it has to be measured anew."""
        judged = members.judged
        if members.turns.any() != old.members.turns.any():
            return None
        after = places[places + 1 < layout.size] + 1
        after = after[layout.previous[after] >= 0]
        likeness: Likeness | None = old.likeness
        messages = Messages(self.records, self.vectors)
        for place in sorted({*places[judged[places]].tolist(), *after.tolist()}):
            if likeness is not None:
                likeness = likeness.renewed(messages, members, layout, place)
        return likeness

    def _arranged(
        self, members: Members, layout: Layout, likeness: Likeness, kept: _Kept | None
    ) -> Arrangement:
        statistics = measure(self.records, members, layout, likeness)
        windows = Windows(statistics.window_radius, layout.runs)
        pieces = self.records.pieces.rows[layout.pieces]
        rows: RowNumbers = pieces["row"].copy()
        term_counts = pieces["term_count"].astype(np.float32)
        paged = members.role == self.records.codes.find(DOCUMENT_ROLE)
        return Arrangement(
            members=members,
            likeness=likeness,
            layout=layout,
            terms=self.terms_of(layout.pieces),
            statistics=statistics,
            windows=windows,
            rows=rows,
            window_norms=self._window_norms(windows, layout, rows, kept),
            embedded=members.embedded,
            embedded_pieces=rows != NO_ROW,
            saturation=Saturation(term_counts),
            window_saturation=Saturation(windows.sums(term_counts)),
            owners=np.repeat(np.arange(layout.size, dtype=np.int32), layout.counts),
            odds=np.where(paged, 0, np.sqrt(2 * np.log(layout.counts))).astype(np.float32),
            paged=paged,
            lengths=standardised(members.log_terms),
            questions=members.question,
            row_places=self._row_places(rows),
        )

    def _row_places(self, rows: RowNumbers) -> RowPlaces | None:
        return RowPlaces.of(rows, self.vectors.count) if len(rows) > self.whole_max else None

    def _window_norms(
        self, windows: Windows, layout: Layout, rows: RowNumbers, kept: _Kept | None
    ) -> Floats | None:
        """The length of each window; None where windows reach nobody."""
        if not windows.radius:
            return None
        if kept is None or kept.norms is None or kept.radius != windows.radius:
            norms = windows.norms(self.vectors, rows)
        else:
            norms = kept.norms
            for place in kept.places:
                first = int(layout.firsts[place])
                end = first + int(layout.counts[place])
                windows.renew_norms(norms, self.vectors, rows, first, end)
        return np.maximum(norms, np.float32(NORM_MIN))


def _norms_kept(old: Arrangement, layout: Layout, new: Places) -> Floats | None:
    """The lengths of the windows of the pieces that were there, with room for the new ones."""
    if old.window_norms is None:
        return None
    there = np.ones(len(layout.pieces), np.bool_)
    there[spans(layout.firsts[new], layout.counts[new])] = False
    norms = np.zeros(len(there), np.float32)
    norms[there] = old.window_norms
    return norms
