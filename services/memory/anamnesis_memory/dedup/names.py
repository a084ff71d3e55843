"""Names and identifiers, and what stands in the place of something else.

An identifier (`order_items`, `json.load`, `--no-cache`) is compared as it is written, a name with
a capital letter as a word. Names without a mark (`陈静`, a lower-case table) show only by standing
where the other text, otherwise the same, has something else.
"""

import re
from collections.abc import Iterator

from anamnesis_memory.dedup.alignment import Alignment, said
from anamnesis_memory.dedup.difference import Aspect, Difference
from anamnesis_memory.dedup.reading import Token, TokenForm, TokenReading

REPLACED_SHARED_MIN = 0.3
"""Share of common words from which a place of the one text is a place of the other."""
REPLACED_MAX = 2
"""With more places replaced, a text is reworded rather than changed in what it says."""
REPLACED_TOKENS_MAX = 16
"""Words replaced in one place, both texts together; more are another sentence."""
LENGTHS_MIN = 0.5
"""A text that is shorter than this share of the other leaves out what the other adds."""
_PREFIX_MIN = 4


def name_differences(a: TokenReading, b: TokenReading) -> Iterator[Difference]:
    """Identifiers and names of which each text has its own."""
    ours, theirs = _left(a, b), _left(b, a)
    code_a, code_b = codes(ours), codes(theirs)
    if code_a and code_b:
        yield Difference(Aspect.NAME, code_a[0].text, code_b[0].text)
    elif code_a or code_b:
        yield from _alike(code_a or ours, code_b or theirs)
    names_a, names_b = _names(ours, a, b), _names(theirs, b, a)
    if names_a and names_b:
        yield Difference(Aspect.NAME, names_a[0].text, names_b[0].text)


def _left(of: TokenReading, other: TokenReading) -> tuple[Token, ...]:
    """Words that only one text has, short forms resolved."""
    return tuple(
        token
        for token in of.spoken
        if token.form in {TokenForm.WORD, TokenForm.CODE} and token.key not in other.keys
    )


def codes(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """The identifiers among tokens."""
    return tuple(token for token in tokens if token.form is TokenForm.CODE)


def _alike(one: tuple[Token, ...], other: tuple[Token, ...]) -> Iterator[Difference]:
    """An identifier, and a word of the other text that begins like it."""
    for mine in one:
        for their in other[:50]:
            if _begins_alike(mine.key, their.key) and TokenForm.CODE in {mine.form, their.form}:
                yield Difference(Aspect.NAME, mine.text, their.text)
                return


def _begins_alike(one: str, other: str) -> bool:
    return one[:_PREFIX_MIN] == other[:_PREFIX_MIN] and min(len(one), len(other)) >= _PREFIX_MIN


def _names(tokens: tuple[Token, ...], of: TokenReading, other: TokenReading) -> tuple[Token, ...]:
    if of.is_chinese is not other.is_chinese:
        return ()
    return names(tokens, of)


def names(tokens: tuple[Token, ...], of: TokenReading) -> tuple[Token, ...]:
    """Words of a text that are written as names; in a Chinese text every Latin word is one."""
    return tuple(
        token
        for token in tokens
        if token.form is TokenForm.WORD
        and (
            of.is_chinese or (token.text[:1].isupper() and not token.opens and not _is_shouted(of))
        )
    )


def _is_shouted(of: TokenReading) -> bool:
    return of.text.upper() == of.text


def replaced(a: TokenReading, alignment: Alignment | None) -> Iterator[Difference]:
    """Something else in the same place of texts that are otherwise the same."""
    if (
        alignment is None
        or min(alignment.shared / REPLACED_SHARED_MIN, alignment.lengths / LENGTHS_MIN) < 1
    ):
        return
    swapped = [each for each in alignment.blocks if each.a and each.b]
    if len(swapped) > REPLACED_MAX:
        return
    for block in swapped:
        if len(block.a) + len(block.b) <= REPLACED_TOKENS_MAX:
            aspect = Aspect.CONDITION if _in_condition(a, block.a[0]) else Aspect.NAME
            yield Difference(aspect, said(block.a), said(block.b))


def _in_condition(of: TokenReading, token: Token) -> bool:
    before = of.text[max(0, token.start - _CONDITION_CHARS) : token.start]
    return bool(_CONDITION.search(before))


_CONDITION_CHARS = 80
_CONDITION = re.compile(
    r"(?:\b(?:if|when|whenever|while|unless|during)\b|如果|要是|只要|只|除非)[^,;.!?。:]*$",
    re.IGNORECASE,
)
