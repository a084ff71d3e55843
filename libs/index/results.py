"""The answer to a query: the best documents with all that speaks for them."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from libs.index.arrangement import Arrangement
from libs.index.features import Features, Occurrences
from libs.index.port import Found, Hit, Query, Weights
from libs.index.ranking import choose_best
from libs.index.records import ALONE, Records

Chosen = NDArray[np.intp]


def found(
    records: Records,
    scope: Arrangement,
    terms: Sequence[Occurrences],
    features: Features,
    query: Query,
) -> Found:
    """The best `query.limit` of the scope, best first."""
    scores = features.weighed(query.weights)
    slots = scope.layout.documents
    times_us = records.table.rows["create_time_us"][slots]
    best = choose_best(scores, times_us, lambda place: records.ids[slots[place]], query.limit)
    chosen = np.array(best, np.intp)
    columns = [
        scores[chosen].tolist(),
        *_merits(scope, terms, features, chosen, query.weights),
        *_facts(records, slots[chosen]),
    ]
    ids = [records.ids[slot] for slot in slots[chosen].tolist()]
    statistics = replace(scope.statistics, term_weights=tuple(term.weight for term in terms))
    return Found(list(map(Hit, ids, *columns)), statistics)


def _merits(
    scope: Arrangement,
    terms: Sequence[Occurrences],
    features: Features,
    chosen: Chosen,
    weights: Weights,
) -> list[list[object]]:
    """The fields of a Hit from `text` to `matched_terms`, a column each, in its order."""
    return [
        features.text[chosen].tolist(),
        features.text_window[chosen].tolist(),
        features.dense[chosen].tolist(),
        features.dense_window[chosen].tolist(),
        scope.lengths[chosen].tolist(),
        scope.questions[chosen].tolist(),
        _answered(scope, features, chosen, weights).tolist(),
        features.cosine[chosen].tolist(),
        list(_matched(scope, terms, chosen)),
    ]


def _facts(records: Records, slots: NDArray[np.int32]) -> list[list[object]]:
    """The fields of a Hit from `kind` on, a column each, in its order."""
    table, texts = records.table.rows, records.codes.texts
    coded: list[list[object]] = [
        [texts[code] for code in table[field][slots].tolist()]
        for field in ("kind", "role", "name", "session_id")
    ]
    happened = zip(table["dated"][slots], table["event_time_us"][slots].tolist(), strict=True)
    placed = zip(table["session_key"][slots], table["position"][slots].tolist(), strict=True)
    return [
        *coded,
        table["importance"][slots].tolist(),
        [time_us if dated else None for dated, time_us in happened],
        table["create_time_us"][slots].tolist(),
        [position if session != ALONE else None for session, position in placed],
    ]


def _answered(
    scope: Arrangement, features: Features, chosen: Chosen, weights: Weights
) -> NDArray[np.float64]:
    """How well the question fits that each document answers, if it follows one; else 0."""
    before = scope.layout.previous[chosen]
    asked = (before >= 0) & scope.questions[before]
    fit = weights.text * features.text[before].astype(np.float64)
    fit += weights.dense * features.dense[before]
    return np.where(asked, np.maximum(fit, 0.0), 0.0)


def _matched(
    scope: Arrangement, terms: Sequence[Occurrences], chosen: Chosen
) -> list[tuple[int, ...]]:
    """The numbers of the terms that each document has itself, in any of its pieces."""
    has = np.zeros((scope.layout.size, len(terms)), np.bool_)
    for number, term in enumerate(terms):
        has[scope.owners[term.places], number] = True
    numbers = range(len(terms))
    return [tuple(compress(numbers, row)) for row in has[chosen].tolist()]
