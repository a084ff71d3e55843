"""The tokens of texts, each as a model reads it among the others, compared with a question's.

A vector says what a text is about as a whole; here each token of a question looks for the one of
the text that means the most alike, and what they find on average is how far the text answers it
(late interaction: Khattab and Zaharia, ColBERT, 2020). Of a token's numbers the signs are kept,
48 bytes for 384: two are as alike as the angle between them says, which the share of equal signs
estimates (Charikar, Similarity estimation techniques from rounding algorithms, 2002). On LoCoMo
signs find as much as the numbers themselves.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anamnesis_libs.index.analysis import STOP_WORDS
from anamnesis_libs.index.growing import Growing
from anamnesis_libs.index.port import AskedTokens
from anamnesis_libs.index.scoring import Floats
from anamnesis_libs.models.ports import TokenCodes, Tokens

NOT_COMPARED = -1.0
"""In place of an agreement, of a text or a question whose tokens were not told."""
BITS = 64
"""Signs in one number."""

_WORD = re.compile(r"\w+")
_LETTERS_MIN = 2
"""One letter alone is what an apostrophe left: "s", "t"."""

Numbers = NDArray[np.int32]


class TokenRows:
    """Codes by row number; a row is written once and never changes."""

    def __init__(self, dimension: int) -> None:
        self._rows = Growing(np.uint64, (width_of(dimension),))

    @property
    def count(self) -> int:
        """Rows ever added, those no longer used included."""
        return self._rows.size

    @property
    def nbytes(self) -> int:
        """Bytes of memory taken, room to grow included."""
        return self._rows.nbytes

    @property
    def codes(self) -> TokenCodes:
        """All rows: a view, good until the next `add`."""
        codes: TokenCodes = self._rows.rows.view(np.uint64)
        return codes

    def add(self, codes: TokenCodes) -> int:
        """Append rows; the number of the first."""
        first = self.count
        self._rows.append(codes)
        return first

    def keep(self, alive: Numbers) -> None:
        """Hold only these rows, numbered from 0 in this order."""
        self._rows.replace(self._rows.rows[alive])


def width_of(dimension: int) -> int:
    """The numbers that hold so many signs."""
    return -(-dimension // BITS)


def none_told(dimension: int) -> TokenCodes:
    """The codes of a text without tokens."""
    return np.zeros((0, width_of(dimension)), np.uint64)


@dataclass(frozen=True, slots=True)
class _Word:
    start: int
    end: int
    text: str


def telling(text: str, tokens: Tokens) -> TokenCodes:
    """The codes of the tokens of a text that say something, each word's once."""
    return telling_words(text, tokens).codes


def telling_words(text: str, tokens: Tokens) -> AskedTokens:
    """The tokens of a text that say something, each with the word that it is in."""
    words = [
        _Word(found.start(), found.end(), found.group().casefold())
        for found in _WORD.finditer(text)
    ]
    kept: dict[str, tuple[int, str]] = {}
    place = 0
    for number, (start, end) in enumerate(tokens.spans.tolist()):
        while place < len(words) and words[place].end <= start:
            place += 1
        if place < len(words) and words[place].start <= start and _says(words[place].text):
            kept.setdefault(text[start:end].casefold(), (number, words[place].text))
    numbers = [number for number, _ in kept.values()]
    return AskedTokens(tokens.codes[numbers], tuple(word for _, word in kept.values()))


def without_names(asked: AskedTokens, names: Collection[str]) -> TokenCodes:
    """The codes of a question's tokens; those of names that many lines begin with say little.

    All of them, where it has no other.
    """
    parts = {part for name in names for part in _WORD.findall(name.casefold())}
    other = [number for number, word in enumerate(asked.words) if word not in parts]
    return asked.codes[other] if other else asked.codes


def agreement(asked: TokenCodes, codes: TokenCodes, counts: Numbers) -> Floats:
    """The agreement of the tokens asked for with those of each text, 0 to 1.

    Args:
        asked: of a question, at least one; shape (asked, words of signs).
        codes: of all texts, one's after another's.
        counts: how many each text has, none of them 0.
    """
    firsts = np.cumsum(counts) - counts
    differing = np.zeros((len(asked), len(codes)), np.uint16)
    for place in range(asked.shape[1]):
        differing += np.bitwise_count(asked[:, place, np.newaxis] ^ codes[:, place])
    least = np.minimum.reduceat(differing, firsts, axis=1)
    angles = np.pi * least / (BITS * asked.shape[1])
    met: Floats = np.maximum(np.cos(angles).mean(axis=0), 0).astype(np.float32)
    return met


def _says(word: str) -> bool:
    return word not in STOP_WORDS and (len(word) >= _LETTERS_MIN or word.isdigit())
