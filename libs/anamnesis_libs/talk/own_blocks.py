"""The blocks that `BuildContext` writes, found again in a text that somebody hands in.

A prompt that was told memories is itself taken in later: a transcript, a tool's output, a message.
What a block tells is known already, in the words of whoever said it. Taken in once more it would be
found beside what it repeats, and count as said again. So whole blocks are left out before anything
is stored; one that was cut off at an end stays, and is not learned from.

Reading is linear in the length of a text: one scan for what opens a block, one for what closes it.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator

_OPENS = re.compile(r"<memory_context\b[^<>]{0,500}>", re.IGNORECASE)
_CLOSES = re.compile(r"</memory_context\s{0,50}>", re.IGNORECASE)


def own_blocks(text: str) -> Iterator[tuple[int, int]]:
    """Whole blocks as [start, end), each from what opens it to the first that closes it."""
    ends = [closing.span() for closing in _CLOSES.finditer(text)]
    at = 0
    for opening in _OPENS.finditer(text):
        place = bisect_left(ends, (opening.end(), 0))
        if opening.start() >= at and place < len(ends):
            at = ends[place][1]
            yield opening.start(), at


def without_own_blocks(text: str) -> str:
    """The text without whole blocks; the same text where it has none."""
    parts, at = [], 0
    for start, end in own_blocks(text):
        parts.append(text[at:start].rstrip())
        at = end
    if not at:
        return text
    return "\n".join(part for part in (*parts, text[at:].strip()) if part.strip()).strip()
