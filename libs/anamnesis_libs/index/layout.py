"""A scope laid out: its documents in canonical order, their pieces, where sessions end."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anamnesis_libs.index.growing import put_in
from anamnesis_libs.index.members import Members
from anamnesis_libs.index.ordering import Order
from anamnesis_libs.index.records import ALONE, spans

Places = NDArray[np.int32]
Chosen = NDArray[np.int32] | NDArray[np.int64]
Follows = NDArray[np.bool_]


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


def lay_out(members: Members, beside: Follows | None = None) -> Layout:
    """The layout of documents, which are in canonical order.

    Where some are left out, `beside` is True for each that still has the one before it.
    """
    follows = _follows(members.session_key)
    if beside is not None:
        follows &= beside
    return _laid_out(members, spans(members.first_piece, members.pieces), follows)


def grown(old: Layout, members: Members, new: Chosen) -> Layout:
    """The layout after documents have come to it, which are at the places `new`."""
    came = new - np.arange(len(new))
    ends = old.firsts[came - 1] + old.counts[came - 1]
    counts = members.pieces[new]
    at = np.repeat(np.where(came > 0, ends, 0), counts)
    pieces = put_in(old.pieces, at.tolist(), spans(members.first_piece[new], counts))
    return _laid_out(members, pieces, _follows(members.session_key))


def _laid_out(members: Members, pieces: NDArray[np.int32], follows: Follows) -> Layout:
    counts = members.pieces
    places = np.arange(len(members), dtype=np.int32)
    single = len(pieces) == len(members)
    runs = np.cumsum(~follows, dtype=np.int32)
    return Layout(
        documents=members.slots,
        pieces=pieces,
        firsts=places if single else np.cumsum(counts, dtype=np.int32) - counts,
        counts=counts,
        runs=runs if single else np.repeat(runs, counts),
        previous=np.where(follows, places - 1, np.int32(-1)),
    )


def _follows(session_keys: NDArray[np.int64]) -> Follows:
    """True for each document that has one before it in its session."""
    follows = np.zeros(len(session_keys), np.bool_)
    follows[1:] = (session_keys[1:] == session_keys[:-1]) & (session_keys[1:] != ALONE)
    return follows
