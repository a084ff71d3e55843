"""The answer to a query: the best documents with all that speaks for them."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from anamnesis_libs.index.arrangement import Arrangement
from anamnesis_libs.index.features import Features, Occurrences
from anamnesis_libs.index.port import (
    AskedTokens,
    ConversationKind,
    FeatureWeights,
    Happened,
    Hit,
    Query,
    ScoredHits,
    Standing,
)
from anamnesis_libs.index.ranking import choose_best
from anamnesis_libs.index.records import ALONE, Records, spans
from anamnesis_libs.index.token_codes import NOT_COMPARED, agreement, without_names

Chosen = NDArray[np.intp]
Mask = NDArray[np.bool_]


def found(
    records: Records,
    scope: Arrangement,
    terms: Sequence[Occurrences],
    features: Features,
    query: Query,
) -> ScoredHits:
    """The best `query.limit` of the scope, best first; then what stands, what happened, what ended.

    What had ended is left out here and not in the scope: each question has a time of its own, and
    what is worked out for a scope is kept.
    """
    scores = features.weighed(query.weights)
    slots = scope.layout.documents
    ended = _ended(records, slots, query.open_at_us)
    open_ones = _shown(scope, ~ended)
    parts = (
        (open_ones, query.limit),
        *((_standing(records, slots, ended, one), one.limit) for one in query.standing),
        (_shown(scope, happened_in(records, slots, query.happened)), query.happened.limit),
        (_shown(scope, ended), query.ended_max),
    )
    if query.newest_first:
        chosen_of = partial(_newest, records, slots)
    else:
        chosen_of = partial(_best, records, slots, scores)
    best = [place for places, limit in parts for place in chosen_of(places, limit)]
    chosen = np.array(list(dict.fromkeys(best)), np.intp)
    columns = [
        scores[chosen].tolist(),
        *_merits(scope, terms, features, chosen, query.weights),
        *_facts(records, slots[chosen]),
        *_surroundings(records, scope, features, chosen),
        _token_matches(records, scope, features, chosen, query.tokens),
        ended[chosen].tolist(),
    ]
    ids = [records.ids[slot] for slot in slots[chosen].tolist()]
    statistics = replace(scope.statistics, term_weights=tuple(term.weight for term in terms))
    hits = list(map(Hit._make, zip(ids, *columns, strict=True)))
    return ScoredHits(hits, statistics)


def _token_matches(
    records: Records,
    scope: Arrangement,
    features: Features,
    chosen: Chosen,
    asked: AskedTokens | None,
) -> list[float]:
    """The agreement of the tokens asked for with each one's nearest piece, or NOT_COMPARED.

    They are compared in talk alone: elsewhere they gave nothing (docs/adr/009-tokens.md).
    """
    matches = np.full(len(chosen), NOT_COMPARED, np.float32)
    if asked is None or scope.statistics.kind is ConversationKind.PLAIN:
        return matches.tolist()
    wanted = without_names(asked, scope.statistics.names)
    if not len(wanted):
        return matches.tolist()
    layout = scope.layout
    firsts, counts = layout.firsts[chosen].tolist(), layout.counts[chosen].tolist()
    nearest = [_nearest_piece(features, *span) for span in zip(firsts, counts, strict=True)]
    held = records.table.rows["first_piece"][layout.documents[chosen]] + np.array(nearest, np.int32)
    pieces = records.pieces.rows[held]
    told = np.flatnonzero(pieces["tokens"])
    if len(told):
        of_pieces = pieces["tokens"][told]
        codes = records.tokens.codes[spans(pieces["first_token"][told], of_pieces)]
        matches[told] = agreement(wanted, codes, of_pieces)
    return matches.tolist()


def _shown(scope: Arrangement, wanted: Mask) -> Chosen:
    """The places that are wanted, without those that are here for their neighbours' sake."""
    return np.flatnonzero(wanted if scope.shares is None else wanted & (scope.shares > 0))


def _ended(records: Records, slots: NDArray[np.int32], open_at_us: int | None) -> Mask:
    """True for each slot that had ended; none if no time is asked for."""
    if open_at_us is None:
        return np.zeros(len(slots), np.bool_)
    over: Mask = records.table.rows["valid_to_us"][slots] <= open_at_us
    return over


def _best(
    records: Records,
    documents: NDArray[np.int32],
    scores: NDArray[np.float64],
    places: Chosen,
    limit: int,
) -> list[int]:
    """The places of the highest scores, best first."""
    if not limit or not len(places):
        return []
    stored_us = records.table.rows["create_time_us"]
    best = choose_best(
        scores[places],
        lambda some: stored_us[documents[places[some]]],
        lambda at: records.ids[documents[places[at]]],
        limit,
    )
    chosen: list[int] = places[best].tolist()
    return chosen


def _newest(
    records: Records, documents: NDArray[np.int32], places: Chosen, limit: int
) -> list[int]:
    """The places of the newest documents, the newest first; of one time, the last of a session."""
    held = records.table.rows[documents[places]]
    stored_us = held["create_time_us"]
    moments_us = np.where(held["dated"], held["event_time_us"], stored_us)
    order = np.lexsort((held["id_key"], held["position"], stored_us, moments_us))
    return [int(place) for place in places[order[::-1][:limit]]]


def _standing(
    records: Records, slots: NDArray[np.int32], ended: Mask, standing: Standing
) -> Chosen:
    """The places of the categories that stand whatever their score, of what had not ended."""
    if not standing.limit:
        return np.zeros(0, np.intp)
    wanted = records.codes.find_all(standing.categories)
    return np.flatnonzero(np.isin(records.table.rows["category"][slots], wanted) & ~ended)


def happened_in(records: Records, slots: NDArray[np.int32], time: Happened) -> Mask:
    """True for each slot that happened within a time, whatever its score."""
    if not time.limit:
        return np.zeros(len(slots), np.bool_)
    held = records.table.rows
    moments_us = held["event_time_us"][slots]
    within: Mask = (time.since_us <= moments_us) & (moments_us < time.until_us)
    return held["dated"][slots] & within


def _merits(
    scope: Arrangement,
    terms: Sequence[Occurrences],
    features: Features,
    chosen: Chosen,
    weights: FeatureWeights,
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
    happened = zip(
        table["dated"][slots].tolist(), table["event_time_us"][slots].tolist(), strict=True
    )
    placed = zip(
        table["session_key"][slots].tolist(), table["position"][slots].tolist(), strict=True
    )
    return [
        *coded,
        table["importance"][slots].tolist(),
        [time_us if dated else None for dated, time_us in happened],
        table["create_time_us"][slots].tolist(),
        [position if session != ALONE else None for session, position in placed],
    ]


def _surroundings(
    records: Records, scope: Arrangement, features: Features, chosen: Chosen
) -> list[list[object]]:
    """The fields of a Hit from `category` to `piece_cosines`, a column each, in its order.

    The cosines of pieces are those of a page's passage; of others, and without a vector, none.
    """
    layout, table = scope.layout, records.table.rows
    categories = table["category"][layout.documents[chosen]].tolist()
    before = layout.previous[chosen].tolist()
    firsts, counts = layout.firsts[chosen].tolist(), layout.counts[chosen].tolist()
    compared = (scope.paged & (features.cosine != 0))[chosen].tolist()
    return [
        [records.codes.texts[code] for code in categories],
        [records.ids[layout.documents[place]] if place >= 0 else "" for place in before],
        [_nearest_piece(features, *span) for span in zip(firsts, counts, strict=True)],
        [
            tuple(features.pieces[first : first + count].tolist()) if told else ()
            for first, count, told in zip(firsts, counts, compared, strict=True)
        ],
    ]


def _nearest_piece(features: Features, first: int, count: int) -> int:
    """The number of the piece with the best cosine; 0 where there is one piece or no vector."""
    return int(np.argmax(features.pieces[first : first + count])) if count > 1 else 0


def _answered(
    scope: Arrangement, features: Features, chosen: Chosen, weights: FeatureWeights
) -> NDArray[np.float64]:
    """The fit of the question that each document answers; 0 if it follows none."""
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
