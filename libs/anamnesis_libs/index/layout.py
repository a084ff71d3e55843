"""A scope laid out: its documents in canonical order, their pieces, where sessions end."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anamnesis_libs.index.ordering import Order
from anamnesis_libs.index.records import ALONE, Records, spans

Places = NDArray[np.int32]
Chosen = NDArray[np.int32] | NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Places count from 0 inside the scope, for documents and for pieces alike.

    `documents` and `pieces` hold slots by place; `firsts` and `counts` the place of each
    document's first piece and how many it has; `runs` the session number of each piece;
    `previous` the place of the document before in the session, or -1.
    """

    documents: Order
    pieces: NDArray[np.int32]
    firsts: Places
    counts: Places
    runs: NDArray[np.int32]
    previous: Places

    @property
    def size(self) -> int:
        """Documents that take part."""
        return len(self.documents)

    def pieces_of(self, chosen: Chosen) -> tuple[NDArray[np.int32], Places]:
        """Slots of the pieces of some documents, and where each document's begin."""
        counts = self.counts[chosen]
        places = spans(self.firsts[chosen], counts)
        return self.pieces[places], np.cumsum(counts) - counts


def lay_out(records: Records, documents: Order) -> Layout:
    """The layout of documents, which are in canonical order."""
    table = records.table.rows
    counts = table["pieces"][documents]
    pieces = spans(table["first_piece"][documents], counts)
    follows = _follows(table["session_key"][documents])
    places = np.arange(len(documents), dtype=np.int32)
    return Layout(
        documents=documents,
        pieces=pieces,
        firsts=(np.cumsum(counts) - counts).astype(np.int32),
        counts=counts,
        runs=np.repeat(np.cumsum(~follows, dtype=np.int32), counts),
        previous=np.where(follows, places - 1, -1).astype(np.int32),
    )


def _follows(session_keys: NDArray[np.int64]) -> NDArray[np.bool_]:
    """True for each document that has one before it in its session."""
    follows = np.zeros(len(session_keys), np.bool_)
    follows[1:] = (session_keys[1:] == session_keys[:-1]) & (session_keys[1:] != ALONE)
    return follows
