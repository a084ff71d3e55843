"""A text on its way to be redacted: what was found in it, and what took its place."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter

from anamnesis_libs.redaction.policy import TAG
from anamnesis_libs.redaction.ports import RedactedSpan, Redaction


@dataclass(frozen=True, slots=True)
class Find:
    """Something to be replaced: where it lies in the text as it stands, and by what."""

    start: int
    end: int
    kind: str
    tag: str
    rank: int = 0
    """The rank of the find: at the same place the lower rank names the kind."""


class Draft:
    """A text as it stands, and which parts of it stand for which of the original."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._replaced: list[tuple[int, int, RedactedSpan]] = []

    def replace(self, finds: Iterable[Find]) -> bool:
        """Replace what was found, but nothing of a tag; False if that is nothing."""
        chosen = _merged(sorted(_outside_tags(finds, self.text), key=_precedence))
        if chosen:
            self._put(chosen)
        return bool(chosen)

    def redaction(self) -> Redaction:
        """The text as it stands, with the spans in the original."""
        return Redaction(self.text, tuple(span for _, _, span in self._replaced))

    def _put(self, finds: Sequence[Find]) -> None:
        parts: list[str] = []
        replaced: list[tuple[int, int, RedactedSpan]] = []
        read = written = ahead = 0  # the original is `ahead` of this text
        parted: list[tuple[int, int, RedactedSpan | Find]] = [
            *self._replaced,
            *((find.start, find.end, find) for find in finds),
        ]
        for start, end, what in sorted(parted, key=itemgetter(0)):
            if isinstance(what, Find):
                tag, span = what.tag, RedactedSpan(what.kind, start + ahead, end + ahead)
            else:
                tag, span = self.text[start:end], what
                ahead = span.end - end
            parts += self.text[read:start], tag
            written += start - read + len(tag)
            replaced.append((written - len(tag), written, span))
            read = end
        parts.append(self.text[read:])
        self.text, self._replaced = "".join(parts), replaced


def _precedence(find: Find) -> tuple[int, int, int]:
    return find.start, -find.end, find.rank


def _outside_tags(finds: Iterable[Find], text: str) -> Iterator[Find]:
    """Yield the parts of finds that no tag covers."""
    tags = [match.span() for match in TAG.finditer(text)] if "<" in text else []
    ends = [end for _, end in tags]
    for find in finds:
        start = find.start
        for tag_start, tag_end in tags[bisect_right(ends, start) :]:
            if tag_start >= find.end:
                break
            if start < tag_start:
                yield replace(find, start=start, end=tag_start)
            start = tag_end
        if start < find.end:
            yield find if start == find.start else replace(find, start=start)


def _merged(finds: Sequence[Find]) -> list[Find]:
    """Return the finds (in order of start, longest first) with overlapping ones made one."""
    merged: list[Find] = []
    for find in finds:
        last = merged[-1] if merged else None
        if last is None or find.start >= last.end:
            merged.append(find)
        elif find.end > last.end:
            merged[-1] = replace(last, end=find.end)
    return merged
