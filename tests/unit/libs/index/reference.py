"""The recipe written out plainly, in loops and doubles, to compare the index with."""

import math
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from anamnesis_libs.chunking import split
from anamnesis_libs.index.analysis import date_tokens, found_by, has_cjk, is_question, tokens
from anamnesis_libs.index.port import Document, Query, SearchScope
from anamnesis_libs.index.records import digest
from anamnesis_libs.zones import day_on_clock

DIMENSION = 8


@dataclass
class Piece:
    """One text of a document; `vector` None where there is none."""

    document: int
    counts: Counter[str]
    vector: np.ndarray | None


@dataclass
class Expected:
    """What the recipe gives one document."""

    text: float
    text_window: float
    dense: float
    dense_window: float
    length: float
    is_question: bool
    answered: float
    cosine: float
    terms: set[str]


def visible(document: Document, scope: SearchScope) -> bool:
    owners = {
        "shared": True,
        "private_to_agent": bool(scope.caller_agent) and scope.caller_agent == document.agent_id,
        "private_to_user": bool(scope.caller_user)
        and scope.caller_user in document.user_id.split("␟"),
    }
    return owners[document.visibility]


def holds(document: Document, time_us: int) -> bool:
    begun = document.valid_from_us is None or document.valid_from_us <= time_us
    return begun and (document.valid_to_us is None or time_us < document.valid_to_us)


def takes_part(document: Document, scope: SearchScope) -> bool:
    time = document.event_time_us
    folded_tags = {tag.casefold() for tag in document.tags}
    folded_entities = {entity.casefold() for entity in document.entities}
    return all(
        [
            visible(document, scope),
            scope.include_archived or not document.archived,
            not scope.kinds or document.kind in scope.kinds,
            not scope.categories or document.category in scope.categories,
            not scope.tags or folded_tags & {tag.casefold() for tag in scope.tags},
            not scope.entities or folded_entities & {e.casefold() for e in scope.entities},
            not scope.agent_id or document.agent_id == scope.agent_id,
            not scope.user_id or scope.user_id in document.user_id.split("␟"),
            not scope.session_ids or document.session_id in scope.session_ids,
            not scope.origins or document.origin in scope.origins,
            scope.start_time_us is None or (time is not None and time >= scope.start_time_us),
            scope.end_time_us is None or (time is not None and time < scope.end_time_us),
            document.importance >= scope.min_importance,
            scope.as_of_us is None or holds(document, scope.as_of_us),
        ]
    )


def sessions(documents: list[Document]) -> list[list[int]]:
    """Numbers of the documents of each session in order; those that stand alone, alone."""
    held: dict[object, list[int]] = {}
    for number, document in enumerate(documents):
        in_session = bool(document.session_id) and document.position is not None
        held.setdefault(document.session_id if in_session else number, []).append(number)

    def place(number: int) -> tuple[int, int, int]:
        document = documents[number]
        return document.position or 0, document.create_time_us, digest(document.memory_id)

    return [sorted(numbers, key=place) for numbers in held.values()]


def pieces_of(number: int, document: Document) -> list[Piece]:
    shared = found_by(document.name)
    if document.event_time_us is not None:
        day = day_on_clock(document.event_time_us, document.utc_offset_minutes)
        shared += date_tokens(day, cjk=has_cjk(document.text))
    said = {*shared, *(term for text in split(document.text) for term in tokens(text))}
    about = [tag[3:] for tag in document.tags if tag[:1] == "@" and tag[2:3] == ":"]
    shared += sorted({term for text in about for term in tokens(text)} - said)
    vectors = document.vectors
    return [
        Piece(number, Counter(found_by(text) + shared), None if vectors is None else vectors[place])
        for place, text in enumerate(split(document.text))
    ]


def standardised(values: list[float | None]) -> list[float]:
    known = [value for value in values if value is not None]
    deviation = float(np.std(known)) if known else 0.0
    if deviation < 1e-6:
        return [0.0] * len(values)
    mean = float(np.mean(known))
    return [0.0 if value is None else (value - mean) / deviation for value in values]


def bm25(query: list[str], texts: list[Counter[str]], windows: list[Counter[str]]) -> list[float]:
    """BM25 of each window; frequencies of terms are those in the texts."""
    mean = max(sum(window.total() for window in windows) / len(windows), 1e-6)
    scores = []
    for window in windows:
        score = 0.0
        for term in dict.fromkeys(query):
            df = sum(term in text for text in texts)
            idf = math.log(1 + (len(texts) - df + 0.5) / (df + 0.5))
            norm = 0.9 * (1 - 0.75 + 0.75 * window.total() / mean)
            score += idf * window[term] * 1.9 / (window[term] + norm)
        scores.append(score)
    return scores


def best(values: list[float | None], pieces: list[Piece], documents: int) -> list[float | None]:
    known = [value for value in values if value is not None]
    deviation = float(np.std(known)) if known else 0.0
    result: list[float | None] = []
    for number in range(documents):
        own = [v for v, p in zip(values, pieces, strict=True) if p.document == number]
        if own[0] is None:
            result.append(None)
        else:
            luck = 0.5 * deviation * math.sqrt(2 * math.log(len(own)))
            result.append(max(v for v in own if v is not None) - luck)
    return result


def window_pieces(documents: list[Document], pieces: list[Piece], radius: int) -> list[list[Piece]]:
    found: list[list[Piece]] = [[] for _ in pieces]
    for numbers in sessions(documents):
        run = [i for n in numbers for i, piece in enumerate(pieces) if piece.document == n]
        for place, index in enumerate(run):
            near = run[max(place - radius, 0) : place + radius + 1]
            found[index] = [pieces[i] for i in near]
    return found


def cosine(vector: np.ndarray, pieces: list[Piece]) -> float:
    total = sum(piece.vector.astype(float) for piece in pieces if piece.vector is not None)
    return float(total @ vector / max(float(np.linalg.norm(total)), 1e-6))


def score(documents: list[Document], query: Query, radius: int) -> dict[str, Expected]:
    """What a query should give every document that takes part, by id."""
    held = [document for document in documents if takes_part(document, query.scope)]
    pieces = [piece for number, d in enumerate(held) for piece in pieces_of(number, d)]
    if not pieces:
        return {}
    near = window_pieces(held, pieces, radius)
    asked = tokens(query.text)
    texts = [piece.counts for piece in pieces]
    windows = [sum((piece.counts for piece in window), Counter[str]()) for window in near]
    text = standardised(best(list(bm25(asked, texts, texts)), pieces, len(held)))
    text_window = standardised(best(list(bm25(asked, texts, windows)), pieces, len(held)))
    raw: list[float | None] = [None] * len(pieces)
    windowed: list[float | None] = [None] * len(pieces)
    if query.vector is not None:
        for place, piece in enumerate(pieces):
            if piece.vector is not None:
                raw[place] = float(piece.vector.astype(float) @ query.vector)
                windowed[place] = cosine(query.vector, near[place]) if radius else raw[place]
    dense = standardised(best(raw, pieces, len(held)))
    dense_window = standardised(best(windowed, pieces, len(held)))
    counts = [sum(len(found_by(part)) for part in split(d.text)) for d in held]
    lengths = standardised([math.log1p(count) for count in counts])
    before = {b: a for numbers in sessions(held) for a, b in pairwise(numbers)}
    result = {}
    for number, document in enumerate(held):
        own = [place for place, piece in enumerate(pieces) if piece.document == number]
        asker = before.get(number)
        answered = 0.0
        if asker is not None and is_question(held[asker].text):
            fit = query.weights.text * text[asker] + query.weights.dense * dense[asker]
            answered = max(0.0, fit)
        result[document.memory_id] = Expected(
            text[number],
            text_window[number],
            dense[number],
            dense_window[number],
            lengths[number],
            is_question(document.text),
            answered,
            max(raw[place] or 0.0 for place in own) if raw[own[0]] is not None else 0.0,
            {term for place in own for term in asked if texts[place][term]},
        )
    return result
