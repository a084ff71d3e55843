"""Cutting a long text into pieces that are embedded and scored on their own.

A length is words plus six tenths of a CJK character. A text of ordinary length is
one piece; a longer one is packed from whole sentences and lines, so that no model's
window cuts it silently and no long answer drowns what it says in passing.

Words say little about code, addresses and other scripts, so a piece is also held to
a weight: a guess, on the high side, of the word-piece tokens that it makes.

A passage of a document is cut finer, into sentences, rows and items, and every piece is embedded
under the name of its document and headings, and behind what introduces it: what is asked of a page
is answered by a line of it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from anamnesis_libs.cjk import CHARACTER
from anamnesis_libs.talk.sentences import Unit, UnitKind, units_of

CJK_LENGTH = 0.6
LENGTH_MAX = 150.0
"""A text up to this length is one piece."""
PACKED_LENGTH_MAX = 120.0
CODE_LENGTH_MAX = 30.0
"""Lines of code in a document's passage are packed up to this length."""
LINE_LENGTH_MIN = 6.0
"""A shorter line of a passage says too little by itself: it is joined to the next one."""
ITEM_CHARS_MAX = 120
"""A longer list item of a passage is parted into its sentences."""
DOCUMENT_ROLE = "file"
"""The role of what a document says."""
CUT_LENGTH_MAX = 100.0
CUT_CHARS_MAX = 160
TAIL_LENGTH_MIN = 30.0
HANGUL_WEIGHT = 3.0
"""A syllable is taken apart into three letters; no other character weighs more than 1."""
RARE_CHARS = 1.25
"""Characters a token of what English has no words for."""
WORD_CHARS_MAX = 16
"""A longer run of letters is taken for a key or a digest, not for a word."""
WEIGHT_MAX = 220.0
"""Leaves room in a window of 256 tokens for its marks, a speaker's name and a wrong guess."""
NAME_WEIGHT_MAX = 16.0
"""A heavier name, such as a path of headings, counts against the room of its text."""

_HANGUL = re.compile(r"[\uac00-\ud7af]")
_BREAK = re.compile(r"(?<=[.!?])\s+|\n+|(?<=[。！？；])")
_RUN = re.compile(r"[0-9A-Za-z\u00c0-\u024f]+|\S")
_KEY = re.compile(rf"[0-9A-Za-z\u00c0-\u024f]{{{WORD_CHARS_MAX + 1}}}")


def split(text: str, role: str = "") -> list[str]:
    """Cut a text into pieces, in order; at least one, and the same ones every time.

    A short text comes back as it is. Of a long one every word is kept, the white space
    between sentences is not; a word too long for a piece is cut between characters.
    """
    if role == DOCUMENT_ROLE:
        return pieces_of_passage(units_of_passage(text)) or [text]
    if _fits(text):
        return [text]
    pieces = list(_packed(_parts(text), PACKED_LENGTH_MAX))
    return _without_short_tail(pieces) or [text]


def embedding_texts(text: str, name: str, role: str = "") -> list[str]:
    """Return the texts to embed, one a piece.

    A name leads a text in one piece, and every piece of a document, where it fits.
    """
    if role == DOCUMENT_ROLE:
        pieces = [_introduced(*piece) for piece in _pieces_of(units_of_passage(text))] or [text]
    else:
        pieces = split(text, role)
    if not name or (len(pieces) > 1 and role != DOCUMENT_ROLE):
        return pieces
    return [f"{name}: {piece}" if _fits_before(name, piece) else piece for piece in pieces]


def units_of_passage(text: str) -> list[Unit]:
    """The sentences and lines of a document's passage, as they are embedded and shown."""
    return units_of(text, ITEM_CHARS_MAX)


def pieces_of_passage(units: Sequence[Unit]) -> list[str]:
    """The pieces of a document's passage whose units are known; none where there is no unit."""
    return [piece.text for piece in _pieces_of(units)]


def length(text: str) -> float:
    """Return the length in words, where a CJK character counts six tenths of a word."""
    if text.isascii():
        return float(len(text.split()))
    spaced, cjk = CHARACTER.subn(" ", text)
    return len(spaced.split()) + CJK_LENGTH * cjk


def weight(text: str) -> float:
    """Guess, rather too high than too low, how many word-piece tokens a text makes.

    Calibrated against the tokenizer of MiniLM: short words are one token, longer ones cost
    by their letters, and what English has no words for costs by the character. Of 7,000
    pieces of conversations none has more than 250 tokens; of Python sources 1 piece in 80
    has more than 256, which the embedder takes in windows.
    """
    runs = _RUN.findall(text)
    if _KEY.search(text) is None:
        return sum(map(_run_weight, runs))
    return sum(
        _run_weight(run) if len(run) <= WORD_CHARS_MAX else len(run) / RARE_CHARS for run in runs
    )


@lru_cache(maxsize=8192)
def _run_weight(run: str) -> float:
    """The weight of a run that may be a word; most words of a text were weighed before."""
    chars = len(run)
    if chars == 1:
        return HANGUL_WEIGHT if _HANGUL.match(run) else 1.0
    return max(1.0, chars / 4) if run.isalpha() else chars / RARE_CHARS


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
    plain = text.isascii()
    is_short = plain and len(text) < 2 * LENGTH_MAX  # a word takes two, with the space behind it
    if not is_short and length(text) > LENGTH_MAX:
        return False
    heaviest = HANGUL_WEIGHT if not plain and _HANGUL.search(text) else 1.0
    return len(text) * heaviest <= WEIGHT_MAX or weight(text) <= WEIGHT_MAX


def _fits_before(name: str, text: str) -> bool:
    """True if the window has room for a name before a text that fits."""
    own = weight(name)
    return own <= NAME_WEIGHT_MAX or own + weight(text) <= WEIGHT_MAX


class _Piece(NamedTuple):
    """A piece of a passage, and what introduces it."""

    text: str
    lead: str


def _pieces_of(units: Sequence[Unit]) -> Iterator[_Piece]:
    """Sentences and lines, each with the headings and marks before it; code in larger pieces."""
    held: list[int] = []
    held_length = 0.0
    for number, unit in enumerate(units):
        added = length(unit.text)
        if held and _is_full(units, held, held_length, unit, added):
            yield from _joined(units, held)
            held, held_length = [], 0.0
        held.append(number)
        held_length += added if unit.kind in (UnitKind.PROSE, UnitKind.LINE) else 0.0
    if held:
        yield from _joined(units, held)


def _is_full(
    units: Sequence[Unit], held: Sequence[int], held_length: float, unit: Unit, added: float
) -> bool:
    """True where a unit begins a piece of its own, the units held being enough for one."""
    if unit.kind is UnitKind.HEADING:
        return held_length > 0
    if unit.kind is UnitKind.MARK:
        return False
    coded = unit.leads and units[unit.leads[-1]].kind is UnitKind.MARK
    if coded and units[held[-1]].leads == unit.leads:
        return held_length + added > CODE_LENGTH_MAX
    return held_length >= LINE_LENGTH_MIN


def _joined(units: Sequence[Unit], numbers: Sequence[int]) -> Iterator[_Piece]:
    """The piece of some units, in parts where it is too long; marks introduce nothing."""
    leads = {lead for number in numbers for lead in units[number].leads} - set(numbers)
    lead = " ".join(
        units[lead].text for lead in sorted(leads) if units[lead].kind is not UnitKind.MARK
    )
    text = " ".join(units[number].text for number in numbers)
    pieces = [text] if _fits(text) else _packed(_parts(text), PACKED_LENGTH_MAX)
    return (_Piece(piece, lead) for piece in pieces)


def _introduced(text: str, lead: str) -> str:
    """A piece behind its lead, where the window has room for both."""
    return f"{lead} {text}" if lead and weight(lead) + weight(text) <= WEIGHT_MAX else text


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
        is_plain = len(word) <= WORD_CHARS_MAX and word.isascii() and word.isalnum()
        part = _Part(word, 1.0, _run_weight(word)) if is_plain else _measured(word)
        if part.fits:
            yield part
        else:
            yield from map(_measured, _cut(word))


def _cut(word: str) -> Iterator[str]:
    size = CUT_CHARS_MAX
    if _HANGUL.search(word):
        size = int(WEIGHT_MAX / HANGUL_WEIGHT)
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
