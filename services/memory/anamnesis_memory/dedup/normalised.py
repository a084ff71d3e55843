"""The normal form in which identical texts are equal, and the digest that finds such a text."""

import hashlib
import unicodedata
from itertools import pairwise

DIGEST_BYTES = 16
_SEPARATOR = b"\x00"


def normal_form(text: str) -> str:
    """Fold case, full-width forms (NFKC), spaces and line breaks.

    Spaces beside a Chinese character say nothing and go; others become one. Idempotent.
    """
    folded = _folded(text)
    while (again := _folded(folded)) != folded:
        folded = again
    words = folded.split()
    joined = [words[0]] if words else []
    for before, word in pairwise(words):
        glued = is_wide(before[-1]) or is_wide(word[0])
        joined.append(word if glued else f" {word}")
    return "".join(joined)


def content_digest(kind: str, category: str, scope: str, text: str) -> bytes:
    """Sixteen bytes of SHA-256 that identical lessons share.

    Args:
        kind: the kind of memory.
        category: its category.
        scope: who may see it; texts of different scopes are never one.
        text: as it was sent; its normal form is digested.
    """
    parts = (kind, category, scope, normal_form(text))
    framed = b"".join(
        str(len(part.encode())).encode() + _SEPARATOR + part.encode() for part in parts
    )
    return hashlib.sha256(framed).digest()[:DIGEST_BYTES]


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def is_wide(char: str) -> bool:
    """True of a Chinese character or sign, beside which spaces say nothing."""
    if unicodedata.combining(char):
        return False
    return "\u3000" <= char <= "\u9fff" or "\uf900" <= char <= "\ufaff"
