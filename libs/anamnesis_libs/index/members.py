"""The documents of a scope in their order, column by column.

All that a scope's layout and statistics need of a document is copied here once. A scope to which
something comes gets the rows of that alone: the others stay as they are.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from anamnesis_libs.index.growing import put_in
from anamnesis_libs.index.ordering import Order
from anamnesis_libs.index.records import ALONE

Ints = NDArray[np.int32]
Keys = NDArray[np.int64]
Flags = NDArray[np.bool_]
Column = NDArray[np.generic]
Places = NDArray[np.int32] | NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Members:
    """A value of each document in every column; see `Records` for those of the same name."""

    slots: Ints
    session_key: Keys
    id_key: Keys
    first_piece: Ints
    pieces: Ints
    role: Ints
    name: Ints
    question: Flags
    embedded: Flags
    log_length: NDArray[np.float64]
    log_terms: NDArray[np.float32]

    def __len__(self) -> int:
        """The number of documents."""
        return len(self.slots)

    @property
    def turns(self) -> Flags:
        """True for what has a place in a session."""
        in_session: Flags = self.session_key != ALONE
        return in_session

    @property
    def judged(self) -> Flags:
        """True for what a scope is judged by: its turns where it has any, else all."""
        turns = self.turns
        return turns if turns.any() else np.ones(len(self), np.bool_)

    @property
    def columns(self) -> Iterator[Column]:
        """All columns, in their order."""
        return (getattr(self, column.name) for column in fields(self))

    def chosen(self, places: Places | Flags) -> "Members":
        """Some of the documents."""
        return _of_columns(column[places] for column in self.columns)

    def grown(self, places: Places, others: "Members") -> "Members":
        """These documents with others put in, each before the one at a place."""
        at = places.tolist()
        pairs = zip(self.columns, others.columns, strict=True)
        return _of_columns(put_in(mine, at, theirs) for mine, theirs in pairs)

    def with_vectors(self, places: Places, embedded: Flags) -> "Members":
        """The same documents, of which some have vectors now, or have not."""
        flags = self.embedded.copy()
        flags[places] = embedded
        return replace(self, embedded=flags)


def members_of(table: NDArray[np.void], documents: Order) -> Members:
    """The members that documents are, in the order given."""
    held = table[documents]
    return Members(
        slots=documents,
        session_key=held["session_key"].copy(),
        id_key=held["id_key"].copy(),
        first_piece=held["first_piece"].copy(),
        pieces=held["pieces"].copy(),
        role=held["role"].copy(),
        name=held["name"].copy(),
        question=held["question"].copy(),
        embedded=held["embedded"].copy(),
        log_length=np.log(np.maximum(held["length"], 1), dtype=np.float64),
        log_terms=np.log1p(held["term_count"]).astype(np.float32),
    )


def _of_columns(columns: Iterable[Column]) -> Members:
    return Members(*columns)  # type: ignore[arg-type]  # each is of its column's type
