"""Writing entries into one block of text: by day, each line led by who said it.

    <memory_context>
    Standing
    user: We use pnpm here, never npm.
    11 May 2026
    user: We left Fly.io last week, production is on two Hetzner machines now.
      before, 2 March: Production runs on Fly.io in Amsterdam.
    </memory_context>

A day's heading stands once, and a year only where it is another than the one before (the first:
than the reader's own), since each costs tokens. Whoever
reads a transcript later knows by the tags which text was ours and is not to be learned again;
nothing in a memory can end the block early, such tags are defused. An entry begins at the start of
a line, and further lines of its text are indented, so that no text can pass for another's entry.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby

from anamnesis_libs.chunking import DOCUMENT_ROLE
from anamnesis_libs.controls import visible
from anamnesis_libs.timephrases.months import MONTHS
from anamnesis_libs.tokens import TokenCounter
from anamnesis_libs.zones import day_on_clock
from anamnesis_retrieval.context.model import Citation, CitationReason, Context, Entry, Format
from anamnesis_retrieval.context.pages import path_after
from anamnesis_retrieval.model import Remembered

OPENING = "<memory_context>"
CLOSING = "</memory_context>"
STANDING = "Standing"
KNOWN, LEARNED = "Known", "Learned"
"""The headings of a brief, behind what stands and before what was said by day."""
FACTS = "Facts"
"""Of facts that nobody told on a day, and that are not of whom the prompt asks: after all days."""
UNDATED = "Undated"
INDENT = "  "
BULLET = "- "
"""Leads an entry that nobody said, so that its text cannot pass for a heading or a speaker."""
NAME_CHARS_MAX = 120
"""A document's name has its headings in it."""

_BREAK = re.compile(r"[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_ENDS_NAME = re.compile(r"[:：](?!\S)")
"""A colon that would end a name, and begin what is said."""
_SPACE = re.compile(r"[^\S\n]+")
_TAG = re.compile(
    r"[<＜﹤](?=[\s\u200b-\u200d\u2060\ufeff]*[/／]?[\s\u200b-\u200d\u2060\ufeff]*memory[_＿]context)",
    re.IGNORECASE,
)
_OPEN_END = re.compile(r"[<＜﹤](?=[\s\u200b-\u200d\u2060\ufeff/／]*\Z)")
"""What the first words of the next entry could make a tag of."""


@dataclass(frozen=True, slots=True)
class ContextLine:
    """A line of the block, its end left out; `entry` is None for a heading."""

    text: str
    entry: Entry | None = None


@dataclass(frozen=True, slots=True)
class Style:
    """The style of a block."""

    written: Format = Format.MARKDOWN
    cjk: bool = False
    oldest_first: bool = False
    pointers: bool = False
    year: int = 0
    """The reader's own, which is left unsaid until another was named."""


def write(entries: Sequence[Entry], style: Style, tokens: TokenCounter) -> Context:
    """The block of some entries, with its exact count of tokens; empty where there are none."""
    if not entries:
        return Context()
    lines = list(_LINES[style.written](entries, style))
    text = "\n".join([OPENING, *(line.text for line in lines), CLOSING])
    return Context(text, tokens.count(text), tuple(_citations(lines, tokens)))


def in_order(entries: Sequence[Entry], style: Style) -> list[Entry]:
    """Sort entries: by heading, then by day (newest or oldest first), each as it went.

    Under the headings of a brief they stay as they are, and the sessions of a day go by the clock.
    """
    return sorted(entries, key=lambda one: _place(one, style))


def day_of(memory: Remembered) -> date | None:
    """The day of a memory, on the clock of who said it."""
    if memory.event_time_us is None:
        return None
    return day_on_clock(memory.event_time_us, memory.utc_offset_minutes)


def written_day(day: date, *, cjk: bool, year: bool) -> str:
    """A day as one reads it: "8 May 2023", "8 May", "2023年5月8日"."""
    if cjk:
        return f"{day.year}年{day.month}月{day.day}日" if year else f"{day.month}月{day.day}日"
    written = f"{day.day} {MONTHS[day.month - 1]}"
    return f"{written} {day.year}" if year else written


def _place(entry: Entry, style: Style) -> tuple[int, bool, float, int, str, int]:
    memory = entry.memory
    if entry.heading in (KNOWN, LEARNED):
        return 1 + (entry.heading == LEARNED), False, 0.0, 0, "", 0
    day = day_of(memory)
    ordinal = 0.0 if day is None else float(day.toordinal())
    return (
        0 if entry.reason is CitationReason.STANDING else 3 + (entry.heading == FACTS),
        day is None,
        ordinal if style.oldest_first else -ordinal,
        (memory.event_time_us or 0) if entry.reason is CitationReason.NEWEST else 0,
        memory.session_id,
        memory.event_index,
    )


def _markdown(entries: Sequence[Entry], style: Style) -> Iterator[ContextLine]:
    year = style.year
    for heading, held in groupby(in_order(entries, style), key=_heading):
        if isinstance(heading, date):
            yield ContextLine(written_day(heading, cjk=style.cjk, year=heading.year != year))
            year = heading.year
        else:
            yield ContextLine(heading)
        document = ""
        for entry in held:
            yield from _entry(entry, style, year, document)
            document = entry.memory.speaker if entry.memory.role == DOCUMENT_ROLE else ""


def _heading(entry: Entry) -> date | str:
    if entry.reason is CitationReason.STANDING:
        return STANDING
    return entry.heading or day_of(entry.memory) or UNDATED


def _entry(entry: Entry, style: Style, year: int, document: str) -> Iterator[ContextLine]:
    """The lines of an entry; of a document what was named last is not named again."""
    first, *more = flat(entry.text).split("\n")
    again = bool(document) and document == entry.memory.speaker
    led = INDENT if again else _led(entry, style, document)
    yield ContextLine(f"{led}{first}", entry)
    for line in more:
        yield ContextLine(f"{INDENT}{line}")
    for older in entry.before:
        before = "之前" if style.cjk else "before"
        led = ", ".join((before, *_when(older.memory, style, year)))
        said = " ".join(flat(older.text).split("\n"))
        yield ContextLine(f"{INDENT}{led}: {said}", older)


def _when(memory: Remembered, style: Style, year: int) -> Iterator[str]:
    """The caveats of what was replaced: of a fact the days within which it held; or its day."""
    day = day_of(memory)
    if memory.fact_line and memory.caveats:
        yield from memory.caveats
    elif day is not None:
        yield written_day(day, cjk=style.cjk, year=day.year != year)


def _led(entry: Entry, style: Style, document: str) -> str:
    """The lead of an entry: its pointer if asked for, its speaker or document, and its caveats."""
    memory = entry.memory
    paged = memory.role == DOCUMENT_ROLE
    speaker = named(path_after(memory.speaker, document) if paged else memory.speaker)
    told = ", ".join(filter(None, (speaker, *memory.caveats)))
    pointer = f"[{address(memory)}] " if style.pointers else ""
    if told:
        return f"{pointer}{told}: "
    return pointer if paged else f"{pointer}{BULLET}"


def named(speaker: str) -> str:
    """The speaker as one short line that cannot pass for the head of an entry."""
    line = " ".join(_ENDS_NAME.sub(" –", flat(speaker).replace("§", " ")).split())
    return line if len(line) <= NAME_CHARS_MAX else f"{line[: NAME_CHARS_MAX - 1]}…"


def _json(entries: Sequence[Entry], style: Style) -> Iterator[ContextLine]:
    for entry in in_order(entries, style):
        held = _object(entry)
        if entry.before:
            held["before"] = [_object(older) for older in entry.before]
        yield ContextLine(json.dumps(held, ensure_ascii=False), entry)


def _object(entry: Entry) -> dict[str, object]:
    memory = entry.memory
    day = day_of(memory)
    held: dict[str, object] = {
        "pointer": address(memory),
        "date": day.isoformat() if day else "",
        "speaker": named(memory.speaker),
        "standing": entry.reason is CitationReason.STANDING,
        "caveats": ", ".join(memory.caveats),
        "text": flat(entry.text),
    }
    return {key: value for key, value in held.items() if value}


_LINES = {Format.MARKDOWN: _markdown, Format.JSON: _json}


def _citations(lines: Sequence[ContextLine], tokens: TokenCounter) -> Iterator[Citation]:
    """Citations, one for each entry, in the order of the text; the opening tag is line 1."""
    held: Citation | None = None
    for number, line in enumerate(lines, start=2):
        count = tokens.count(f"{line.text}\n")
        if line.entry is None:
            if held is not None and line.text.startswith(INDENT):
                held = replace(held, token_count=held.token_count + count)
            continue
        if held is not None:
            yield held
        memory = line.entry.memory
        held = Citation(
            memory_id=memory.memory_id,
            pointer=address(memory),
            line=number,
            token_count=count,
            reason=line.entry.reason,
            score=line.entry.score,
            routes=line.entry.routes,
        )
    if held is not None:
        yield held


def address(memory: Remembered) -> str:
    """The address by which to find a memory again: its place in the palace, else its id."""
    return memory.pointer or memory.memory_id


def flat(text: str) -> str:
    """A text unable to open or close a block of ours, each line without double spaces.

    Control characters, and those that turn the text around them, are shown as such.
    """
    lines = (visible(_BREAK.sub(" ", line)) for line in text.split("\n") if line.strip())
    kept = (_leading(line) + _SPACE.sub(" ", line).strip() for line in lines)
    return _OPEN_END.sub("‹", _TAG.sub("‹", "\n".join(kept)))


def _leading(line: str) -> str:
    """The indentation of a line of code or of a nested list."""
    return " " * min(len(line) - len(line.lstrip(" ")), 8)
