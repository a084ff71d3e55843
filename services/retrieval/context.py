"""Writing memories into one block of text for a prompt, never over its budget.

    <memory_context source="anamnesis">
    - [§ W-001/R-002/D-003] 2023-05-08, Caroline: I went to the support group.
    </memory_context>

The first line is a marker that never changes: whoever reads a transcript later knows by it
which text was ours and is not to be learned again. Nothing in a memory can end the block early:
such tags are defused. Each entry is one line, so that tokens of lines add up (no token crosses
the end of a line); the whole is counted once more before it is given out.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from libs.tokens import ELLIPSIS, TokenCounter
from services.retrieval.model import Remembered

OPENING = '<memory_context source="anamnesis">'
CLOSING = "</memory_context>"

# A text cut to fewer tokens than this says nothing.
TEXT_TOKENS_MIN = 8
# No entry takes fewer tokens, so a budget bounds how many are tried.
_ENTRY_TOKENS_MIN = 10
_US_PER_S = 1_000_000

_SPACE = re.compile(r"\s+")
_TAG = re.compile(r"<(?=\s*/?\s*memory_context)", re.IGNORECASE)


class Format(StrEnum):
    """How a context is written."""

    MARKDOWN = "markdown"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class Citation:
    """Ties an entry of a context to its memory; `pointer` is as it stands in the text."""

    pointer: str
    memory_id: str


@dataclass(frozen=True, slots=True)
class Context:
    """A block; without text where nothing fits or nothing is relevant."""

    text: str = ""
    token_count: int = 0
    citations: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True)
class _Line:
    """One entry as it is written, its line end included."""

    text: str
    token_count: int
    memory: Remembered


def write_context(
    memories: Sequence[Remembered], budget: int, written: Format, tokens: TokenCounter
) -> Context:
    """The block of the first memories, as many as fit, with what they say cut to fair shares."""
    frame = tokens.count(f"{OPENING}\n") + tokens.count(CLOSING)
    lines = _Writer(_ENTRIES[written], tokens).lines(memories, budget - frame)
    while lines:
        text = "".join([f"{OPENING}\n", *(line.text for line in lines), CLOSING])
        token_count = tokens.count(text)
        if token_count <= budget:
            cited = (Citation(_address(line.memory), line.memory.memory_id) for line in lines)
            return Context(text, token_count, tuple(cited))
        lines = lines[:-1]
    return Context()


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes entries into the room there is."""

    entry: Callable[[Remembered, str], str]
    tokens: TokenCounter

    def lines(self, memories: Sequence[Remembered], room: int) -> list[_Line]:
        """One line a memory; the last memories are left out until the others fit."""
        count = min(len(memories), max(room, 0) // _ENTRY_TOKENS_MIN)
        while count > 0:
            lines = self._shared(memories[:count], room)
            if lines is not None:
                return lines
            count -= 1
        return []

    def _shared(self, memories: Sequence[Remembered], room: int) -> list[_Line] | None:
        """What each needs, or an equal share of what shorter ones leave; None: too little."""
        whole = {at: self._line(memory, room) for at, memory in enumerate(memories)}
        fitted: dict[int, _Line] = {}
        by_need = sorted(whole, key=lambda at: _need(whole[at], room))
        for done, at in enumerate(by_need):
            share = room // (len(by_need) - done)
            line = whole[at]
            if line is None or line.token_count > share:
                line = self._line(memories[at], share)
            if line is None:
                return None
            fitted[at] = line
            room -= line.token_count
        return [fitted[at] for at in range(len(memories))]

    def _line(self, memory: Remembered, room: int) -> _Line | None:
        """The entry in so many tokens, its text cut at a sentence if it must be."""
        allowed = room - self.tokens.count(self.entry(memory, ""))
        said = self._said(memory, allowed)
        while allowed > 0:
            cut = self.tokens.truncate(said, allowed)
            if cut != said and allowed < TEXT_TOKENS_MIN:
                return None
            line = self.entry(memory, cut)
            token_count = self.tokens.count(line)
            if token_count <= room:
                return _Line(line, token_count, memory)
            allowed = min(allowed, self.tokens.count(cut)) - (token_count - room)
        return None

    def _said(self, memory: Remembered, tokens_max: int) -> str:
        """The text; where it has no room, an overview that is more than its beginning."""
        content, overview = _flat(memory.content), _flat(memory.overview)
        if content.startswith(overview.removesuffix(ELLIPSIS)):
            return content
        return content if self.tokens.truncate(content, tokens_max) == content else overview


def _need(line: _Line | None, room: int) -> int:
    return room if line is None else line.token_count


def _markdown(memory: Remembered, text: str) -> str:
    told = ", ".join(filter(None, (_date(memory), _flat(memory.speaker), *memory.caveats)))
    return f"- [{_address(memory)}] {told}: {text}\n"


def _json(memory: Remembered, text: str) -> str:
    entry = {
        "pointer": _address(memory),
        "date": _date(memory),
        "speaker": _flat(memory.speaker),
        "caveats": ", ".join(memory.caveats),
        "text": text,
    }
    return json.dumps({key: value for key, value in entry.items() if value}, ensure_ascii=False) + (
        "\n"
    )


_ENTRIES: dict[Format, Callable[[Remembered, str], str]] = {
    Format.MARKDOWN: _markdown,
    Format.JSON: _json,
}


def _address(memory: Remembered) -> str:
    """Where to find it again: its place in the palace, else its id."""
    return memory.pointer or memory.memory_id


def _date(memory: Remembered) -> str:
    if memory.event_time_us is None:
        return ""
    return datetime.fromtimestamp(memory.event_time_us // _US_PER_S, UTC).date().isoformat()


def _flat(text: str) -> str:
    """A text on one line, unable to open or close a block of ours."""
    return _TAG.sub("‹", _SPACE.sub(" ", text)).strip()
