"""Views in words: the plain text of a profile, and the Markdown of a page.

A line says since when it holds, or else when it was said. A sentence that is less sure than even
says so. What is told is material: a line break in it would look like a line of ours, so there is
none. The words beside the lines of a section are of the language of its title.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from anamnesis_cluster.view_model import (
    FactFlag,
    KnowledgePage,
    Line,
    Precision,
    Section,
    Visibility,
)
from anamnesis_libs.clock import micros
from anamnesis_libs.zones import day_of_fact, day_on_clock

UNSURE_BELOW = 0.5
_FORMS = {Precision.YEAR: "%Y", Precision.MONTH: "%Y-%m"}
_HAN = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class _Words:
    """The words beside the sentences of memories, in one language; braces hold dates and names."""

    title: str
    since: str
    until: str
    within: str
    over_by: str
    told: str
    perhaps: str
    contradicted: str
    reviewed: str
    private: str
    notes: str
    and_so: str


_ENGLISH = _Words(
    title="What is known of {}:",
    since="since {}",
    until="until {}",
    within="{} until {}",
    over_by="over by {}",
    told="told {}",
    perhaps="perhaps: ",
    contradicted="contradicted",
    reviewed="to be reviewed",
    private=" (private)",
    notes=" ({})",
    and_so=", ",
)
_CHINESE = _Words(
    title="关于{}：",
    since="{} 起",
    until="至 {}",
    within="{} 至 {}",
    over_by="{} 前已结束",
    told="{} 提到",
    perhaps="可能：",
    contradicted="有矛盾",
    reviewed="待核实",
    private="（不公开）",
    notes="（{}）",
    and_so="，",
)


def profile_text(subject: str, sections: Sequence[Section], *, headed: bool = True) -> str:
    """A profile for a prompt: a title where there is a subject, headings, and a line a fact."""
    shown = [section for section in sections if section.lines]
    if not shown:
        return ""
    parts = [_words_of(shown[0]).title.format(one_line(subject))] if subject else []
    for section in shown:
        parts += [section.title] if headed else []
        parts += [f"- {_told(line, _words_of(section))}" for line in section.lines]
    return "\n".join(parts)


def page_markdown(page: KnowledgePage) -> str:
    """A page as Markdown; lines that are private say so where others are not."""
    name, *others = page.names
    parts = [f"# {_escaped(name)}"]
    if others:
        parts += ["", f"Also: {', '.join(map(_escaped, others))}"]
    every = [line for section in page.sections for line in section.lines]
    mixed = len({line.visibility for line in every}) > 1
    for section in page.sections:
        words = _words_of(section)
        parts += ["", f"## {section.title}", ""]
        parts += [
            f"- {_escaped(_told(line, words))}{_private(line, words) if mixed else ''}"
            for line in section.lines
        ]
        parts += [f"- and {section.left_out} more"] if section.left_out else []
    if page.sources:
        parts += ["", "## Sources", ""]
    for source in page.sources:
        at = f" ({_day_of(source.time, source.utc_offset_minutes)})" if source.time else ""
        parts.append(f"- {source.pointer or source.memory_id}{at}: {_escaped(source.summary)}")
    return "\n".join(parts) + "\n"


def _words_of(section: Section) -> _Words:
    return _CHINESE if _HAN.search(section.title) else _ENGLISH


def _told(line: Line, words: _Words) -> str:
    """A line in words, with its time and its doubts."""
    perhaps = words.perhaps if 0 < line.confidence < UNSURE_BELOW else ""
    notes = [_when(line, words)]
    notes += [words.contradicted] if FactFlag.CONTRADICTED in line.flags else []
    notes += [words.reviewed] if FactFlag.NEEDS_REVIEW in line.flags else []
    said = words.and_so.join(filter(None, notes))
    return f"{perhaps}{one_line(line.text).rstrip('.。')}" + (
        words.notes.format(said) if said else ""
    )


def one_line(text: str) -> str:
    """A text without line breaks."""
    return " ".join(text.split())


def date_of(moment: datetime, precision: Precision, offset_minutes: int | None) -> str:
    """A time as exact as it is: to the year, the month, else the day, where it was told."""
    day = day_of_fact(micros(moment), offset_minutes)
    return day.strftime(_FORMS.get(precision, "%Y-%m-%d"))


def _day_of(moment: datetime, offset_minutes: int | None) -> str:
    """The day on which something was said, on the clock of its speaker."""
    return day_on_clock(micros(moment), offset_minutes).isoformat()


def _when(line: Line, words: _Words) -> str:
    offset = line.utc_offset_minutes
    since = date_of(line.since, line.precision, offset) if line.since else ""
    until = date_of(line.until, Precision.DAY, offset) if line.until else ""
    told = words.told.format(_day_of(line.told, offset)) if line.told else ""
    if line.kind.happened or not line.subject:
        return since or told
    if until and not since:
        return (words.over_by if line.until == line.told else words.until).format(until)
    if until:
        return words.within.format(since, until)
    return words.since.format(since) if since else told


def _private(line: Line, words: _Words) -> str:
    return words.private if line.visibility is not Visibility.SHARED else ""


def _escaped(text: str) -> str:
    """A text in which nothing is Markdown."""
    return "".join(f"\\{sign}" if sign in "\\`*_[]<>#|" else sign for sign in one_line(text))
