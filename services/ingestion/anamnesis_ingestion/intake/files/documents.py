"""Tells a file that is one JSON document from JSON Lines, and holds the document.

A document holds a conversation as a list of messages, or as an object with such a list under
`loglines` (Claude Code's exports) or `messages` (requests in the OpenAI shape).

Rules of this file:
- JSON Lines flow through as they come; only a document, which nothing can be said of before its
  last byte, is held whole, within a limit.
- A first line that is a JSON value by itself, with more lines after it, is JSON Lines, whatever it
  holds: a line that is a list costs that line.
- A first line that opens a document and does not close it begins a document.
- Everything else is JSON Lines.
"""

import json
import re
from collections.abc import Mapping, Sequence
from enum import Enum, auto

from anamnesis_ingestion.intake.files.document_reading import LISTS
from anamnesis_libs.errors import ResourceExhausted

_BLANK = b"\xef\xbb\xbf \t\r\n"
_HEAD_BYTES = 4096
_DECODED_BYTES_MAX = 1024 * 1024
_OPENS = re.compile(rb'\[\s*\{|\{[ \t\r]*\n\s*"|\{\s*"(?:loglines|messages)"\s*:')
_OPENED = re.compile(rb"[\[{]\s*\Z")


class _Layout(Enum):
    """The layout of a file, as far as it is known; ONE_LINE is a document unless a line follows."""

    UNTOLD = auto()
    ONE_LINE = auto()
    LINES = auto()
    DOCUMENT = auto()


class DocumentHolder:
    """Lets the bytes of JSON Lines through, and holds those of a document."""

    def __init__(
        self, line_bytes_max: int, document_bytes_max: int, announced_bytes: int = 0
    ) -> None:
        self._line_bytes_max = line_bytes_max
        self._document_bytes_max = document_bytes_max
        self._announced_bytes = announced_bytes
        self._layout = _Layout.UNTOLD
        self._held = bytearray()
        self._searched_bytes = 0

    def feed(self, chunk: bytes) -> bytes:
        """Return bytes that are JSON Lines for certain; undecided bytes are held.

        Raises:
            ResourceExhausted: a document is beyond its limit (TOO_LARGE).
        """
        if self._layout is _Layout.LINES:
            return chunk
        self._held += chunk
        if self._layout is _Layout.UNTOLD:
            self._layout = self._told(ended=False)
        elif self._layout is _Layout.ONE_LINE and chunk.strip():
            self._layout = _Layout.LINES
        if self._layout is _Layout.LINES:
            return bytes(self._released())
        told = self._announced_bytes if self._layout is _Layout.DOCUMENT else 0
        if max(told, len(self._held)) > self._document_bytes_max:
            raise too_large("one JSON document", self._document_bytes_max)
        return b""

    @property
    def held_bytes(self) -> int:
        """Number of bytes of the file that are held in memory."""
        return len(self._held)

    def close(self) -> tuple[bytearray, bool]:
        """Return the held bytes, and true if they are a document."""
        if self._layout is _Layout.UNTOLD:
            self._layout = self._told(ended=True)
        return self._released(), self._layout in (_Layout.DOCUMENT, _Layout.ONE_LINE)

    def _released(self) -> bytearray:
        held, self._held = self._held, bytearray()
        return held

    def _told(self, *, ended: bool) -> _Layout:
        start = len(self._held) - len(self._held.lstrip(_BLANK))
        head = bytes(self._held[start : start + _HEAD_BYTES])
        if head and head[:1] not in (b"[", b"{"):
            return _Layout.LINES
        end = self._held.find(b"\n", max(start, self._searched_bytes))
        self._searched_bytes = len(self._held) if end < 0 else start
        if end < 0 and not ended:
            too_long = len(self._held) > self._line_bytes_max and not _OPENS.match(head)
            return _Layout.LINES if too_long else _Layout.UNTOLD
        end = len(self._held) if end < 0 else end
        return _told_by(bytes(self._held[start:end]), bytes(self._held[end:]), head)


def _told_by(first_line: bytes, beyond: bytes, head: bytes) -> _Layout:
    if _is_long_list(first_line, head):
        return _Layout.LINES if beyond.strip() else _Layout.ONE_LINE
    try:
        value = json.loads(first_line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        if _OPENED.match(head):
            return _Layout.UNTOLD
        return _Layout.DOCUMENT if _OPENS.match(head) else _Layout.LINES
    is_message = isinstance(value, Mapping) and "role" in value
    is_document = not is_message and _list_in(value) is not None and not beyond.strip()
    return _Layout.ONE_LINE if is_document else _Layout.LINES


def _is_long_list(line: bytes, head: bytes) -> bool:
    """True for a list of objects that is too long to be decoded for a look at it."""
    is_list = head[:1] == b"[" and _OPENS.match(head) is not None
    return is_list and len(line) > _DECODED_BYTES_MAX and line.rstrip().endswith(b"]")


def _list_in(value: object) -> Sequence[object] | None:
    held = [value.get(key) for key in LISTS] if isinstance(value, Mapping) else [value]
    return next((each for each in held if isinstance(each, list)), None)


def too_large(kind: str, limit_bytes: int) -> ResourceExhausted:
    """Return the error of a file of this kind, which is held, and longer than may be held."""
    return ResourceExhausted(
        f"the file is {kind} larger than {limit_bytes} bytes "
        "(ingestion.document_bytes_max); nothing was stored. Raise the limit, or write one message "
        "a line",
        reason="TOO_LARGE",
        retry_after_s=0.0,
        metadata={"limit_bytes": str(limit_bytes)},
    )
