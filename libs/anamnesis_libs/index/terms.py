"""The places of a query's words in one scope: by the lists of the whole index, or by its own.

A list of the whole index names every piece that has a word; where the scope is a small part of it,
nearly all of them are others'. So the words of each piece are kept as well, and a small scope
inverts those of its own pieces once, when it is arranged.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from anamnesis_libs.index.codes import UNKNOWN, Codes
from anamnesis_libs.index.growing import Growing
from anamnesis_libs.index.postings import Postings
from anamnesis_libs.index.records import spans

Places = NDArray[np.int32]
Counts = NDArray[np.float32]

_WORD = np.dtype([("key", np.int32), ("count", np.int32)])
_PIECE = np.dtype([("first", np.int32), ("words", np.int32)])
_KEY_BYTES = 100


class Terms(Protocol):
    """The words of a scope."""

    def of(self, word: str) -> tuple[Places, Counts]:
        """The places of the pieces that have a word, ascending, and how often each has it."""
        ...


class WholeTerms:
    """The words of a scope by the lists of the whole index."""

    def __init__(self, listed: Postings, pieces: NDArray[np.int32], pieces_held: int) -> None:
        """`pieces` are the slots of the scope's pieces by place, of so many that are held."""
        self._listed = listed
        self._place_of_piece = np.full(pieces_held, -1, np.int32)
        self._place_of_piece[pieces] = np.arange(len(pieces), dtype=np.int32)

    def of(self, word: str) -> tuple[Places, Counts]:
        """See `Terms`. What came in since the scope was arranged is none of its own."""
        rows = self._listed.list_of(word)
        rows = rows[: np.searchsorted(rows[:, 0], len(self._place_of_piece))]
        places = self._place_of_piece[rows[:, 0]]
        inside = places >= 0
        own: Places = places[inside]
        return own, rows[inside, 1].astype(np.float32)


class OwnTerms:
    """The words of a scope by a list of its own; O(words in the scope) to make."""

    def __init__(self, words: "PieceWords", pieces: NDArray[np.int32]) -> None:
        places, held = words.of(pieces)
        order = np.argsort(held["key"], kind="stable")
        self._keys = words.keys
        self._places: Places = places[order]
        self._counts: Counts = held["count"][order].astype(np.float32)
        self._sorted = np.ascontiguousarray(held["key"][order])

    def of(self, word: str) -> tuple[Places, Counts]:
        """See `Terms`."""
        key = self._keys.find(word)
        if key == UNKNOWN:
            return self._places[:0], self._counts[:0]
        start, end = self._sorted.searchsorted(np.array([key, key + 1], np.int32))
        return self._places[start:end], self._counts[start:end]


class PieceWords:
    """The words of every piece by its slot, those of dead pieces included."""

    def __init__(self) -> None:
        self.keys = Codes()
        self._words = Growing(_WORD)
        self._pieces = Growing(_PIECE)

    @property
    def nbytes(self) -> int:
        """Bytes of memory taken, estimated."""
        return self._words.nbytes + self._pieces.nbytes + len(self.keys.texts) * _KEY_BYTES

    @classmethod
    def inverted(cls, listed: Postings, pieces_held: int) -> "PieceWords":
        """The words of each piece, from the lists of an index."""
        made = cls()
        names, sizes, joined = listed.dump()
        made.keys = Codes(["", *names])
        order = np.argsort(joined[:, 0], kind="stable")
        held = np.zeros(len(joined), _WORD)
        held["key"] = np.repeat(np.arange(1, len(names) + 1, dtype=np.int32), sizes)[order]
        held["count"] = joined[order, 1]
        made._words.replace(held)
        pieces = np.zeros(pieces_held, _PIECE)
        pieces["words"] = np.bincount(joined[:, 0], minlength=pieces_held)
        pieces["first"] = np.cumsum(pieces["words"]) - pieces["words"]
        made._pieces.replace(pieces)
        return made

    def add(self, pieces: Sequence[Counter[str]]) -> None:
        """The words of the next pieces."""
        for counts in pieces:
            held = [(self.keys.give(word), count) for word, count in counts.items()]
            self._pieces.append(np.array([(self._words.size, len(held))], _PIECE))
            self._words.append(np.array(held, _WORD))

    def of(self, pieces: NDArray[np.int32]) -> tuple[Places, NDArray[np.void]]:
        """The words of some pieces, one after another, and the place of the piece of each."""
        chosen = self._pieces.rows[pieces]
        places = np.repeat(np.arange(len(pieces), dtype=np.int32), chosen["words"])
        return places, self._words.rows[spans(chosen["first"], chosen["words"])]
