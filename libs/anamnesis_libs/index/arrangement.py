"""All that queries over one scope have in common, made once until the index changes."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anamnesis_libs.chunking import DOCUMENT_ROLE
from anamnesis_libs.index.layout import Layout, Places
from anamnesis_libs.index.port import ScopeStatistics
from anamnesis_libs.index.records import Records
from anamnesis_libs.index.scoring import Saturation, standardised
from anamnesis_libs.index.statistics import measure
from anamnesis_libs.index.terms import Terms
from anamnesis_libs.index.vector_forms import RowNumbers
from anamnesis_libs.index.vectors import NO_ROW, VectorRows
from anamnesis_libs.index.windows import Floats, Windows

NORM_MIN = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Arrangement:
    """A scope ready to be scored. Arrays run over its documents or its pieces, in place order.

    `window_norms` is None where windows reach nobody (radius 0). `embedded` says which
    documents have vectors, `embedded_pieces` which pieces; `paged` which are passages of pages.
    `odds` is what a document of n pieces gains by having many: sqrt(2 ln n), and nothing for a
    passage, whose pieces share a name.
    """

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


def arrange(records: Records, vectors: VectorRows, layout: Layout, terms: Terms) -> Arrangement:
    """Work out what all queries over a scope, which is not empty, need."""
    statistics = measure(records, vectors, layout)
    windows = Windows(statistics.window_radius, layout.runs)
    table, documents = records.table.rows, layout.documents
    rows: RowNumbers = records.pieces.rows["row"][layout.pieces]
    term_counts = records.pieces.rows["term_count"][layout.pieces].astype(np.float32)
    paged = table["role"][documents] == records.codes.find(DOCUMENT_ROLE)
    return Arrangement(
        layout=layout,
        terms=terms,
        statistics=statistics,
        windows=windows,
        rows=rows,
        window_norms=_window_norms(windows, vectors, rows),
        embedded=table["embedded"][documents],
        embedded_pieces=rows != NO_ROW,
        saturation=Saturation(term_counts),
        window_saturation=Saturation(windows.sums(term_counts)),
        owners=np.repeat(np.arange(layout.size, dtype=np.int32), layout.counts),
        odds=np.where(paged, 0, np.sqrt(2 * np.log(layout.counts))).astype(np.float32),
        paged=paged,
        lengths=standardised(np.log1p(table["term_count"][documents]).astype(np.float32)),
        questions=table["question"][documents],
    )


def _window_norms(windows: Windows, vectors: VectorRows, rows: RowNumbers) -> Floats | None:
    if not windows.radius:
        return None
    return np.maximum(windows.norms(vectors, rows), np.float32(NORM_MIN))
