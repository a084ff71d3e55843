"""Views in words: the plain text of a profile, and the Markdown of a page.

A line says since when it holds, or else when it was said. A sentence that is less sure than even
says so. What is told is material: a line break in it would look like a line of ours, so there is
none.
"""

from collections.abc import Sequence
from datetime import datetime

from anamnesis_cluster.view_model import (
    FactFlag,
    KnowledgePage,
    Line,
    Precision,
    Section,
    Visibility,
)

UNSURE_BELOW = 0.5
_FORMS = {Precision.YEAR: "%Y", Precision.MONTH: "%Y-%m"}


def profile_text(subject: str, sections: Sequence[Section], *, headed: bool = True) -> str:
    """A profile for a prompt: a title where there is a subject, headings, and a line a fact."""
    shown = [section for section in sections if section.lines]
    if not shown:
        return ""
    parts = [f"What is known of {one_line(subject)}:"] if subject else []
    for section in shown:
        parts += [section.title] if headed else []
        parts += [f"- {told(line)}" for line in section.lines]
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
        parts += ["", f"## {section.title}", ""]
        parts += [f"- {_escaped(told(line))}{_private(line, mixed)}" for line in section.lines]
        parts += [f"- and {section.left_out} more"] if section.left_out else []
    if page.sources:
        parts += ["", "## Sources", ""]
    for source in page.sources:
        at = f" ({date_of(source.time, Precision.DAY)})" if source.time else ""
        parts.append(f"- {source.pointer or source.memory_id}{at}: {_escaped(source.summary)}")
    return "\n".join(parts) + "\n"


def told(line: Line) -> str:
    """A line in words, with its time and its doubts."""
    perhaps = "perhaps: " if 0 < line.confidence < UNSURE_BELOW else ""
    notes = [_when(line)]
    notes += ["contradicted"] if FactFlag.CONTRADICTED in line.flags else []
    notes += ["to be reviewed"] if FactFlag.NEEDS_REVIEW in line.flags else []
    said = ", ".join(filter(None, notes))
    return f"{perhaps}{one_line(line.text).rstrip('.。')}" + (f" ({said})" if said else "")


def one_line(text: str) -> str:
    """A text without line breaks."""
    return " ".join(text.split())


def date_of(moment: datetime, precision: Precision) -> str:
    """A time as exact as it is: to the year, the month, else the day."""
    return moment.strftime(_FORMS.get(precision, "%Y-%m-%d"))


def _when(line: Line) -> str:
    since = date_of(line.since, line.precision) if line.since else ""
    until = date_of(line.until, Precision.DAY) if line.until else ""
    if line.kind.happened or not line.subject:
        return since or (f"told {date_of(line.told, Precision.DAY)}" if line.told else "")
    if until and not since and line.until == line.told:
        return f"over by {until}"
    if until:
        return f"{since} until {until}".strip()
    if since:
        return f"since {since}"
    return f"told {date_of(line.told, Precision.DAY)}" if line.told else ""


def _private(line: Line, mixed: bool) -> str:
    return " (private)" if mixed and line.visibility is not Visibility.SHARED else ""


def _escaped(text: str) -> str:
    """A text in which nothing is Markdown."""
    return "".join(f"\\{sign}" if sign in "\\`*_[]<>#|" else sign for sign in one_line(text))
