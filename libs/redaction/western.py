"""People named in Latin script: rules over a lexicon, no model.

A run of capitalised words is a person if a title, "my name is" or a field for names stands before
it, or if it holds a given name: with a word after it whatever the name, alone only if it is not
also a word, a place or a product.
"""

import re
from collections.abc import Iterator, Sequence

from libs.redaction.lexicon import Lexicon, load_lexicon

_LETTER = r"A-Za-z\u00c0-\u024f"
_WORD = rf"[A-Z\u00c0-\u00de\u0100-\u017f][{_LETTER}]{{1,40}}+(?:['’-][{_LETTER}]{{2,40}}+){{0,3}}"
_PART = (
    rf"(?: (?:van|von|der|den|de|da|di|del|la|le|bin|ibn|al|el)){{0,2}} (?:[A-Z]\.?(?= )|{_WORD})"
)
_RUN = re.compile(
    rf"(?<![{_LETTER}0-9_@/\\.$#-]){_WORD}(?:{_PART}){{0,4}}(?![{_LETTER}0-9_@(\\/=-])(?!\.[A-Za-z0-9])"
)
_TITLE = re.compile(
    r"\b(?:Dr|Mr|Mrs|Ms|Miss|Mx|Prof|Professor|Sir|Madam|Herr|Frau|Mme|Señora?)\.? $"
)
_TITLES = frozenset(
    [
        "Dr",
        "Mr",
        "Mrs",
        "Ms",
        "Miss",
        "Mx",
        "Prof",
        "Professor",
        "Sir",
        "Madam",
        "Herr",
        "Frau",
        "Mme",
        "Dear",
        "Hi",
        "Hello",
    ]
)
_NAMED = re.compile(
    r"(?:\b(?:my|his|her|their|whose) name is|\bname'?s|\b(?:full |last |first |user )?name[\"']?\s?[:=]"
    r"|\b(?:named|called)|^(?:from|to|cc|author|reviewer|attendees?|signed[- ]off[- ]by)\s?[:=])"
    r"[ \t]{0,4}[\"'“]?$",
    re.IGNORECASE | re.MULTILINE,
)
_SAID_NAME = re.compile(
    rf"\b[Mm]y name is ([{_LETTER}]{{2,40}}+(?: [{_LETTER}]{{2,40}}+)?)(?![{_LETTER}0-9_])"
)
_AFTER_A_NAME = frozenset(
    ["and", "or", "but", "from", "in", "is", "the", "i", "not", "a", "an", "with"]
)
_NO_PERSON = frozenset(
    [
        "Street",
        "Station",
        "River",
        "University",
        "College",
        "Hospital",
        "Airport",
        "Avenue",
        "Road",
        "Park",
        "Lake",
        "Bridge",
        "Inc",
        "Ltd",
        "LLC",
        "GmbH",
        "Corp",
        "Company",
        "Bank",
        "Group",
        "Foundation",
        "Institute",
        "School",
        "Award",
        "Prize",
        "Library",
        "Square",
        "Island",
        "Day",
        "Week",
        "Month",
        "Year",
        "API",
        "Server",
        "Service",
        "Cloud",
        "Code",
        "Studio",
    ]
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
            start, end = run.span()
            if text.endswith(("'s", "’s"), start, end):
                end -= 2
            first = self._first(text, start, end)
            if first < end:
                yield first, end
        for said in _SAID_NAME.finditer(text):
            words = said[1].split()
            last = len(words) > 1 and words[1].lower() not in _AFTER_A_NAME
            yield said.start(1), said.end(1) if last else said.start(1) + len(words[0])

    def _first(self, text: str, start: int, end: int) -> int:
        """Where in a run of capitalised words a person's name begins; `end` if there is none."""
        words = text[start:end].split(" ")
        if not _NO_PERSON.isdisjoint(words):
            return end
        before = text[max(0, start - _BEFORE_CHARS) : start]
        if _TITLE.search(before) or (_NAMED.search(before) and self._may_be(words)):
            return start
        for place, word in enumerate(words):
            here = start + len(" ".join(words[:place])) + (place > 0)
            if word in _TITLES and place + 1 < len(words):
                return here + len(word) + 1
            if word in self._lexicon.given and self._is_person(words[place:]):
                return here
        return end

    def _may_be(self, words: Sequence[str]) -> bool:
        return len(words) >= _LONG_NAME_WORDS or words[0] in self._lexicon.given

    def _is_person(self, words: Sequence[str]) -> bool:
        """Whether words that begin with a given name are a person's name."""
        lexicon = self._lexicon
        if len(words) == 1:
            return words[0] not in lexicon.ambiguous
        last = words[-1]
        return last in lexicon.surnames or last not in lexicon.ambiguous
