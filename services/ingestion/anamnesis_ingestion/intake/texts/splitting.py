"""Split a block that is too long for one event into parts that can be read alone.

Prose is split at sentences, code at lines, a list at items, a table at rows. Each part of code
repeats the fences, each part of a table the header. A sentence or line is never split below
100,000 characters, so a part may be longer than asked for.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from anamnesis_ingestion.intake.texts.blocks import Block, BlockKind, blocks_of
from anamnesis_ingestion.intake.texts.lines import is_indented, marker_of

SENTENCE_CHARS_MAX = 100_000
"""A longer sentence is split anywhere: an event takes 1 MiB."""

# A dot inside a word ends nothing: an address or a key stays whole, or it would not be known.
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])\s*")


def parts_of(block: Block, first_chars: int, chars: int) -> Iterator[str]:
    """Yield the parts of a block: the first of at most `first_chars` characters, then `chars`."""
    match block.kind:
        case BlockKind.CODE:
            return _parts_of_code(block, first_chars, chars)
        case BlockKind.TABLE:
            return _parts_of_table(block, first_chars, chars)
        case BlockKind.LIST:
            return _packed(_items(block, chars), first_chars, chars)
        case _:
            return _packed(sentences(block.text, chars), first_chars, chars)


def sentences(text: str, chars: int) -> Iterator[str]:
    """Yield sentences with the space after them; of a longer sentence, its lines."""
    ends = (found.end() for found in _SENTENCE_END.finditer(text))
    for start, end in pairwise((0, *ends, len(text))):
        sentence = text[start:end]
        if len(sentence) <= chars:
            yield sentence
        else:
            for line in sentence.splitlines(keepends=True):
                yield from _short(line)


def _short(line: str) -> Iterator[str]:
    for start in range(0, len(line), SENTENCE_CHARS_MAX):
        yield line[start : start + SENTENCE_CHARS_MAX]


def _packed(units: Iterable[str], first_chars: int, chars: int) -> Iterator[str]:
    """Join units into parts, as many as fit; white space at the ends of a part is dropped."""
    held: list[str] = []
    size, room = 0, first_chars
    for unit in units:
        if held and size + len(unit.rstrip()) > room:
            yield from _joined(held)
            held, size, room = [], 0, chars
        held.append(unit)
        size += len(unit)
    yield from _joined(held)


def _joined(units: Sequence[str]) -> Iterator[str]:
    part = "".join(units).strip("\n").rstrip()
    if part:
        yield part


def _parts_of_code(block: Block, first_chars: int, chars: int) -> Iterator[str]:
    assert block.fence is not None, "code has a fence"
    opening, *inside = block.lines
    end = inside.pop() if block.is_closed else ""
    closing = end or block.fence.indentation + block.fence.mark
    frame = len(opening) + len(closing) + 2
    units = (piece for line in inside for piece in _short(f"{line}\n"))
    parts = list(_packed(units, first_chars - frame, chars - frame))
    for number, part in enumerate(parts, start=1):
        is_open = number == len(parts) and not block.is_closed
        yield f"{opening}\n{part}" if is_open else f"{opening}\n{part}\n{closing}"


def _parts_of_table(block: Block, first_chars: int, chars: int) -> Iterator[str]:
    """Split at rows; a header that takes more than half of a part is not repeated."""
    header = "".join(f"{line}\n" for line in block.lines[: block.header])
    again = header if len(header) <= chars // 2 else ""
    rows = block.lines[block.header :] if again else block.lines
    units = (piece for row in rows for piece in sentences(f"{row}\n", chars - len(again)))
    for part in _packed(units, first_chars - len(again), chars - len(again)):
        yield again + part


def _items(block: Block, chars: int) -> Iterator[str]:
    """Yield the items of a list with the blank lines after them; of a longer item, its parts."""
    for item in _outermost(block.lines):
        text = "".join(f"{line}\n" for line in item)
        if len(text) <= chars:
            yield text
        else:
            yield from _parts_of_item(item, chars)


def _outermost(lines: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the lines of each top-level item, nested items included."""
    first = is_indented(lines[0])
    starts = [at for at, line in enumerate(lines) if marker_of(line) is not None]
    outer = [at for at in starts if first or not is_indented(lines[at])]
    for start, end in pairwise((*outer, len(lines))):
        yield lines[start:end]


def _parts_of_item(item: Sequence[str], chars: int) -> Iterator[str]:
    """Yield the parts of an item that is too long: its first line, then each block under it."""
    yield from sentences(f"{item[0]}\n", chars)
    for block in blocks_of("\n".join(item[1:])):
        yield from (f"{part}\n" for part in parts_of(block, chars, chars))
