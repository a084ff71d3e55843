"""A text as the guard reads it: folded, in tokens and clauses. Linear in its length."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from anamnesis_memory.dedup.quantities import Quantity, quantities
from anamnesis_memory.dedup.words import (
    FUNCTION_CHARS,
    FUNCTION_PHRASES,
    FUNCTION_WORDS,
    NUMERONYM,
    canonical,
    numeronym,
    without_double_negation,
)


class TokenForm(StrEnum):
    """The form of a token."""

    WORD = "word"
    CODE = "code"
    NUMBER = "number"
    HAN = "han"


@dataclass(frozen=True, slots=True)
class Token:
    """One word, identifier, number or Chinese character.

    `key` is what is compared; `clause` counts from 0; `opens` says that a sentence begins with it.
    """

    text: str
    key: str
    form: TokenForm
    start: int
    clause: int
    opens: bool
    grammar: bool = False

    @property
    def speaks(self) -> bool:
        """True if the token is more than grammar."""
        if self.form is TokenForm.HAN:
            return not self.grammar and self.text not in FUNCTION_CHARS
        return self.form is not TokenForm.WORD or self.text.lower() not in FUNCTION_WORDS


@dataclass(frozen=True)
class TokenReading:
    """A text read once, for every aspect."""

    text: str
    tokens: tuple[Token, ...]
    numbers: tuple[Quantity, ...]

    @cached_property
    def keys(self) -> frozenset[str]:
        """The keys of all tokens, for comparison without order."""
        return frozenset(token.key for token in self.tokens)

    @cached_property
    def spoken(self) -> tuple[Token, ...]:
        """Tokens that are more than grammar."""
        return tuple(token for token in self.tokens if token.speaks)

    @cached_property
    def clauses(self) -> dict[int, frozenset[str]]:
        """The keys of each clause's tokens that are more than grammar, by clause."""
        found: dict[int, set[str]] = {}
        for token in self.spoken:
            found.setdefault(token.clause, set()).add(token.key)
        return {clause: frozenset(keys) for clause, keys in found.items()}

    @cached_property
    def is_chinese(self) -> bool:
        """True if the text has more Chinese characters than Latin words."""
        han = sum(token.form is TokenForm.HAN for token in self.tokens)
        return han > sum(token.form in {TokenForm.WORD, TokenForm.CODE} for token in self.tokens)

    def clause_at(self, start: int) -> int:
        """The clause that holds a place of the text."""
        return bisect_right(self.bounds, start)

    def end_before(self, start: int) -> int:
        """The end of the last meaningful token before a place of the text; 0 if there is none."""
        at = bisect_left(self._starts, start)
        return self.spoken[at - 1].start + len(self.spoken[at - 1].text) if at else 0

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        return tuple(token.start for token in self.spoken)

    @cached_property
    def bounds(self) -> tuple[int, ...]:
        """The places where clauses end."""
        return tuple(found.start() for found in _BREAK.finditer(self.text))


_BREAK = re.compile(
    r"[!?;\n]|[.:](?=\s|$)|,(?!\d)|。|、?(?:因为|所以|否则|不然|以免|免得)"
    r"|(?<=\s)(?:because|since|so that|otherwise)(?=\s)",
    re.IGNORECASE,
)
_TOKEN = re.compile(
    r"(?P<code>--?[A-Za-z][\w-]*(?<!-)(?![\w-])"
    r"|(?<![\w/])\.?/?[A-Za-z_]\w*(?:(?:[./:@\\-]|::|->)\w+)*(?:\(\))?(?:[+#]+)?)"
    r"|(?P<number>\d[\d,]*(?:[.:]\d+)*)"
    r"|(?P<han>[\u3400-\u9fff])",
    re.ASCII,
)
_APOSTROPHE = re.compile(r"['’](?:s|re|ve|ll|d|m)\b")
_STRONG = re.compile(r"[_/@\\#+]|\.\w|\(\)|^-|[a-z][A-Z]|[A-Za-z]\d|\d[A-Za-z]|::|->|:\w")
_SENTENCE_END = re.compile(r"[.!?;:\n。]\s*[\"'(]*$")


def fold(text: str) -> str:
    """Full width folded, and quotes made plain; case stays, since names need it."""
    return unicodedata.normalize("NFKC", text).replace("’", "'").replace("`", " ")


def read(text: str) -> TokenReading:
    """Cut a text into tokens."""
    folded = without_double_negation(_APOSTROPHE.sub("", fold(text)))
    numbers = tuple(sorted(quantities(folded), key=lambda each: each.start))
    return TokenReading(folded, tuple(_tokens(folded, numbers)), numbers)


def resolved(of: TokenReading, other: TokenReading) -> TokenReading:
    """Numeronyms (`k8s`) of one text read as the words of the other that they stand for."""
    words = {
        token.text.lower(): token.key for token in other.tokens if token.form is TokenForm.WORD
    }
    short = {token.key for token in of.tokens if NUMERONYM.fullmatch(token.key)}
    keys = {
        key: words[word] for key in short if (word := numeronym(key, frozenset(words))) in words
    }
    tokens = (
        replace(each, key=keys[each.key], form=TokenForm.WORD) if each.key in keys else each
        for each in of.tokens
    )
    return replace(of, tokens=tuple(tokens))


def _tokens(text: str, numbers: Iterable[Quantity]) -> Iterator[Token]:
    breaks = [found.start() for found in _BREAK.finditer(text)]
    clause, waiting = 0, deque(each for each in numbers if not each.weak)
    until = 0
    grammar = {
        at for each in FUNCTION_PHRASES.finditer(text) for at in range(each.start(), each.end())
    }
    for found in _TOKEN.finditer(text):
        start = found.start()
        while waiting and waiting[0].start + len(waiting[0].text) <= start:
            waiting.popleft()
        while clause < len(breaks) and breaks[clause] <= start:
            clause += 1
        if start < until:
            continue
        opens = start == 0 or bool(_SENTENCE_END.search(text[max(0, start - 6) : start]))
        if waiting and waiting[0].start <= start:
            until = waiting[0].start + len(waiting[0].text)
            yield Token(waiting[0].text, waiting[0].key, TokenForm.NUMBER, start, clause, opens)
        else:
            yield Token(found[0], *_form(found), start, clause, opens, start in grammar)


def _form(found: re.Match[str]) -> tuple[str, TokenForm]:
    """The key and the form of a token that is no quantity."""
    word = found[0]
    if found.lastgroup == "han":
        return word, TokenForm.HAN
    if found.lastgroup == "number":
        return word.replace(",", ""), TokenForm.NUMBER
    if _STRONG.search(word):
        return word.removesuffix("()").lower(), TokenForm.CODE
    return canonical(word.lower()), TokenForm.WORD


def is_extra(of: TokenReading, clause: int, other: TokenReading) -> bool:
    """True if the other text speaks of hardly anything that the clause says."""
    keys = of.clauses.get(clause, frozenset())
    return len(keys & other.keys) < EXTRA_SHARED_MAX * len(keys) if keys else True


EXTRA_SHARED_MAX = 0.4
"""A clause of which the other text has less than this share is more of the same, or other news."""
