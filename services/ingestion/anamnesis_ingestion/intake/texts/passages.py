"""Passages of a text: the content and the name of each event of its session.

A passage is one block, or several that belong together:

- headings, with the first block under them;
- a paragraph or list that ends in a colon, with the block after it; a paragraph whose last
  sentence has no end, with a list, table or code after it;
- blocks without a blank line between them.

Blocks are joined while they fit an event. If a paragraph that ends in a colon and the next block do
not fit together, the paragraph's last sentence (or the list's last item) goes with the first part
of that block.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from anamnesis_ingestion.intake.texts.blocks import Block, BlockKind, blocks_of
from anamnesis_ingestion.intake.texts.lines import breaks_off, is_titled, leads_on, marker_of
from anamnesis_ingestion.intake.texts.names import Headings, document_of, title_of
from anamnesis_ingestion.intake.texts.splitting import parts_of, sentences

EVENT_CHARS_MAX = 2000
_LEAD_CHARS_MAX = EVENT_CHARS_MAX // 2
"""A longer introduction is not repeated into the first part of a block that has to be split."""
_SHORT_LINE_LEVEL = 1
_HEADS = frozenset({BlockKind.HEADING, BlockKind.SHORT})


@dataclass(frozen=True, slots=True)
class Passage:
    """The content of one event, and its name: the document and headings it is from."""

    name: str
    content: str


def passages_of(text: str, label: str = "") -> Iterator[Passage]:
    """Yield the passages of a text, of at most 2,000 characters unless one sentence is longer.

    In a text without Markdown headings, short lines that stand alone are headings of one level.
    """
    blocks = list(blocks_of(text))
    headed = (
        BlockKind.HEADING
        if any(block.kind is BlockKind.HEADING for block in blocks)
        else BlockKind.SHORT
    )
    document = document_of(label) or _title(blocks, headed)
    return _Passages(Headings(document), headed).of(blocks)


def _title(blocks: list[Block], headed: BlockKind) -> str:
    """Return the first heading of the highest level; a short line, if the text begins with it."""
    if headed is BlockKind.SHORT:
        return title_of(blocks[0].text) if blocks and _is_title(blocks[0]) else ""
    titles = ((block.level, title_of(block.lines[0])) for block in blocks if block.kind is headed)
    named = [(level, title) for level, title in titles if title]
    return min(named, key=lambda one: one[0])[1] if named else ""


def _is_title(block: Block) -> bool:
    """True if a block is a short line that can serve as a heading in names."""
    return block.kind is BlockKind.SHORT and is_titled(block.text.strip())


@dataclass(frozen=True, slots=True)
class _Piece:
    """A block, or a part of one; `space` separates it from the piece before it."""

    space: str
    text: str
    kind: BlockKind


class _Passages:
    """Collects pieces into a passage until the next block does not belong to it."""

    def __init__(self, headings: Headings, headed: BlockKind) -> None:
        self._headings = headings
        self._headed = headed
        self._held: list[_Piece] = []
        self._size = 0
        self._kinds: set[BlockKind] = set()

    def of(self, blocks: Iterable[Block]) -> Iterator[Passage]:
        """Yield the passages of all blocks."""
        for block in blocks:
            if block.kind is BlockKind.HEADING:
                yield from self._head(block)
            elif block.kind is BlockKind.SHORT:
                yield from self._short(block)
            else:
                yield from self._add(block)
        yield from self._done()

    def _head(self, block: Block) -> Iterator[Passage]:
        if not self._kinds <= {BlockKind.HEADING}:
            yield from self._done()
        yield from self._hold(block.text, block.kind, "\n")
        self._headings.enter(block.level, title_of(block.lines[0]))

    def _short(self, block: Block) -> Iterator[Passage]:
        """Hold a short line for the next block; it opens a heading in a text that marks none."""
        text = block.text.strip()
        if self._leads_to(BlockKind.PROSE) and not self._only_heads:
            yield from self._hold(text, BlockKind.PROSE, "\n\n")
            return
        if not self._only_heads:
            yield from self._done()
        yield from self._hold(text, block.kind, "\n")
        if self._headed is BlockKind.SHORT and _is_title(block):
            self._headings.enter(_SHORT_LINE_LEVEL, title_of(text))

    def _add(self, block: Block) -> Iterator[Passage]:
        text = block.text.strip("\n").rstrip()
        text = text.lstrip() if block.kind is BlockKind.PROSE else text
        if not (block.glued or self._leads_to(block.kind)):
            yield from self._done()
        space = "\n" if block.glued or self._only_heads else "\n\n"
        if self._fits(text, space):
            self._append(text, block.kind, space)
            return
        lead = self._take_lead() if self._leads_to(block.kind) else []
        yield from self._done()
        for piece in lead:
            self._append(piece.text, piece.kind, piece.space)
        if self._fits(text, space):
            self._append(text, block.kind, space)
            return
        room = EVENT_CHARS_MAX - self._size - len(space if self._held else "")
        for number, part in enumerate(parts_of(block, room, EVENT_CHARS_MAX)):
            if number:
                yield from self._done()
            self._append(part, block.kind, space)

    @property
    def _only_heads(self) -> bool:
        return self._kinds <= _HEADS

    def _leads_to(self, kind: BlockKind) -> bool:
        """True if the pieces held introduce the next block, which is of this kind."""
        if not self._held or self._only_heads:
            return bool(self._held)
        last = self._held[-1]
        if last.kind not in {BlockKind.PROSE, BlockKind.LIST}:
            return False
        broken = last.kind is BlockKind.PROSE is not kind and breaks_off(last.text)
        return broken or leads_on(last.text)

    def _take_lead(self) -> list[_Piece]:
        """Take the introduction of the next block out of the pieces held; none if it is too long.

        It is the last sentence or item, with the headings if nothing else is held.
        """
        *held, last = self._held
        before, lead = ("", last.text) if self._only_heads else _parted(last)
        rest = [*held, _Piece(last.space, before, last.kind)]
        taken = [_Piece(last.space, lead, last.kind)]
        if not before and all(piece.kind in _HEADS for piece in held):
            rest, taken = [], [*held, *taken]
        if sum(len(piece.space) + len(piece.text) for piece in taken) > _LEAD_CHARS_MAX:
            return []
        self._held = [piece for piece in rest if piece.text]
        return taken

    def _hold(self, text: str, kind: BlockKind, space: str) -> Iterator[Passage]:
        if not self._fits(text, space):
            yield from self._done()
        self._append(text, kind, space)

    def _fits(self, text: str, space: str) -> bool:
        return self._size + len(space if self._held else "") + len(text) <= EVENT_CHARS_MAX

    def _append(self, text: str, kind: BlockKind, space: str) -> None:
        piece = _Piece(space if self._held else "", text, kind)
        self._held.append(piece)
        self._kinds.add(kind)
        self._size += len(piece.space) + len(text)

    def _done(self) -> Iterator[Passage]:
        if self._held:
            content = "".join(piece.space + piece.text for piece in self._held)
            yield Passage(self._headings.name, content)
        self._held, self._size, self._kinds = [], 0, set()


def _parted(piece: _Piece) -> tuple[str, str]:
    """Return a paragraph without its last sentence, or a list without its last item; and that."""
    if piece.kind is BlockKind.LIST:
        lines = piece.text.split("\n")
        at = max(at for at, line in enumerate(lines) if not at or marker_of(line) is not None)
        return "\n".join(lines[:at]).rstrip(), "\n".join(lines[at:])
    *before, last = filter(str.strip, sentences(piece.text, EVENT_CHARS_MAX))
    return "".join(before).rstrip(), last.strip()
