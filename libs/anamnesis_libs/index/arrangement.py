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
from anamnesis_libs.index.growing import put_in
from anamnesis_libs.index.layout import Layout, Places, grown, lay_out
from anamnesis_libs.index.members import Members, members_of
from anamnesis_libs.index.ordering import Order, in_order, place_of
from anamnesis_libs.index.port import RowNumbers, ScopeStatistics
from anamnesis_libs.index.records import Records, spans
from anamnesis_libs.index.row_places import RowPlaces
from anamnesis_libs.index.scoring import Saturation, standardised
from anamnesis_libs.index.statistics import measure
from anamnesis_libs.index.terms import Terms
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


@dataclass(frozen=True, slots=True, eq=False)
class _Columns:
    """Values of each piece that an arrangement keeps and, in the last two, of each document."""

    rows: RowNumbers
    term_counts: Floats
    window_counts: Floats
    window_norms: Floats | None
    odds: Floats
    paged: NDArray[np.bool_]


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
        return self._arranged(members, layout, measured(messages, members, layout))

    def rearrange(self, old: Arrangement, changed: Order) -> Arrangement:
        """The arrangement after documents have come in, or have got their vectors."""
        table, documents = self.records.table.rows, old.layout.documents
        changed = in_order(changed, table)
        at = np.array([place_of(slot, documents, table) for slot in changed], np.int32)
        new = documents[np.minimum(at, len(documents) - 1)] != changed
        came = members_of(table, changed)
        places = (at + np.cumsum(new) - new).astype(np.int32)
        members, layout = old.members, old.layout
        if new.any():
            members = members.grown(at[new], came.chosen(new))
        members = members.with_vectors(places, came.embedded)
        if new.any():
            layout = grown(layout, members, places[new])
        likeness = self._renewed(old, members, layout, places)
        if likeness is None:
            return self.arrange(layout.documents)
        statistics = measure(self.records, members, layout, likeness)
        if statistics.window_radius != old.windows.radius:
            return self._arranged(members, layout, likeness)
        windows = Windows(old.windows.radius, layout.runs) if new.any() else old.windows
        columns = self._columns_kept(old, members, layout, windows, places[new])
        self._renew(columns, layout, windows, places)
        return self._made(members, layout, likeness, statistics, windows, columns)

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

    def _arranged(self, members: Members, layout: Layout, likeness: Likeness) -> Arrangement:
        statistics = measure(self.records, members, layout, likeness)
        windows = Windows(statistics.window_radius, layout.runs)
        pieces = self.records.pieces.rows[layout.pieces]
        rows: RowNumbers = pieces["row"].copy()
        term_counts = pieces["term_count"].astype(np.float32)
        norms = windows.norms(self.vectors, rows) if windows.radius else None
        columns = _Columns(
            rows, term_counts, windows.sums(term_counts), norms, *self._odds(members)
        )
        return self._made(members, layout, likeness, statistics, windows, columns)

    def _made(
        self,
        members: Members,
        layout: Layout,
        likeness: Likeness,
        statistics: ScopeStatistics,
        windows: Windows,
        columns: _Columns,
    ) -> Arrangement:
        rows, norms = columns.rows, columns.window_norms
        owners = np.arange(layout.size, dtype=np.int32)
        single = len(layout.pieces) == layout.size
        return Arrangement(
            members=members,
            likeness=likeness,
            layout=layout,
            terms=self.terms_of(layout.pieces),
            statistics=statistics,
            windows=windows,
            rows=rows,
            window_norms=None if norms is None else np.maximum(norms, np.float32(NORM_MIN)),
            embedded=members.embedded,
            embedded_pieces=rows != NO_ROW,
            saturation=Saturation(columns.term_counts),
            window_saturation=Saturation(columns.window_counts),
            owners=owners if single else np.repeat(owners, layout.counts),
            odds=columns.odds,
            paged=columns.paged,
            lengths=standardised(members.log_terms),
            questions=members.question,
            row_places=self._row_places(rows),
        )

    def _columns_kept(
        self, old: Arrangement, members: Members, layout: Layout, windows: Windows, new: Places
    ) -> _Columns:
        """The columns as they were, with room for what is new in windows and rows."""
        term_counts, window_counts = old.saturation.lengths, old.window_saturation.lengths
        rows, norms, odds, paged = old.rows, old.window_norms, old.odds, old.paged
        if not len(new):
            norms = None if norms is None else norms.copy()
            return _Columns(rows.copy(), term_counts, window_counts, norms, odds, paged)
        came = spans(layout.firsts[new], layout.counts[new])
        at = (came - np.arange(len(came))).tolist()
        held = self.records.pieces.rows[layout.pieces[came]]
        counts, nothing = held["term_count"].astype(np.float32), np.zeros(len(came), np.float32)
        documents_at = (new - np.arange(len(new))).tolist()
        new_odds, new_paged = self._odds(members.chosen(new))
        return _Columns(
            put_in(rows, at, held["row"].copy()),
            put_in(term_counts, at, counts),
            put_in(window_counts, at, nothing),
            None if norms is None else put_in(norms, at, nothing),
            put_in(odds, documents_at, new_odds),
            put_in(paged, documents_at, new_paged),
        )

    def _renew(self, columns: _Columns, layout: Layout, windows: Windows, places: Places) -> None:
        """Put the rows of what has changed, and the windows that reach into it, anew."""
        for place in places.tolist():
            first = int(layout.firsts[place])
            end = first + int(layout.counts[place])
            held = self.records.pieces.rows[layout.pieces[first:end]]
            columns.rows[first:end] = held["row"]
        for place in places.tolist():
            first = int(layout.firsts[place])
            end = first + int(layout.counts[place])
            windows.renew_sums(columns.window_counts, columns.term_counts, first, end)
            if columns.window_norms is not None:
                windows.renew_norms(columns.window_norms, self.vectors, columns.rows, first, end)

    def _odds(self, members: Members) -> tuple[Floats, NDArray[np.bool_]]:
        """The gain of documents by having many pieces, and which are passages of pages."""
        paged = members.role == self.records.codes.find(DOCUMENT_ROLE)
        return np.where(paged, 0, np.sqrt(2 * np.log(members.pieces))).astype(np.float32), paged

    def _row_places(self, rows: RowNumbers) -> RowPlaces | None:
        return RowPlaces(rows, self.vectors.count) if len(rows) > self.whole_max else None
