"""Cutting a long text into pieces that are embedded and scored on their own.

A length is words plus six tenths of a CJK character. A text of ordinary length is
one piece; a longer one is packed from whole sentences and lines, so that no model's
window cuts it silently and no long answer drowns what it says in passing.

Words say little about code, addresses and other scripts, so a piece is also held to
a weight: a guess, on the high side, of the word-piece tokens that it makes.

A passage of a document is cut finer, into a sentence or a few lines each, and every piece is
embedded under the name of its document and headings: what is asked of a page is answered by a line
of it. Of 40 questions to the pages of `docs/`, 22 have the answer among the best three passages; 18
with passages as one piece.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from anamnesis_libs.cjk import CHARACTER

CJK_LENGTH = 0.6
LENGTH_MAX = 150.0
"""A text up to this length is one piece."""
PACKED_LENGTH_MAX = 120.0
PASSAGE_LENGTH_MAX = 30.0
"""The pieces of a document's passage are packed up to this length."""
DOCUMENT_ROLE = "file"
"""The role of what a document says."""
CUT_LENGTH_MAX = 100.0
CUT_CHARS_MAX = 160
TAIL_LENGTH_MIN = 30.0
WORD_CHARS_MAX = 16
"""A longer run of letters is taken for a key or a digest, not for a word."""
WEIGHT_MAX = 220.0
"""Leaves room in a window of 256 tokens for its marks, a speaker's name and a wrong guess."""
NAME_WEIGHT_MAX = 16.0
"""A heavier name, such as a path of headings, counts against the room of its text."""

_HANGUL = re.compile(r"[\uac00-\ud7af]")
_BREAK = re.compile(r"(?<=[.!?])\s+|\n+|(?<=[。！？；])")
_RUN = re.compile(r"[0-9A-Za-z\u00c0-\u024f]+|\S")
# No character weighs more: a Hangul syllable is taken apart into three letters.
_CHAR_WEIGHT_MAX = 3


def split(text: str, role: str = "") -> list[str]:
    """Cut a text into pieces, in order; at least one, and the same ones every time.

    A short text comes back as it is. Of a long one every word is kept, the white space
    between sentences is not; a word too long for a piece is cut between characters.
    """
    if role == DOCUMENT_ROLE:
        return list(_packed(_parts(text), PASSAGE_LENGTH_MAX)) or [text]
    if _fits(text):
        return [text]
    pieces = list(_packed(_parts(text), PACKED_LENGTH_MAX))
    return _without_short_tail(pieces) or [text]


def embedding_texts(text: str, name: str, role: str = "") -> list[str]:
    """Return the texts to embed, one a piece.

    A name leads a text in one piece, and every piece of a document, where it fits.
    """
    pieces = split(text, role)
    if not name or (len(pieces) > 1 and role != DOCUMENT_ROLE):
        return pieces
    return [f"{name}: {piece}" if _fits_before(name, piece) else piece for piece in pieces]


def length(text: str) -> float:
    """Return the length in words, where a CJK character counts six tenths of a word."""
    spaced, cjk = CHARACTER.subn(" ", text)
    return len(spaced.split()) + CJK_LENGTH * cjk


def weight(text: str) -> float:
    """Guess, rather too high than too low, how many word-piece tokens a text makes.

    Calibrated against the tokenizer of MiniLM: short words are one token, longer ones cost
    by their letters, and what English has no words for costs by the character. Of 7,000
    pieces of conversations none has more than 250 tokens; of Python sources 1 piece in 80
    has more than 256, which the embedder takes in windows.
    """
    return sum(map(_run_weight, _RUN.findall(text)))


def _run_weight(run: str) -> float:
    chars = len(run)
    if chars == 1:
        return 3.0 if "\uac00" <= run <= "\ud7af" else 1.0
    if chars > WORD_CHARS_MAX or not run.isalpha():
        return chars / 1.25
    return max(1.0, chars / 4)


class _Part(NamedTuple):
    """A text, measured once."""

    text: str
    length: float
    weight: float

    @property
    def fits(self) -> bool:
        """True if the unit is small enough for one piece."""
        return self.length <= LENGTH_MAX and self.weight <= WEIGHT_MAX


def _measured(text: str) -> _Part:
    return _Part(text, length(text), weight(text))


def _fits(text: str) -> bool:
    """True if a text is small enough for one piece; the cheaper measure decides for most."""
    if length(text) > LENGTH_MAX:
        return False
    return len(text) * _CHAR_WEIGHT_MAX <= WEIGHT_MAX or weight(text) <= WEIGHT_MAX


def _fits_before(name: str, text: str) -> bool:
    """True if the window has room for a name before a text that fits."""
    own = weight(name)
    return own <= NAME_WEIGHT_MAX or own + weight(text) <= WEIGHT_MAX


def _parts(text: str) -> Iterator[_Part]:
    """Sentences and lines; those too long for a piece cut into words."""
    for sentence in _BREAK.split(text):
        if not sentence or sentence.isspace():
            continue
        part = _measured(sentence)
        if part.fits:
            yield part
        else:
            yield from map(_measured, _packed(_words(sentence), CUT_LENGTH_MAX))


def _words(sentence: str) -> Iterator[_Part]:
    """Words; those too long for a piece cut between characters."""
    for word in sentence.split():
        part = _measured(word)
        if part.fits:
            yield part
        else:
            yield from map(_measured, _cut(word))


def _cut(word: str) -> Iterator[str]:
    size = CUT_CHARS_MAX
    if _HANGUL.search(word):
        size = int(WEIGHT_MAX) // _CHAR_WEIGHT_MAX
    for start in range(0, len(word), size):
        yield word[start : start + size]


def _packed(parts: Iterable[_Part], length_max: float) -> Iterator[str]:
    """Join parts with a space, as many as a piece holds."""
    held: list[str] = []
    held_length = held_weight = 0.0
    for part in parts:
        full = held_length + part.length > length_max or held_weight + part.weight > WEIGHT_MAX
        if held and full:
            yield " ".join(held)
            held, held_length, held_weight = [], 0.0, 0.0
        held.append(part.text)
        held_length += part.length
        held_weight += part.weight
    if held:
        yield " ".join(held)


def _without_short_tail(pieces: list[str]) -> list[str]:
    """Join a short last piece to the one before, where both fit into one."""
    if len(pieces) < 2 or length(pieces[-1]) >= TAIL_LENGTH_MIN:
        return pieces
    joined = f"{pieces[-2]} {pieces[-1]}"
    return [*pieces[:-2], joined] if _fits(joined) else pieces
