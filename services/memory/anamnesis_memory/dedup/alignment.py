"""Two texts laid side by side: what was put in, taken out, or put instead of something.

Sentences that both have are left out before. What is left is aligned only where it is short, so
that the time stays linear in the length of the texts.
"""

from dataclasses import dataclass
from difflib import SequenceMatcher

from anamnesis_memory.dedup.reading import Token, TokenReading

TOKENS_MAX = 400
"""More differing tokens than this are not aligned: such texts are no rewording of one lesson."""

Tokens = tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """Tokens of `a` and of `b` in the same place; one side may be empty."""

    a: Tokens
    b: Tokens


@dataclass(frozen=True, slots=True)
class Alignment:
    """The differences of two texts, and the share of their words that they have in common.

    `lengths` is the shorter text's share of the longer one; both are from 0 to 1.
    """

    blocks: tuple[Block, ...]
    shared: float
    lengths: float


def aligned(a: TokenReading, b: TokenReading) -> Alignment | None:
    """Align the words that speak; None where too much is left to align."""
    ours, theirs, common = _trimmed(a.spoken, b.spoken)
    if len(ours) > TOKENS_MAX or len(theirs) > TOKENS_MAX:
        return None
    keys = [token.key for token in ours], [token.key for token in theirs]
    codes = SequenceMatcher(None, *keys, autojunk=False).get_opcodes()
    blocks = tuple(
        Block(ours[start:end], theirs[first:last])
        for what, start, end, first, last in codes
        if what != "equal"
    )
    equal = common + sum(end - start for what, start, end, _, _ in codes if what == "equal")
    total = len(a.spoken) + len(b.spoken)
    longer = max(len(a.spoken), len(b.spoken))
    if not longer:
        return Alignment(blocks, 1.0, 1.0)
    return Alignment(blocks, 2 * equal / total, (total - longer) / longer)


def _trimmed(a: Tokens, b: Tokens) -> tuple[Tokens, Tokens, int]:
    """Without the common beginning and end, and how many tokens these have."""
    head = common_prefix(a, b)
    a, b = a[head:], b[head:]
    tail = common_prefix(a[::-1], b[::-1])
    return a[: len(a) - tail], b[: len(b) - tail], head + tail


def common_prefix(a: Tokens, b: Tokens) -> int:
    """Number of tokens with which both begin alike."""
    pairs = enumerate(zip(a, b, strict=False))
    return next((at for at, (one, other) in pairs if one.key != other.key), min(len(a), len(b)))


def said(tokens: Tokens) -> str:
    """Tokens as one text, Chinese ones without spaces."""
    words = [token.text if token.text > "\u3400" else f" {token.text} " for token in tokens]
    return " ".join("".join(words).split())
