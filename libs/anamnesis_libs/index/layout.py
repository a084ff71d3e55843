"""A scope laid out: its documents in canonical order, their pieces, where sessions end."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anamnesis_libs.index.members import Members
from anamnesis_libs.index.ordering import Order
from anamnesis_libs.index.records import ALONE, spans

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


def lay_out(members: Members, beside: NDArray[np.bool_] | None = None) -> Layout:
    """The layout of documents, which are in canonical order.

    Where some are left out, `beside` is True for each that still has the one before it.
    """
    counts = members.pieces
    follows = _follows(members.session_key)
    if beside is not None:
        follows &= beside
    places = np.arange(len(members), dtype=np.int32)
    return Layout(
        documents=members.slots,
        pieces=spans(members.first_piece, counts),
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
