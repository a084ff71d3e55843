"""Runs of capitalised words in a text: what may be a name, with what stands at its edges cut off.

A run goes on over one space, `&`, the `of` of `University of Tartu` and the `de` of `Rio de
Janeiro`. A possessive ends it. File names, paths, handles and calls of functions are none.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from anamnesis_ingestion.learning.local.english_words import words_of
from anamnesis_ingestion.learning.local.naming.english_cues import OF_HEADS
from anamnesis_ingestion.learning.local.naming.english_ordinary import (
    CALENDAR,
    GRAMMAR,
    is_ordinary,
)

_UPPER = (
    r"A-Z\u00c0-\u00d6\u00d8-\u00de\u0100\u010c\u0112\u0141\u0150\u0158\u015a\u0160\u017b\u017d"
)
_LATIN = r"A-Za-z0-9\u00c0-\u024f"
_TOKEN = re.compile(
    rf"(?<![{_LATIN}_@/\\.$#-])"
    rf"(?:(?:[A-Z]\.){{2,}}|(?:Mt|St|[A-Z])\.(?= [A-Z])|(?:Inc|Ltd|Corp|Co)\."
    rf"|[{_UPPER}][{_LATIN}]*(?:[-'’&+][{_LATIN}]+)*(?:\.(?:js|io|ai)\b)?[+#]*)"
    rf"(?![{_LATIN}_@(\\/=]|\.[{_LATIN}_/]|::)"
)
_GAP = re.compile(r" | & |, (?=(?:Inc|Ltd|LLC|Corp)\b)")
_OF_GAP = re.compile(r" of (?:the )?")
_PARTICLE_GAP = re.compile(
    r" (?:van|von|der|den|de|da|di|del|la|le|dos|bin|ibn|al|el)(?: (?:la|der|los))? "
)
_POSSESSIVE = re.compile(r"['’]s?$")
_SENTENCE_START = re.compile(
    r"(?:^|[.!?…:;]+[\"'”’)\]]*\s|\n[\s>*•#|-]*(?:\d{1,2}[.)]\s)?|[。！？]\s*|[*_|#>•—(\[\"“«])"
    r"[\s\"'“‘(\[«*_]*$"
)
_BEFORE_CHARS = 12
_FOR_SHORT = " for short"
_ABBREVIATION = re.compile(r"\b(?:Dr|Mr|Mrs|Ms|Prof|St|Mt|vs|No|[A-Z])\.\s$")
_EDGES = GRAMMAR | CALENDAR | words_of("i i'm aunt uncle grandma grandpa cousin auntie dear")
_TITLES = words_of("Dr Mr Mrs Ms Miss Mx Prof Professor Sir Dr. Mr. Mrs. Ms. Prof.")


@dataclass(frozen=True, slots=True)
class Token:
    """A word at [start, end) of a text."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CapitalRun:
    """Words that stand together; `opens` says that a sentence begins with them."""

    tokens: tuple[Token, ...]
    opens: bool
    joined: str

    @property
    def start(self) -> int:
        """The position at which the run begins."""
        return self.tokens[0].start

    @property
    def end(self) -> int:
        """The position at which the run ends."""
        return self.tokens[-1].end

    @property
    def words(self) -> Sequence[str]:
        """The words of the run, small ones between them included."""
        return self.joined.split()


def runs(text: str) -> Iterator[CapitalRun]:
    """Each run of capitalised words, in order, trimmed; none of ordinary words alone."""
    for tokens in _groups(text):
        opens = opens_sentence(text, tokens[0].start)
        if len(tokens) > 1 and text.startswith(_FOR_SHORT, tokens[-1].end):
            short = tokens.pop()
            yield CapitalRun((short,), opens=False, joined=short.text)
        kept, cut = _trimmed(tokens, opens=opens)
        if kept:
            yield CapitalRun(kept, opens and not cut, text[kept[0].start : kept[-1].end])


def opens_sentence(text: str, start: int) -> bool:
    """True if a word stands at a position where any word is capitalised."""
    before = text[max(0, start - _BEFORE_CHARS) : start]
    if _ABBREVIATION.search(before):
        return False
    return bool(_SENTENCE_START.search(before)) if before.strip() else start <= _BEFORE_CHARS


def is_title_case(sentence: str) -> bool:
    """True if a sentence capitalises words of grammar too, so that its capitals tell nothing."""
    inside = sentence.split()[1:]
    shown = [word for word in inside if word[:1].isupper() and word.casefold() in _TELLING]
    shouted = sentence.isupper() and len(inside) > 2
    return shouted or bool(shown)


_TELLING = words_of(
    "of and or in on at for with about this that is are not to by from do does your"
)


def _groups(text: str) -> Iterator[list[Token]]:
    group: list[Token] = []
    for match in _TOKEN.finditer(text):
        bare = _POSSESSIVE.sub("", match.group())
        token = Token(bare, match.start(), match.start() + len(bare))
        if group and not _joins(text, group[-1], token):
            yield group
            group = []
        if token.text in _TITLES or token.text.casefold() in {"i", "i'm", "i've", "i'll", "i'd"}:
            if group:
                yield group
            group = []
            continue
        group.append(token)
    if group:
        yield group


def _joins(text: str, last: Token, token: Token) -> bool:
    gap = text[last.end : token.start]
    if _GAP.fullmatch(gap) or _PARTICLE_GAP.fullmatch(gap):
        return True
    return last.text in OF_HEADS and _OF_GAP.fullmatch(gap) is not None


def _trimmed(tokens: Sequence[Token], *, opens: bool) -> tuple[tuple[Token, ...], bool]:
    """The tokens without those at the edges that are no part of a name; whether the first went."""
    first, last = 0, len(tokens)
    while first < last and _is_edge(tokens[first].text, ordinary=opens and first == 0 and last > 1):
        first += 1
    while last > first and tokens[last - 1].text.casefold() in _EDGES:
        last -= 1
    return tuple(tokens[first:last]), first > 0


def _is_edge(word: str, *, ordinary: bool) -> bool:
    low = word.casefold().replace("’", "'")
    return low in _EDGES or (ordinary and word not in OF_HEADS and is_ordinary(word))
