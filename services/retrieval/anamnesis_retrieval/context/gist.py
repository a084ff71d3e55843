"""The gist of a lesson or a procedure: what went wrong and what helped, what is done and how.

Their whole texts also say in what context it was, which a reader who has the project before them
can do without.
"""

import re
from dataclasses import replace

from anamnesis_libs.talk.filler import is_announcement
from anamnesis_libs.talk.sentences import units_of
from anamnesis_libs.tokens import ELLIPSIS
from anamnesis_retrieval.model import Learned, Remembered

READ_CHARS_MAX = 4_000
"""Of a longer outcome its beginning is read."""
GIST_CHARS_MAX = 320
"""A longer gist ends with the last sentence that fits."""
SENTENCE_CHARS_MAX = 200
"""Of a longer sentence or line the beginning is told."""

_ARGUMENT = re.compile(r"\b(?:command|cmd|file_path|path)=")
"""The name of the argument that says what a tool was called for: the value is enough."""
_FURTHER = re.compile(r", (?:description|timeout)=[^,\n]{0,200}")
_WRITTEN = re.compile(
    r",? ?\b(?:(?:new|old)_?(?:string|text)|content|edits)=.*?(?=\n\w{1,40}: |\Z)",
    re.IGNORECASE | re.DOTALL,
)
"""What a tool was to write, up to the next call: it is in the project."""
_CALL_ALONE = re.compile(r"\w{1,40}:\s*$")
_BREAKS = re.compile(r"(?:\\n)+|\s+")
"""Breaks of lines, as they are and as they are written in JSON."""


def as_gist(memory: Remembered) -> Remembered:
    """The memory as a brief tells it: by its gist."""
    return replace(memory, speaker="", role="assistant", content=gist_of(memory), learned=None)


def forms_of(memory: Remembered) -> tuple[Remembered, ...]:
    """A memory as contexts tell it and, where it was learned from work, as briefs do."""
    return (memory, as_gist(memory)) if memory.learned else (memory,)


def gist_of(memory: Remembered) -> str:
    """The title, and a line behind it; of a memory that has no such parts its first sentences."""
    learned = memory.learned or Learned("")
    gist = _gist(_title(learned), learned.outcome[:READ_CHARS_MAX])
    return gist or _gist("", memory.content[:READ_CHARS_MAX])


def _title(learned: Learned) -> str:
    """The title; where it was cut and the context has the rest, as it is there."""
    begun = learned.title.removesuffix(ELLIPSIS)
    if begun == learned.title:
        return learned.title
    lines = learned.context.splitlines()
    return next((line for line in lines if line.startswith(begun)), learned.title)


def _gist(title: str, rest: str) -> str:
    """The title and as many sentences of the rest as fit, those that announce a step left out."""
    head = _short(title)
    told: list[str] = []
    left = GIST_CHARS_MAX - len(head)
    sentences = [unit.text for unit in units_of(_cleared(rest))]
    for sentence in sentences:
        line = _short(sentence)
        if not line or is_announcement(line) or _CALL_ALONE.match(line):
            continue
        if len(line) > left:
            told.append(ELLIPSIS)
            break
        told.append(line)
        left -= len(line)
    return "\n→ ".join(filter(None, (head, " ".join(told))))


def _cleared(calls: str) -> str:
    """Calls of tools with what they were called for, and no more."""
    return _FURTHER.sub("", _ARGUMENT.sub("", _WRITTEN.sub("", calls)))


def _short(text: str) -> str:
    """A text as one line that is not long."""
    line = _BREAKS.sub(" ", text).strip()
    if len(line) <= SENTENCE_CHARS_MAX:
        return line
    return f"{line[:SENTENCE_CHARS_MAX].rpartition(' ')[0]}{ELLIPSIS}"
