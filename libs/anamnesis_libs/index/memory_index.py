"""The index of one namespace in memory: exact, incremental, the same in any order of arrival.

A write touches its own documents only. What a scope's queries have in common (order,
windows, statistics, words) is kept, and kept up: the first query after a write that its caller
may see finds the place of what came in (see `Arranger`); only where something was taken out is
all of it worked out anew. Documents taken out leave dead slots, which no scope contains;
when these are too many, and before every snapshot, the index is compacted.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from anamnesis_libs import chunking as cutting
from anamnesis_libs.index import analysis, snapshot
from anamnesis_libs.index.arranged import Arranged
from anamnesis_libs.index.arrangement import WHOLE_MAX, Arrangement, Arranger
from anamnesis_libs.index.audiences import Audience, audience_of
from anamnesis_libs.index.checks import check_query, check_rows, check_tokens, check_vector
from anamnesis_libs.index.documents import Comparison, analysed
from anamnesis_libs.index.features import compute, occurrences
from anamnesis_libs.index.mentions import mentions
from anamnesis_libs.index.nearest import nearest
from anamnesis_libs.index.ordering import CanonicalOrder
from anamnesis_libs.index.port import (
    Alike,
    Document,
    Near,
    NearRows,
    Query,
    RowNumbers,
    Rows,
    ScoredHits,
    SearchScope,
    Training,
    Vector,
)
from anamnesis_libs.index.postings import Postings
from anamnesis_libs.index.records import PIECE, Records
from anamnesis_libs.index.results import found
from anamnesis_libs.index.scope import members, narrowed
from anamnesis_libs.index.terms import OwnTerms, PieceWords, Terms, WholeTerms
from anamnesis_libs.index.vectors import EXACT_MAX, NO_ROW, VectorRows
from anamnesis_libs.index.wide import WideSearch
from anamnesis_libs.models.ports import TokenCodes

OWN_TERMS_SHARE = 0.1
"""A scope of fewer of all pieces looks for words among its own."""
DEAD_PIECES_MIN = 1024
DEAD_SHARE = 0.25
"""Compacted when more pieces than this are dead, and more than this share of all."""


class MemoryIndex:
    """An `Index`. Filters come before statistics: what is out of scope never shows in a score.

    Neighbours are the documents next to each other in a session *inside the scope*: what
    is archived, private to others or filtered out is no neighbour, and those around it
    close up. A document without session or position stands alone.
    """

    def __init__(
        self, dimension: int, exact_vectors_max: int = EXACT_MAX, whole_max: int = WHOLE_MAX
    ) -> None:
        """Vectors are held exactly up to `exact_vectors_max`, quantised if there are more.

        A scope of more than `whole_max` pieces is not scored whole, once what finds its candidates
        is trained.
        """
        self._whole_max = whole_max
        self._dimension = dimension
        self._exact_vectors_max = exact_vectors_max
        self._records = Records(dimension)
        self._terms = Postings()
        self._vectors = VectorRows(dimension, exact_vectors_max)
        self._order = CanonicalOrder()
        self._words: PieceWords | None = None
        self._unembedded: dict[str, None] = {}
        self._vector_count = self._unread = 0
        self._arranged = Arranged(self._arrange)

    @property
    def size(self) -> int:
        """Memories held."""
        return len(self._records.slots)

    @property
    def vector_count(self) -> int:
        """Vectors held; a long text has several."""
        return self._vector_count

    @property
    def memory_bytes(self) -> int:
        """Bytes of memory taken, estimated in constant time."""
        held = self._records.nbytes + self._terms.nbytes + self._vectors.nbytes
        words = self._words.nbytes if self._words is not None else 0
        return held + words + self._arranged.memory_bytes

    @property
    def waiting_for_vectors(self) -> int:
        """Documents that have no vectors yet."""
        return len(self._unembedded)

    def without_vectors(self) -> Sequence[str]:
        """Ids of documents that have no vectors yet, in the order they came."""
        return list(self._unembedded)

    @property
    def unread(self) -> int:
        """Documents with vectors whose tokens are not held."""
        return self._unread

    def without_tokens(self, limit: int) -> Sequence[str]:
        """Ids of so many documents with vectors whose tokens are not held, at most."""
        table = self._records.table.rows
        slots = np.flatnonzero(table["alive"] & table["embedded"] & ~table["read"])
        return [self._records.ids[slot] for slot in slots[:limit]]

    def ids(self) -> Sequence[str]:
        """Ids of all documents held."""
        return list(self._records.slots)

    def mentions(self, text: str) -> int:
        """Number of places that hold a text; see `Index.mentions`."""
        return mentions(self._records, self._terms, text)

    def differences(self, documents: Sequence[Document]) -> Mapping[str, Sequence[str]]:
        """Fields in which what is held is not what the documents say; see `Index.differences`."""
        comparison = Comparison(self._records, self._terms, self._vectors)
        found = {one.memory_id: comparison.differences(one) for one in documents}
        return {memory_id: fields for memory_id, fields in found.items() if fields}

    def put(self, documents: Sequence[Document]) -> None:
        """Add documents, or replace those of the same id; of two in one call the last counts.

        Raises:
            ValueError: vectors that are not one finite row a piece; nothing is changed.
        """
        latest = {document.memory_id: document for document in documents}
        prepared = [
            (document, cutting.split(document.text, document.role)) for document in latest.values()
        ]
        for document, pieces in prepared:
            if document.vectors is not None:
                check_rows(document.memory_id, document.vectors, len(pieces), self._dimension)
        tokens = self._tokens_kept(latest.values())
        self.remove(list(latest))
        for document, pieces in prepared:
            self._add(document, pieces)
        self.put_tokens(tokens)
        slots = self._records.slots
        self._arranged.note((audience_of(one), slots[one.memory_id]) for one in latest.values())

    def put_vectors(self, vectors: Mapping[str, Rows]) -> None:
        """Add vectors to documents that had none; others and unknown ids are passed over.

        Raises:
            ValueError: vectors that are not one finite row a piece; nothing is changed.
        """
        wanted = {i: rows for i, rows in vectors.items() if i in self._unembedded}
        for memory_id, rows in wanted.items():
            pieces = self._records.pieces_of(self._records.slots[memory_id])
            check_rows(memory_id, rows, len(pieces), self._dimension)
        for memory_id, rows in wanted.items():
            self._embed(memory_id, rows)
        slots = self._records.slots
        self._arranged.note(
            (audience, slots[memory_id])
            for memory_id in wanted
            for audience in self._audiences([memory_id])
        )

    def put_tokens(self, tokens: Mapping[str, Sequence[TokenCodes]]) -> None:
        """Add the tokens of each piece to documents that have vectors; see `Index.put_tokens`.

        Raises:
            ValueError: tokens that are not those of each piece; nothing is changed.
        """
        table = self._records.table.rows
        slots = {one: self._records.slots[one] for one in tokens if one in self._records.slots}
        wanted = [
            (slot, tokens[one])
            for one, slot in slots.items()
            if table["embedded"][slot] and not table["read"][slot]
        ]
        for slot, codes in wanted:
            check_tokens(codes, len(self._records.pieces_of(slot)), self._dimension)
        for slot, codes in wanted:
            self._records.put_tokens(slot, codes)
            self._unread -= 1

    def remove(self, memory_ids: Sequence[str]) -> None:
        """Take documents out; unknown ids are passed over. O(batch), compaction aside."""
        audiences = self._audiences(memory_ids)
        for memory_id in memory_ids:
            self._kill(memory_id)
        self._arranged.forget(audiences)
        dead, held = self._records.pieces_dead, self._records.pieces.size
        if dead > DEAD_PIECES_MIN and dead > DEAD_SHARE * held:
            self._compact()

    def find(self, query: Query) -> ScoredHits:
        """Score the scope and answer the best.

        Raises:
            ValueError: the vector is not finite or not of the index's dimension.
        """
        check_query(query, self._dimension)
        scope = self._arranged.of(query.scope, self._records.pieces.size)
        if scope is None:
            return ScoredHits()
        words = list(dict.fromkeys(analysis.tokens(query.text)))
        related = [word for word in analysis.tokens(query.related_words) if word not in words]
        terms = occurrences(scope, words)
        own = len(terms)
        terms += [term.lighter() for term in occurrences(scope, related)]
        near, recall = self._near_of(scope, query), 1.0
        if near is not None:
            scope, terms = WideSearch(scope, self._records, near).part(query, terms)
            recall = recall if query.vector is None else near.recall
        features = compute(scope, terms, self._vectors, query.vector)
        answer = found(self._records, scope, terms[:own], features, query)
        known = {term.text for term in terms[:own]}
        absent = tuple(word for word in words if word not in known)
        return replace(answer, scope=replace(answer.scope, absent=absent), recall=recall)

    @property
    def unsettled(self) -> bool:
        """True if queries share what is not ready any more; see `Index.unsettled`."""
        return self._arranged.unsettled

    def settle(self) -> None:
        """Make ready what queries share, after changes; see `Index.settle`."""
        self._arranged.settle(self._records.pieces.size)

    def nearest(self, asked: Alike) -> Sequence[Near]:
        """The nearest of a group, the nearest first.

        Raises:
            ValueError: the vector is not finite or not of the index's dimension.
        """
        check_vector(asked.vector, self._dimension)
        return nearest(self._records, self._vectors, asked)

    @property
    def untrained(self) -> bool:
        """True if there is so much that some should be found without scoring all."""
        return self._vectors.outgrown(self._whole_max)

    def training(self) -> Training:
        """Rows to train on; see `Index.training`."""
        return self._vectors.training()

    def fill(self, near: NearRows) -> bool:
        """Add the next rows to what was trained; True while there are more."""
        return self._vectors.fill(near)

    def nearest_rows(self, number: int) -> tuple[Vector, RowNumbers]:
        """One of the rows by which recall is measured, and the exact nearest to it."""
        return self._vectors.nearest(number)

    def adopt(self, near: NearRows, training: Training) -> bool:
        """Find by it what is in large scopes; False if it does not fit any more."""
        return self._vectors.adopt(near, training)

    def save(self, path: Path) -> None:
        """Write everything to a file, in place of one that is there. No text is in it.

        The terms are, with where they occur: it is as much of a copy as a word list.
        What was taken out of the index is not in the file.
        """
        self._compact()
        held = snapshot.SnapshotContents(self._records, self._terms, self._vectors)
        snapshot.write(path, self._dimension, held)

    def load(self, path: Path) -> None:
        """Take everything from a file written by `save`, in place of what is held.

        Raises:
            ValueError: the file is damaged, of another version or another dimension.
            OSError: it cannot be read.
        """
        held = snapshot.read(path, self._dimension, self._exact_vectors_max)
        self._records, self._terms, self._vectors = held.records, held.terms, held.vectors
        table = self._records.table.rows
        ids = self._records.ids
        self._unembedded = {ids[slot]: None for slot in np.flatnonzero(~table["embedded"])}
        self._vector_count = self._vectors.count
        self._unread = int(np.count_nonzero(table["embedded"] & ~table["read"]))
        self._order.restart(self.size)
        self._words = None
        self._arranged.forget_all()

    def _near_of(self, scope: Arrangement, query: Query) -> NearRows | None:
        """The finder of rows for a scope that is too large to be scored whole; else None."""
        if scope.row_places is None or query.newest_first:
            return None
        return self._vectors.near

    def _audiences(self, memory_ids: Iterable[str]) -> set[Audience]:
        """Audiences of those of the documents that are held."""
        return {one for one in map(self._records.audience, memory_ids) if one is not None}

    def _tokens_kept(self, documents: Iterable[Document]) -> dict[str, list[TokenCodes]]:
        """The tokens of documents that are held with the same vectors: their text is the same."""
        kept: dict[str, list[TokenCodes]] = {}
        for document in documents:
            slot = self._records.slots.get(document.memory_id)
            if slot is None or document.vectors is None:
                continue
            if self._records.table.rows["read"][slot] and self._has_vectors(slot, document.vectors):
                kept[document.memory_id] = self._records.tokens_of(slot)
        return kept

    def _has_vectors(self, slot: int, vectors: Rows) -> bool:
        numbers = self._records.pieces_of(slot)["row"]
        return len(numbers) == len(vectors) and self._vectors.holds(numbers, vectors)

    def _add(self, document: Document, pieces: Sequence[str]) -> None:
        terms, measured = analysed(document, pieces)
        self._add_pieces(terms)
        self._order.add(self._records.add(document, measured))
        self._unembedded[document.memory_id] = None
        if document.vectors is not None:
            self._embed(document.memory_id, document.vectors)

    def _add_pieces(self, pieces: Sequence[Sequence[str]]) -> None:
        first = self._records.pieces.size
        counted = [Counter(terms) for terms in pieces]
        for slot, counts in enumerate(counted, start=first):
            self._terms.add(slot, counts)
        if self._words is not None:
            self._words.add(counted)
        rows = [(len(terms), NO_ROW, 0, 0) for terms in pieces]
        self._records.pieces.append(np.array(rows, PIECE))

    def _embed(self, memory_id: str, vectors: Rows) -> None:
        slot, quantised = self._records.slots[memory_id], self._vectors.quantised
        first = self._vectors.add(vectors)
        if self._vectors.quantised != quantised:
            self._arranged.forget_all()
        self._records.pieces_of(slot)["row"] = np.arange(first, first + len(vectors))
        self._records.table.rows["embedded"][slot] = True
        self._unread += 1
        self._vector_count += len(vectors)
        del self._unembedded[memory_id]

    def _kill(self, memory_id: str) -> None:
        slot = self._records.kill(memory_id)
        if slot is None:
            return
        if memory_id not in self._unembedded:
            self._vector_count -= len(self._records.pieces_of(slot))
            self._unread -= not self._records.table.rows["read"][slot]
        self._unembedded.pop(memory_id, None)

    def _compact(self) -> None:
        """Forget what is dead: its records, terms and vectors leave memory."""
        if self.size == self._records.table.size:
            return
        pieces_moved, rows = self._records.compact()
        self._terms.keep(pieces_moved)
        self._vectors.keep(rows)
        self._order.restart(self.size)
        self._words = None
        self._arranged.forget_all()

    def _arrange(
        self, scope: SearchScope, old: Arrangement | None, changed: Iterable[int]
    ) -> Arrangement | None:
        arranger = Arranger(self._records, self._vectors, self._terms_of, self._whole_max)
        if old is not None:
            came = narrowed(self._records, scope, np.fromiter(changed, np.int32))
            return arranger.rearrange(old, came) if len(came) else old
        slots = members(self._records, scope)
        if not len(slots):
            return None
        return arranger.arrange(self._order.of(slots, self._records.table.rows))

    def _terms_of(self, pieces: NDArray[np.int32]) -> Terms:
        """The words of these pieces, by place."""
        held = self._records.pieces.size
        if len(pieces) >= OWN_TERMS_SHARE * held:
            return WholeTerms(self._terms, pieces, held)
        if self._words is None:
            self._words = PieceWords.inverted(self._terms, held)
        return OwnTerms(self._words, pieces)
