"""Finding texts in what is kept: in values of any shape, and in bytes that should not have them.

Case is ignored. A text may be kept in JSON, once or twice escaped, or packed by zlib; in bytes it
may be UTF-8 or UTF-16.
"""

import re
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from anamnesis_memory.ports.life import Occurrence
from anamnesis_memory.storage.unpacking import unpacked

CHUNK_BYTES = 1 << 20
FOLDED_LETTERS_MAX = 3
"""The most letters that one becomes when case is ignored."""
_ESCAPED = re.compile(r'\\+(u[0-9a-fA-F]{4}|["\\/bfnrt])')
_CONTROLS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_ENCODINGS = ("utf-8", "utf-16-le")


class Search:
    """Looks for some texts in one value after another, and counts by place."""

    def __init__(self, needles: Sequence[str]) -> None:
        self._texts = [needle.casefold() for needle in needles]
        self._bytes = [_byte_forms(needle) for needle in needles]
        self._overlap = max((len(form) for forms in self._bytes for form in forms), default=1) - 1
        self._shortest = min((len(needle) // FOLDED_LETTERS_MAX for needle in needles), default=0)
        self._counts: Counter[tuple[str, int]] = Counter()
        self.looked = 0

    @property
    def found(self) -> list[Occurrence]:
        """The occurrences found so far, by place."""
        return [Occurrence(*key, count) for key, count in sorted(self._counts.items())]

    def value(self, place: str, value: object) -> None:
        """Look through a value; what is neither text nor bytes says nothing."""
        if isinstance(value, str):
            self.looked += 1
            if len(value) < self._shortest:
                return
            tallies = zip(*map(self._in_text, _told(value)), strict=True)
            self._note(place, [max(tally) for tally in tallies])
        elif isinstance(value, bytes):
            self.looked += 1
            self._note(place, self._in_bytes(value))
            self._note(place, self._in_bytes(_opened(value)))

    def file(self, path: Path) -> None:
        """Look through the bytes of a file, if it is there; what a chunk's end cuts counts once."""
        if not path.exists():
            return
        self.looked += 1
        with path.open("rb") as opened:
            kept = b""
            while chunk := opened.read(CHUNK_BYTES):
                seen = [self._in_bytes(kept), self._in_bytes(kept + chunk)]
                self._note(path.name, [after - before for before, after in zip(*seen, strict=True)])
                kept = (kept + chunk)[-self._overlap :] if self._overlap else b""

    def _in_text(self, text: str) -> list[int]:
        folded = text.casefold()
        return [folded.count(needle) for needle in self._texts]

    def _in_bytes(self, held: bytes) -> list[int]:
        lowered = held.lower()
        return [sum(map(lowered.count, forms)) for forms in self._bytes]

    def _note(self, place: str, counts: Sequence[int]) -> None:
        for needle, count in enumerate(counts):
            if count > 0:
                self._counts[place, needle] += count


def _byte_forms(needle: str) -> frozenset[bytes]:
    """The forms in which a text may stand in bytes whose ASCII letters are lowercased."""
    forms = (needle, needle.lower(), needle.upper(), needle.casefold())
    return frozenset(form.encode(name).lower() for form in forms for name in _ENCODINGS)


def _told(text: str) -> Iterator[str]:
    """A text as it is, and as it reads where it is JSON."""
    yield text
    if "\\" in text:
        yield (
            _ESCAPED.sub(_character, text)
            .encode("utf-16", "surrogatepass")
            .decode("utf-16", "replace")
        )


def _character(escape: re.Match[str]) -> str:
    code = escape[1]
    return chr(int(code[1:], 16)) if len(code) == 5 else _CONTROLS.get(code, code)


def _opened(packed: bytes) -> bytes:
    """The bytes that were packed; empty if none were."""
    try:
        return unpacked(packed) if packed[:1] == b"x" else b""
    except zlib.error:
        return b""
