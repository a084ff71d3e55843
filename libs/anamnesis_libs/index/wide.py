"""The part of a large scope that a query is answered from: candidates, and a sample of the rest.

Candidates are what is near by vector and by words, with those beside them in their sessions. Means
and deviations are those of a stratified sample: each candidate stands for itself, each document of
a sample of the others for its share of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from anamnesis_libs.index.arrangement import Arrangement
from anamnesis_libs.index.features import Occurrences
from anamnesis_libs.index.layout import narrowed
from anamnesis_libs.index.port import NearRows, Query
from anamnesis_libs.index.records import Records, spans
from anamnesis_libs.index.results import happened_in
from anamnesis_libs.index.vectors import NO_ROW
from anamnesis_libs.index.windows import Windows

Mask = NDArray[np.bool_]
Chosen = NDArray[np.int32]

NEAR_ROWS_MAX = 600
TEXT_PIECES_MAX = 600
OCCURRENCES_MAX = 300_000
"""Pieces are chosen by words from the rarest on until those occur so often: others add little."""
HAPPENED_MAX = 600
SAMPLED_MAX = 4096
_RUN = 16
"""The sample is drawn in runs of neighbours, which share their windows."""


@dataclass(frozen=True, slots=True, eq=False)
class WideSearch:
    """Finds the part of one large scope that a query is answered from."""

    scope: Arrangement
    records: Records
    near: NearRows

    def part(
        self, query: Query, terms: Sequence[Occurrences]
    ) -> tuple[Arrangement, list[Occurrences]]:
        """The part as a scope whose scores are those of the whole; the terms' places in it."""
        size = self.scope.layout.size
        reach = max(self.scope.windows.radius, 1)
        candidates = np.zeros(size, np.bool_)
        candidates[self._standing(query)] = True
        candidates[self._happened(query)] = True
        candidates[self._near(query)] = True
        candidates[self._worded(terms)] = True
        candidates = _widened(candidates, reach)
        sampled = _sampled(size)
        others = sampled[~candidates[sampled]]
        shown = candidates.copy()
        shown[others] = True
        places = np.flatnonzero(_widened(shown, reach)).astype(np.int32)
        shares = candidates.astype(np.float32)
        left_out = size - int(np.count_nonzero(candidates))
        shares[others] = left_out / max(len(others), 1)
        return self._narrowed(places, shares[places], terms)

    def _near(self, query: Query) -> Chosen:
        """The documents of the nearest rows."""
        placed = self.scope.row_places
        if query.vector is None or placed is None:
            return np.zeros(0, np.int32)
        rows = self.near.find(query.vector, placed.among, placed.share, NEAR_ROWS_MAX)
        return self._documents(placed.places[rows])

    def _worded(self, terms: Sequence[Occurrences]) -> Chosen:
        """The documents whose words fit best, as far as rare words tell."""
        total = np.zeros(len(self.scope.rows), np.float32)
        occurred: list[Chosen] = []
        room = OCCURRENCES_MAX
        for term in sorted(terms, key=lambda one: len(one.places)):
            room -= len(term.places)
            if occurred and room < 0:
                break
            saturated = self.scope.saturation.at(term.places, term.counts)
            total[term.places] += np.float32(term.weight) * saturated
            occurred.append(term.places)
        if not occurred:
            return np.zeros(0, np.int32)
        touched = np.concatenate(occurred)
        if len(touched) > TEXT_PIECES_MAX:
            best = np.argpartition(total[touched], -TEXT_PIECES_MAX)[-TEXT_PIECES_MAX:]
            touched = touched[best]
        return self._documents(touched)

    def _standing(self, query: Query) -> Chosen:
        """Documents that are answered whatever their score."""
        asked_for = [one for part in query.standing if part.limit for one in part.categories]
        if not asked_for:
            return np.zeros(0, np.int32)
        wanted = self.records.codes.find_all(asked_for)
        held = self.records.table.rows["category"][self.scope.layout.documents]
        return np.flatnonzero(np.isin(held, wanted)).astype(np.int32)

    def _happened(self, query: Query) -> Chosen:
        """Documents of a time that are answered whatever their score; of many, some evenly."""
        documents = self.scope.layout.documents
        within = np.flatnonzero(happened_in(self.records, documents, query.happened))
        step = len(within) // HAPPENED_MAX + 1
        return within[::step].astype(np.int32)

    def _documents(self, pieces: Chosen) -> Chosen:
        return self.scope.owners[pieces[pieces >= 0]]

    def _narrowed(
        self, places: Chosen, shares: NDArray[np.float32], terms: Sequence[Occurrences]
    ) -> tuple[Arrangement, list[Occurrences]]:
        scope = self.scope
        pieces = spans(scope.layout.firsts[places], scope.layout.counts[places])
        layout = narrowed(scope.layout, places, pieces)
        norms = scope.window_norms
        part = replace(
            scope,
            layout=layout,
            windows=Windows(scope.windows.radius, layout.runs),
            rows=scope.rows[pieces],
            window_norms=None if norms is None else norms[pieces],
            embedded=scope.embedded[places],
            embedded_pieces=scope.rows[pieces] != NO_ROW,
            saturation=scope.saturation.chosen(pieces),
            window_saturation=scope.window_saturation.chosen(pieces),
            owners=np.repeat(np.arange(layout.size, dtype=np.int32), layout.counts),
            odds=scope.odds[places],
            paged=scope.paged[places],
            lengths=scope.lengths[places],
            questions=scope.questions[places],
            shares=shares,
        )
        return part, _within(terms, pieces, len(scope.rows))


def _within(terms: Sequence[Occurrences], pieces: Chosen, held: int) -> list[Occurrences]:
    """The terms as they occur in some pieces; their weights stay those of the whole."""
    place_of = np.full(held, -1, np.int32)
    place_of[pieces] = np.arange(len(pieces), dtype=np.int32)
    found = []
    for term in terms:
        places = place_of[term.places]
        inside = places >= 0
        found.append(replace(term, places=places[inside], counts=term.counts[inside]))
    return found


def _widened(chosen: Mask, reach: int) -> Mask:
    """With as many neighbours on each side."""
    wide = chosen.copy()
    for lag in range(1, reach + 1):
        wide[lag:] |= chosen[:-lag]
        wide[:-lag] |= chosen[lag:]
    return wide


def _sampled(size: int) -> Chosen:
    """Runs of places at even distances: in canonical order sessions stand as if drawn."""
    runs = min(SAMPLED_MAX, size) // _RUN
    starts: Chosen = np.repeat(np.linspace(0, size - _RUN, runs).astype(np.int32), _RUN)
    steps: Chosen = np.tile(np.arange(_RUN, dtype=np.int32), runs)
    return starts + steps
