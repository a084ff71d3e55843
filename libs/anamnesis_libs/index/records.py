"""Records of the index for each memory, besides its terms and vectors: rows of numbers.

A document and each of its pieces have a *slot*, given once and never given again. What
is taken out or replaced leaves its slots dead until the index is compacted.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anamnesis_libs.index.audiences import Audience, Audiences, audience_in, audience_of
from anamnesis_libs.index.codes import Codes
from anamnesis_libs.index.growing import Growing
from anamnesis_libs.index.port import Document
from anamnesis_libs.index.postings import Postings
from anamnesis_libs.index.token_codes import TokenRows
from anamnesis_libs.index.vectors import NO_ROW
from anamnesis_libs.models.ports import TokenCodes

CODED = (
    "kind",
    "category",
    "role",
    "name",
    "agent_id",
    "user_id",
    "visibility",
    "origin",
    "session_id",
)
"""String fields of a document that are kept as codes."""

DOCUMENT = np.dtype(
    [(field, np.int32) for field in CODED]
    + [
        ("alive", np.bool_),
        ("archived", np.bool_),
        ("embedded", np.bool_),
        ("read", np.bool_),
        ("question", np.bool_),
        ("dated", np.bool_),
        ("session_key", np.int64),
        ("position", np.int64),
        ("create_time_us", np.int64),
        ("id_key", np.int64),
        ("event_time_us", np.int64),
        ("valid_from_us", np.int64),
        ("valid_to_us", np.int64),
        ("importance", np.float64),
        ("length", np.float32),
        ("term_count", np.int32),
        ("first_piece", np.int32),
        ("pieces", np.int32),
    ]
)
PIECE = np.dtype(
    [
        ("term_count", np.int32),
        ("row", np.int32),
        ("first_token", np.int32),
        ("tokens", np.int32),
    ]
)

ALONE = 0
"""The session key of a document that has no session or no position in it."""

EARLIEST_US, LATEST_US = -(2**62), 2**62
"""Before and after any time."""

_ID_BYTES = 180


@dataclass(frozen=True, slots=True)
class Measured:
    """Measures of a document by analysis: if it is a question, and its length.

    `length` counts words (see `anamnesis_libs.chunking`), `term_count` terms of the text alone.
    """

    question: bool
    length: float
    term_count: int
    pieces: int


class Records:
    """Rows of documents, pieces and their tokens, the strings they name, and their labels."""

    def __init__(self, dimension: int) -> None:
        self.table = Growing(DOCUMENT)
        self.pieces = Growing(PIECE)
        self.tokens = TokenRows(dimension)
        self.ids: list[str] = []
        self.slots: dict[str, int] = {}
        self.codes = Codes()
        self.audiences = Audiences()
        self.tags = Postings()
        self.entities = Postings()
        self.pieces_dead = 0

    @property
    def nbytes(self) -> int:
        """Bytes of memory taken, estimated."""
        arrays = self.table.nbytes + self.pieces.nbytes + self.tokens.nbytes
        labels = self.tags.nbytes + self.entities.nbytes + self.audiences.nbytes
        return arrays + labels + len(self.ids) * _ID_BYTES

    def add(self, document: Document, measured: Measured) -> int:
        """Append a document whose id is not held; its slot. Its pieces come before."""
        slot = self.table.size
        row = self._row(document, measured)
        self.table.append(np.array([row], DOCUMENT))
        self.ids.append(document.memory_id)
        self.slots[document.memory_id] = slot
        self.audiences.add(audience_of(document), slot)
        self.tags.add(slot, {tag.casefold(): 1 for tag in document.tags})
        self.entities.add(slot, {entity.casefold(): 1 for entity in document.entities})
        return slot

    def kill(self, memory_id: str) -> int | None:
        """Let go of a document; its slot, None where it is not held."""
        slot = self.slots.pop(memory_id, None)
        if slot is None:
            return None
        self.table.rows["alive"][slot] = False
        self.ids[slot] = ""
        self.pieces_dead += int(self.table.rows["pieces"][slot])
        return slot

    def pieces_of(self, slot: int) -> NDArray[np.void]:
        """The rows of a document's pieces: a view."""
        document = self.table.rows[slot]
        first = int(document["first_piece"])
        return self.pieces.rows[first : first + int(document["pieces"])]

    def put_tokens(self, slot: int, codes: Sequence[TokenCodes]) -> None:
        """Hold the tokens of each piece of a document that has none."""
        pieces = self.pieces_of(slot)
        counts = [len(of_piece) for of_piece in codes]
        first = self.tokens.add(np.concatenate(codes))
        pieces["tokens"] = counts
        pieces["first_token"] = first + np.cumsum(counts) - counts
        self.table.rows["read"][slot] = True

    def tokens_of(self, slot: int) -> list[TokenCodes]:
        """The tokens of each piece of a document, copied."""
        pieces, held = self.pieces_of(slot), self.tokens.codes
        firsts, counts = pieces["first_token"].tolist(), pieces["tokens"].tolist()
        return [
            held[first : first + count].copy() for first, count in zip(firsts, counts, strict=True)
        ]

    def restore(
        self,
        documents: NDArray[np.void],
        pieces: NDArray[np.void],
        tokens: TokenCodes,
        ids: list[str],
        codes: Codes,
    ) -> None:
        """Take what a snapshot held; labels are restored apart."""
        self.table.replace(documents)
        self.pieces.replace(pieces)
        self.tokens.add(tokens)
        self.ids = ids
        self.slots = {memory_id: slot for slot, memory_id in enumerate(ids)}
        self.codes = codes
        self.audiences.restart(documents, codes)

    def compact(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Give the living new slots, in the same order, and forget the dead.

        Returns the new slot of every old piece slot (-1: gone), and the vector rows
        still in use, which are to be renumbered from 0 in this order.
        """
        table = self.table.rows
        alive = np.flatnonzero(table["alive"])
        kept = table[alive]
        old_pieces = spans(kept["first_piece"], kept["pieces"])
        documents_moved = _renumbered(alive, len(table))
        pieces_moved = _renumbered(old_pieces, self.pieces.size)
        rows = self._keep_pieces(old_pieces)
        kept["first_piece"] = np.cumsum(kept["pieces"]) - kept["pieces"]
        self._keep_documents(alive, kept)
        self.tags.keep(documents_moved)
        self.entities.keep(documents_moved)
        return pieces_moved, rows

    def _keep_pieces(self, old: NDArray[np.int32]) -> NDArray[np.int32]:
        pieces = self.pieces.rows[old]
        rows = pieces["row"]
        with_row = rows != NO_ROW
        used: NDArray[np.int32] = rows[with_row].copy()
        pieces["row"][with_row] = np.arange(len(used))
        self.tokens.keep(spans(pieces["first_token"], pieces["tokens"]))
        pieces["first_token"] = np.cumsum(pieces["tokens"]) - pieces["tokens"]
        self.pieces.replace(pieces)
        self.pieces_dead = 0
        return used

    def _keep_documents(self, alive: NDArray[np.intp], kept: NDArray[np.void]) -> None:
        used = np.unique(np.concatenate([kept[field] for field in CODED]))
        codes_moved = self.codes.keep(used.tolist())
        for field in CODED:
            kept[field] = codes_moved[kept[field]]
        self.table.replace(kept)
        self.ids = [self.ids[slot] for slot in alive.tolist()]
        self.slots = {memory_id: slot for slot, memory_id in enumerate(self.ids)}
        self.audiences.restart(kept, self.codes)

    def audience(self, memory_id: str) -> Audience | None:
        """The audience of a document; None if it is not held."""
        slot = self.slots.get(memory_id)
        return None if slot is None else audience_in(self.table.rows[slot], self.codes)

    def _row(self, document: Document, measured: Measured) -> tuple[object, ...]:
        coded = [self.codes.give(getattr(document, field)) for field in CODED]
        stands_in_session = bool(document.session_id) and document.position is not None
        return (
            *coded,
            True,
            document.archived,
            document.vectors is not None,
            False,
            measured.question,
            document.event_time_us is not None,
            session_key(document),
            document.position if stands_in_session else 0,
            document.create_time_us,
            digest(document.memory_id),
            document.event_time_us or 0,
            *validity(document),
            document.importance,
            measured.length,
            measured.term_count,
            self.pieces.size - measured.pieces,
            measured.pieces,
        )


def validity(document: Document) -> tuple[int, int]:
    """The time in which a document holds, as two numbers that any time can be compared with."""
    start, end = document.valid_from_us, document.valid_to_us
    return EARLIEST_US if start is None else start, LATEST_US if end is None else end


def session_key(document: Document) -> int:
    """A number for the session a document stands in, ALONE for none."""
    stands = bool(document.session_id) and document.position is not None
    return digest(document.session_id) if stands else ALONE


def digest(text: str) -> int:
    """A number for a string, the same everywhere and (to 2^-63) another for another; never 0."""
    held = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(held, "big", signed=True) or 1


def spans(firsts: NDArray[np.int32], counts: NDArray[np.int32]) -> NDArray[np.int32]:
    """The numbers first, first + 1, ... of each span, one span after another."""
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    offsets = np.repeat(firsts - (ends - counts), counts)
    return (offsets + np.arange(total)).astype(np.int32)


def _renumbered(kept: NDArray[np.int32] | NDArray[np.intp], size: int) -> NDArray[np.int32]:
    moved = np.full(size, -1, np.int32)
    moved[kept] = np.arange(len(kept))
    return moved
