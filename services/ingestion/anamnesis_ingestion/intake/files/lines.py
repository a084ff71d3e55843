"""Cuts a stream of bytes into lines, whatever the chunks.

A line ends at LF or CR LF. Nothing but the current line is held, and of a line that is too long not
even that: its bytes are let go as they come, and the line is reported without its text.
"""

from collections.abc import Iterator
from dataclasses import dataclass

_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class RawLine:
    """A line without its ending; `raw` is None where it was longer than allowed."""

    number: int
    raw: bytes | None


class LineSplitter:
    """Splits chunks into lines of at most `line_bytes_max` bytes, the ending not counted."""

    def __init__(self, line_bytes_max: int) -> None:
        self._bytes_max = line_bytes_max
        self._held: list[bytes] = []
        self._length = 0
        self.lines = 0

    @property
    def held_bytes(self) -> int:
        """Number of bytes of the current line in memory, at most."""
        return min(self._length, self._bytes_max)

    def feed(self, chunk: bytes) -> Iterator[RawLine]:
        """Yield the lines that this chunk completes."""
        *ended, rest = chunk.split(b"\n")
        for piece in ended:
            self._hold(piece)
            yield self._end_line()
        self._hold(rest)

    def close(self) -> Iterator[RawLine]:
        """Yield the last line, if the stream did not end with a line's ending."""
        if self._length:
            yield self._end_line()

    def _hold(self, piece: bytes) -> None:
        self._length += len(piece)
        # One byte and a mark more than allowed: a CR may be the first half of the ending.
        if self._length > self._bytes_max + len(_BOM) + 1:
            self._held.clear()
        elif piece:
            self._held.append(piece)

    def _end_line(self) -> RawLine:
        raw, complete = b"".join(self._held), sum(map(len, self._held)) == self._length
        self._held.clear()
        self._length = 0
        self.lines += 1
        raw = raw.removesuffix(b"\r")
        if self.lines == 1:
            raw = raw.removeprefix(_BOM)
        fits = complete and len(raw) <= self._bytes_max
        return RawLine(self.lines, raw if fits else None)
