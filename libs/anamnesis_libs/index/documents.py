"""A document as the index sees it: its terms and measures, and whether what is held agrees."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from anamnesis_libs import chunking as cutting
from anamnesis_libs.index import analysis
from anamnesis_libs.index.port import MISSING, Document
from anamnesis_libs.index.postings import Postings
from anamnesis_libs.index.records import ALONE, CODED, Measured, Records, session_key, validity
from anamnesis_libs.index.vectors import NO_ROW, VectorRows
from anamnesis_libs.zones import day_on_clock

LENGTH_TOLERANCE = 1e-6
"""Lengths are held as float32."""

_SAYING = re.compile(r"@[a-z]:(.+)", re.DOTALL)
"""A tag that says whom or what a text is about (`@p:Mara`), and so is matched as its words are."""

_Columns = NDArray[np.int32]
"""Slots, ascending, over how often each is listed; shape (2, occurrences)."""


def analysed(document: Document, pieces: Sequence[str]) -> tuple[list[list[str]], Measured]:
    """The terms of each piece, those all pieces share included, and what is measured.

    What tags say and the text does not is shared too: it is matched as if it had been said once.
    """
    cjk = analysis.has_cjk(document.text)
    shared = analysis.found_by(document.name)
    if document.event_time_us is not None:
        day = day_on_clock(document.event_time_us, document.utc_offset_minutes)
        shared += analysis.date_tokens(day, cjk=cjk)
    own = [analysis.found_by(piece) for piece in pieces]
    said = {term for terms in (shared, *own) for term in terms}
    shared += [term for term in _tag_terms(document.tags) if term not in said]
    measured = Measured(
        question=analysis.is_question(document.text),
        length=cutting.length(document.text),
        term_count=sum(map(len, own)),
        pieces=len(pieces),
    )
    return [terms + shared for terms in own], measured


def _tag_terms(tags: Iterable[str]) -> dict[str, None]:
    """The terms of tags that say something, each once, in order."""
    saying = filter(None, map(_SAYING.fullmatch, tags))
    return dict.fromkeys(term for tag in saying for term in analysis.tokens(tag[1]))


class Comparison:
    """Compares an index with its documents; lists that were read are kept for the next document."""

    def __init__(self, records: Records, terms: Postings, vectors: VectorRows) -> None:
        self._records = records
        self._terms = terms
        self._vectors = vectors
        self._lists: dict[str, _Columns] = {}

    def differences(self, document: Document) -> list[str]:
        """Fields in which what is held of a document is not what it says."""
        slot = self._records.slots.get(document.memory_id)
        if slot is None:
            return [MISSING]
        row = self._records.table.rows[slot]
        differing = [*self._coded(row, document), *_plain(row, document)]
        differing += self._labels(slot, document)
        if not self._same_text(row, document):
            differing.append("text")
        elif not self._same_vectors(slot, document):
            differing.append("vectors")
        return differing

    def _coded(self, row: np.void, document: Document) -> Iterator[str]:
        texts = self._records.codes.texts
        for field in CODED:
            if texts[row[field]] != getattr(document, field):
                yield field

    def _labels(self, slot: int, document: Document) -> Iterator[str]:
        for field, postings, labels in (
            ("tags", self._records.tags, document.tags),
            ("entities", self._records.entities, document.entities),
        ):
            lists = (_columns(postings.list_of(label.casefold())) for label in labels)
            if not all(_count(listed, slot) for listed in lists):
                yield field

    def _same_text(self, row: np.void, document: Document) -> bool:
        """True if the measures of the document and each of its terms are the same."""
        terms, measured = analysed(document, cutting.split(document.text, document.role))
        if int(row["pieces"]) != measured.pieces or not _same_measures(row, measured):
            return False
        first = int(row["first_piece"])
        return all(self._has(first + piece, held) for piece, held in enumerate(terms))

    def _has(self, piece: int, terms: Sequence[str]) -> bool:
        """True if a piece is listed under each of its terms as often as it has the term."""
        return all(
            _count(self._list_of(term), piece) == count for term, count in Counter(terms).items()
        )

    def _list_of(self, term: str) -> _Columns:
        if term not in self._lists:
            self._lists[term] = _columns(self._terms.list_of(term))
        return self._lists[term]

    def _same_vectors(self, slot: int, document: Document) -> bool:
        numbers = self._records.pieces_of(slot)["row"]
        if document.vectors is None or (numbers == NO_ROW).any():
            return document.vectors is None and bool((numbers == NO_ROW).all())
        return self._vectors.holds(numbers, document.vectors)


def _plain(row: np.void, document: Document) -> Iterator[str]:
    """Numbers and flags; what is absent is held as 0 beside its flag."""
    session = session_key(document)
    valid_from_us, valid_to_us = validity(document)
    wanted = {
        "archived": document.archived,
        "dated": document.event_time_us is not None,
        "session_key": session,
        "position": document.position if session != ALONE else 0,
        "create_time_us": document.create_time_us,
        "event_time_us": document.event_time_us or 0,
        "valid_from_us": valid_from_us,
        "valid_to_us": valid_to_us,
        "importance": document.importance,
    }
    for field, value in wanted.items():
        if row[field] != value:
            yield field


def _same_measures(row: np.void, measured: Measured) -> bool:
    return (
        bool(row["question"]) is measured.question
        and int(row["term_count"]) == measured.term_count
        and abs(float(row["length"]) - measured.length) <= LENGTH_TOLERANCE * (1 + measured.length)
    )


def _columns(listed: NDArray[np.int32]) -> _Columns:
    """A list by columns, each in one piece: it is searched many times."""
    return np.ascontiguousarray(listed.T)


def _count(listed: _Columns, slot: int) -> int:
    """Number of times a slot is listed; sought as the lists' own type, or numpy copies the list."""
    slots = listed[0]
    at = int(slots.searchsorted(np.int32(slot)))
    return int(listed[1, at]) if at < len(slots) and slots[at] == slot else 0
