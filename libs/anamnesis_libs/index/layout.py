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


def lay_out(members: Members) -> Layout:
    """The layout of documents, which are in canonical order."""
    pieces = spans(members.first_piece, members.pieces)
    return _laid_out(members.slots, members.pieces, pieces, _follows(members.session_key))


def grown(old: Layout, members: Members, new: Chosen) -> Layout:
    """The layout after documents have come to it, which are at the places `new`."""
    came = new - np.arange(len(new))
    ends = old.firsts[came - 1] + old.counts[came - 1]
    counts = members.pieces[new]
    at = np.repeat(np.where(came > 0, ends, 0), counts)
    pieces = put_in(old.pieces, at.tolist(), spans(members.first_piece[new], counts))
    return _laid_out(members.slots, members.pieces, pieces, _follows(members.session_key))


def narrowed(whole: Layout, places: Chosen, pieces: Chosen) -> Layout:
    """The layout of some documents alone; who is not beside another there is not so here."""
    follows = (whole.previous[places] >= 0) & (np.diff(places, prepend=-2) == 1)
    return _laid_out(whole.documents[places], whole.counts[places], whole.pieces[pieces], follows)


def _laid_out(
    documents: Order, counts: Places, pieces: NDArray[np.int32], follows: Follows
) -> Layout:
    places = np.arange(len(documents), dtype=np.int32)
    single = len(pieces) == len(documents)
    runs = np.cumsum(~follows, dtype=np.int32)
    return Layout(
        documents=documents,
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
