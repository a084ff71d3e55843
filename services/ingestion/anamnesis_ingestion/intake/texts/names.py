"""Names of passages: the document and the headings above a passage.

A name looks like `facts.md › Two times › As of`. Names are shortened by whole words only: half of
a secret would not be recognised by redaction.
"""

import re
from collections.abc import Iterator, Sequence

from anamnesis_libs.cjk import RANGES

NAME_CHARS_MAX = 256
"""The limit of an event's name."""
SEPARATOR = " › "
ELLIPSIS = "…"

_TITLE_CHARS_MAX = 120
_READ_CHARS_MAX = 2000
_WORD = re.compile(f"[^\\s{RANGES}]+|[{RANGES}]")
_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])")
_TAG = re.compile(r"</?(?:a|b|br|code|em|i|img|kbd|span|strong|sub|sup)\b[^<>]*>", re.IGNORECASE)
_EXTENSION = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,9}\Z")
_PATH = re.compile(r"(?:[/~.]|[A-Za-z]:[/\\])")
_AROUND = "#*_` \t"


class Headings:
    """The headings above a place in a text; each closes those of its level and below."""

    def __init__(self, document: str) -> None:
        self._document = document
        self._open: list[tuple[int, str]] = []

    @property
    def name(self) -> str:
        """The name of a passage at this place."""
        return name_of(self._document, [title for _, title in self._open])

    def enter(self, level: int, title: str) -> None:
        """Open a heading; one without words only closes others."""
        while self._open and self._open[-1][0] >= level:
            self._open.pop()
        if title:
            self._open.append((level, title))


def title_of(line: str) -> str:
    """Return the words of a heading line without its Markdown: `#`, emphasis, links, tags."""
    plain = _TAG.sub("", _LINK.sub(r"\1", line[:_READ_CHARS_MAX])).replace("**", "")
    return _clipped(plain.replace("`", "").strip(_AROUND), _TITLE_CHARS_MAX)


def document_of(label: str) -> str:
    """Return the document's name from its label; of a path, the last part."""
    flat = " ".join(label.split())
    last = re.split(r"[/\\]", flat.rstrip("/\\"))[-1]
    is_path = "://" not in flat and (_PATH.match(flat) or _EXTENSION.search(last))
    return _without_middle(last if is_path and last else flat, NAME_CHARS_MAX)


def name_of(document: str, titles: Sequence[str]) -> str:
    """Return document and titles as a name of at most 256 characters.

    A name that is too long loses titles between the first and the last part, outermost first, then
    words from the middle of the document's name. A first title that repeats the document's name is
    left out.
    """
    path = list(titles)
    if path and _says_same(document, path[0]):
        path = path[1:]
    parts = [part for part in (document, *path) if part]
    for fitting in _shortened(parts):
        if len(fitting) <= NAME_CHARS_MAX:
            return fitting
    behind = (SEPARATOR, *((ELLIPSIS, SEPARATOR) if len(parts) > 2 else ()), parts[-1])
    rest = "".join(behind) if len(parts) > 1 else ""
    return f"{_without_middle(parts[0], NAME_CHARS_MAX - len(rest))}{rest}".removeprefix(SEPARATOR)


def _shortened(parts: Sequence[str]) -> Iterator[str]:
    """Yield the whole name, then shorter ones: titles in the middle go, outermost first."""
    yield SEPARATOR.join(parts)
    for left_out in range(1, len(parts) - 1):
        yield SEPARATOR.join([parts[0], ELLIPSIS, *parts[left_out + 1 :]])


def _says_same(document: str, title: str) -> bool:
    """True if a title repeats the document's name; case, signs and extension do not count."""
    plain = _letters(title)
    return plain != "" and plain in {_letters(document), _letters(_EXTENSION.sub("", document))}


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _clipped(text: str, chars: int) -> str:
    """Return the first words that fit, with an ellipsis if there are more."""
    flat = " ".join(text.split())
    if len(flat) <= chars:
        return flat
    ends = [found.end() for found in _WORD.finditer(flat) if found.end() < chars]
    return f"{flat[: ends[-1]]}{ELLIPSIS}" if ends else ""


def _without_middle(text: str, chars: int) -> str:
    """Return the first and the last words that fit, with an ellipsis between them."""
    if len(text) <= chars:
        return text
    words = list(_WORD.finditer(text))
    half = (chars - len(ELLIPSIS)) // 2
    ends = [word.end() for word in words if word.end() <= half]
    starts = [word.start() for word in words if word.start() >= len(text) - half]
    head, tail = text[: ends[-1]] if ends else "", text[starts[0] :] if starts else ""
    return f"{head}{ELLIPSIS}{tail}" if head or tail else ""
