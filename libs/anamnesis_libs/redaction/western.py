"""People named in Latin script: rules over a lexicon, no model.

A run of capitalised words is a person if a title, "my name is" or a field for names stands before
it, or if it holds a given name: with a word after it whatever the name, alone only if it is not
also a word, a place or a product.
"""

import re
from collections.abc import Iterator, Sequence

from anamnesis_libs.redaction.lexicon import Lexicon, load_lexicon
from anamnesis_libs.redaction.wordlist import words

_LETTER = r"A-Za-z\u00c0-\u024f"
_WORD = rf"[A-Z\u00c0-\u00de\u0100-\u017f][{_LETTER}]{{1,40}}+(?:['’-][{_LETTER}]{{2,40}}+){{0,3}}"
_PART = (
    rf"(?: (?:van|von|der|den|de|da|di|del|la|le|bin|ibn|al|el)){{0,2}} (?:[A-Z]\.?(?= )|{_WORD})"
)
_RUN = re.compile(
    rf"(?<![{_LETTER}0-9_@/\\.$#-]){_WORD}(?:{_PART}){{0,4}}"
    rf"(?![{_LETTER}0-9_@(\\/=-])(?!\.[A-Za-z0-9])(?!['’](?!s(?![a-z]))[a-z])"
)
_TITLE = re.compile(
    r"\b(?:Dr|Mr|Mrs|Ms|Miss|Mx|Prof|Professor|Sir|Madam|Herr|Frau|Mme|Señora?)\.? $"
)
_INITIAL = re.compile(r" [A-Z]\.? ")
_TITLES = words("Dr Mr Mrs Ms Miss Mx Prof Professor Sir Madam Herr Frau Mme Dear Hi Hello Hey")
_NAMED = re.compile(
    r"(?:\b(?:my|his|her|their|whose) name is|\bname'?s"
    r"|\b(?:full |last |first |user )?name[\"']?\s?[:=]"
    r"|\b(?:named|called)|^(?:from|to|cc|author|reviewer|attendees?|signed[- ]off[- ]by)\s?[:=])"
    r"[ \t]{0,4}[\"'“]?$",
    re.IGNORECASE | re.MULTILINE,
)
_SAID_NAME = re.compile(
    rf"\b[Mm]y name is ([{_LETTER}]{{2,40}}+(?: [{_LETTER}]{{2,40}}+)?)(?![{_LETTER}0-9_])"
)
_AFTER_A_NAME = words("and or but from in is the i not a an with")
# Capitalised in a heading or at the head of a sentence, and never a part of a name.
_BETWEEN_NAMES = words(
    "I Me My You Your We Us Our It Its He She They The A An And Or But If In On At To Of For"
    " From By With As Is Are Was Were Do Does Did Not No Yes What When Where Who Why How This That"
    " So Then"
)
_NO_PERSON = words(
    "Street Station River University College Hospital Airport Avenue Road Park Lake Bridge Inc Ltd"
    " LLC GmbH Corp Corporation Company Bank Group Foundation Institute School Award Prize Square"
    " Media Job Case Review Pages Manager Festival Description Studies Startup Wars Women Cinema"
    " Library Island Orchestra Investments Day Week Month Year API Server Service Cloud Code Studio"
)
_BEFORE_CHARS = 40
_LONG_NAME_WORDS = 2


class Western:
    """Finds people with names in Latin script."""

    def __init__(self, lexicon: Lexicon | None = None) -> None:
        self._lexicon = lexicon or load_lexicon()

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where people are named."""
        for run in _RUN.finditer(text):
            for start, stop in _between(text, *run.span()):
                first = self._first(text, start, stop)
                if first < stop:
                    yield first, stop
        for said in _SAID_NAME.finditer(text):
            said_words = said[1].split()
            last = len(said_words) > 1 and said_words[1].lower() not in _AFTER_A_NAME
            yield said.start(1), said.end(1) if last else said.start(1) + len(said_words[0])

    def _first(self, text: str, start: int, end: int) -> int:
        """The start of a person's name in a run of capitalised words; `end` if there is none."""
        run = text[start:end].split(" ")
        if not _NO_PERSON.isdisjoint(run):
            return end
        before = text[max(0, start - _BEFORE_CHARS) : start]
        if _TITLE.search(before) or (_NAMED.search(before) and self._may_be(run)):
            return start
        if _INITIAL.search(text, start, end) or self._ends_in_a_surname(run):
            return start
        here = start
        for place, word in enumerate(run):
            if word in _TITLES and place + 1 < len(run):
                return here + len(word) + 1
            if word in self._lexicon.given and self._is_person(run[place:]):
                return here
            here += len(word) + 1
        return end

    def _may_be(self, run: Sequence[str]) -> bool:
        return len(run) >= _LONG_NAME_WORDS or run[0] in self._lexicon.given

    def _ends_in_a_surname(self, run: Sequence[str]) -> bool:
        lexicon = self._lexicon
        return (
            len(run) == _LONG_NAME_WORDS
            and run[1] in lexicon.surnames
            and run[1] not in lexicon.given
            and lexicon.ambiguous.isdisjoint(run)
            and run[0] not in _TITLES
        )

    def _is_person(self, run: Sequence[str]) -> bool:
        """True if words that begin with a given name are a person's name."""
        lexicon = self._lexicon
        if len(run) == 1:
            return run[0] not in lexicon.ambiguous
        last = run[-1]
        return last in lexicon.surnames or last not in lexicon.ambiguous


def _between(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The parts of a run of capitalised words that no other word parts."""
    first = here = start
    for word in text[start:end].split(" "):
        if word in _BETWEEN_NAMES:
            if first < here:
                yield first, here - 1
            first = here + len(word) + 1
        here += len(word) + 1
    if first < end:
        yield first, end
