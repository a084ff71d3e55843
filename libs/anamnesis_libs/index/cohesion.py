"""Cohesion of a scope: how much more alike neighbours in a session are than strangers.

Measured on up to 4,000 documents with vectors, those with the lowest digests of their ids: each
with the one before it in its session, against pairs of those drawn. What comes to a scope puts
itself between two of them and whatever else is drawn stays as it is, so the cosines are kept, and
of a document that comes only its own are made.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from anamnesis_libs.index.growing import put_in
from anamnesis_libs.index.layout import Chosen, Layout
from anamnesis_libs.index.members import Members
from anamnesis_libs.index.port import Rows
from anamnesis_libs.index.records import Records, spans
from anamnesis_libs.index.vectors import STRANGER, VectorRows

Cosines = NDArray[np.float64]

DRAWN_MAX = 4000
STRANGERS_ENOUGH = 1000
"""Of so many documents each is compared with one other, and that is remembered."""

_PAIRS_MIN = 2
_SPREAD_MIN = 1e-6


@dataclass(frozen=True, slots=True)
class Messages:
    """The vectors of whole documents, by slot: of several pieces their sum, at unit length."""

    records: Records
    vectors: VectorRows

    def remembered(self, left: Chosen, right: Chosen, lag: int) -> Cosines:
        """The cosines of pairs; those of documents of one piece are remembered under `lag`."""
        table = self.records.table.rows
        counts, firsts = table["pieces"], table["first_piece"]
        short = (counts[left] == 1) & (counts[right] == 1)
        rows = self.records.pieces.rows["row"]
        cosines = np.empty(len(left), np.float64)
        cosines[short] = self.vectors.neighbour_products(
            rows[firsts[left[short]]], rows[firsts[right[short]]], lag
        )
        cosines[~short] = self.cosines(left[~short], right[~short])
        return cosines

    def cosines(self, left: Chosen, right: Chosen) -> NDArray[np.float32]:
        """The cosines of pairs."""
        products: NDArray[np.float32] = np.vecdot(self.of(left), self.of(right))
        return products

    def of(self, slots: Chosen) -> Rows:
        """The vector of each document."""
        table = self.records.table.rows
        counts = table["pieces"][slots]
        pieces = spans(table["first_piece"][slots], counts)
        held = self.vectors.at(self.records.pieces.rows["row"][pieces])
        if len(pieces) == len(slots):
            return held
        firsts = np.cumsum(counts) - counts
        whole: Rows = held[firsts]
        several = counts > 1
        sums: Rows = np.add.reduceat(held, firsts, axis=0)[several]
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        whole[several] = sums / np.maximum(lengths, np.float32(_SPREAD_MIN))
        return whole


@dataclass(frozen=True, slots=True, eq=False)
class Likeness:
    """The cosines of those drawn, in the order of their keys.

    `neighbours` has one for each, with the document before it, and is not a number where there is
    none with a vector. `strangers` has a row for each distance from 1: of each with the one so
    many further on.
    """

    keys: NDArray[np.int64]
    slots: NDArray[np.int32]
    neighbours: Cosines
    strangers: Sequence[Cosines]

    @property
    def cohesion(self) -> float | None:
        """The deviations by which neighbours are more alike than strangers; None if unknown."""
        neighbours = self.neighbours[~np.isnan(self.neighbours)]
        strangers = np.concatenate([np.zeros(0), *self.strangers])
        if min(len(strangers), len(neighbours)) < _PAIRS_MIN:
            return None
        spread = strangers.std()
        if spread < _SPREAD_MIN:
            return None
        return float((neighbours.mean() - strangers.mean()) / spread)

    def renewed(
        self, messages: Messages, members: Members, layout: Layout, place: int
    ) -> "Likeness | None":
        """The likeness after the document at a place has come, has got its vectors or a neighbour.

        None: there are now more distances than were measured, and all is to be measured anew.
        """
        if not members.embedded[place]:
            return self
        key, before = members.id_key[place], layout.previous[place]
        paired = before >= 0 and members.embedded[before]
        beside = layout.documents[before : before + 1] if paired else layout.documents[:0]
        at = int(self.keys.searchsorted(key))
        if at < len(self.keys) and self.keys[at] == key:
            neighbours = self.neighbours.copy()
            own = messages.cosines(beside, layout.documents[[place]]) if paired else [np.nan]
            (neighbours[at],) = own
            return replace(self, neighbours=neighbours)
        if at == DRAWN_MAX:
            return self
        slots = put_in(self.slots, [at], members.slots[place : place + 1])
        return self._with(messages, slots, at, key, beside)

    def _with(
        self,
        messages: Messages,
        slots: NDArray[np.int32],
        at: int,
        key: np.int64,
        beside: NDArray[np.int32],
    ) -> "Likeness | None":
        """The likeness with one more that is drawn, at `at`; of too many the last goes.

        `beside` is the document before it in its session, if it has vectors.
        """
        distances = _distances(len(slots))
        if distances > len(self.strangers):
            return None
        first = max(at - distances, 0)
        others = np.concatenate([slots[first : at + distances + 1], beside])
        own = messages.cosines(np.full_like(others, slots[at]), others).astype(np.float64)
        cosine = own[-1:] if len(beside) else np.full(1, np.nan)
        own = own[: len(own) - len(beside)]
        rows = (self._row(own, at - first, at, distance) for distance in range(1, distances + 1))
        return Likeness(
            keys=put_in(self.keys, [at], np.full(1, key))[:DRAWN_MAX],
            slots=slots[:DRAWN_MAX],
            neighbours=put_in(self.neighbours, [at], cosine)[:DRAWN_MAX],
            strangers=[row[: DRAWN_MAX - distance] for distance, row in enumerate(rows, 1)],
        )

    def _row(self, own: Cosines, middle: int, at: int, distance: int) -> Cosines:
        """The cosines at a distance after a document has come in at `at`.

        Those that it now stands between were one nearer to each other. `own` are its cosines with
        those around it, itself in the `middle`.
        """
        held = self.strangers[distance - 1]
        nearer = self.strangers[distance - 2][max(at - distance + 1, 0) : at]
        before = middle - distance
        return np.concatenate(
            [
                held[: max(at - distance, 0)],
                own[before : before + 1] if before >= 0 else held[:0],
                nearer if distance > 1 else held[:0],
                own[middle + distance :][:1],
                held[at:],
            ]
        )


def measured(messages: Messages, members: Members, layout: Layout) -> Likeness:
    """The likeness of those drawn of the documents by which the scope is judged."""
    embedded = members.embedded
    drawn = _drawn(members, np.flatnonzero(members.judged & embedded))
    slots, before = layout.documents[drawn], layout.previous[drawn]
    paired = (before >= 0) & embedded[before]
    neighbours = np.full(len(drawn), np.nan)
    beside = layout.documents[before[paired]]
    neighbours[paired] = messages.remembered(beside, slots[paired], 1)
    return Likeness(members.id_key[drawn], slots, neighbours, _strangers(messages, slots))


def _drawn(members: Members, places: NDArray[np.int64]) -> NDArray[np.int64]:
    """Up to 4,000 of some places, in the order of the digests of their ids."""
    keys = members.id_key[places]
    if len(places) > DRAWN_MAX:
        least = np.argpartition(keys, DRAWN_MAX)[:DRAWN_MAX]
        places, keys = places[least], keys[least]
    drawn: NDArray[np.int64] = places[np.argsort(keys, kind="stable")]
    return drawn


def _distances(drawn: int) -> int:
    """The number of distances at which strangers are compared: for 4,000 pairs, or all."""
    if drawn >= STRANGERS_ENOUGH:
        return 1
    return min(-(-DRAWN_MAX // drawn), drawn - 1) if drawn else 0


def _strangers(messages: Messages, slots: NDArray[np.int32]) -> list[Cosines]:
    if len(slots) >= STRANGERS_ENOUGH:
        return [messages.remembered(slots[:-1], slots[1:], STRANGER)]
    held = messages.of(slots)
    return [
        np.vecdot(held[distance:], held[:-distance]).astype(np.float64)
        for distance in range(1, _distances(len(slots)) + 1)
    ]
