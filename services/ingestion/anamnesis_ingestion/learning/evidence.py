"""The text of cited events, and the times that follow from it."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from anamnesis_ingestion.learning.chinese.times import lasting, next_weekday
from anamnesis_ingestion.learning.injected import learnable_text
from anamnesis_ingestion.learning.knowledge import ExtractionInput, Held, LearnedFact
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import ToolCall
from anamnesis_libs.timephrases.find import find_times
from anamnesis_libs.timephrases.model import TimePhrase

_CLAUSES = re.compile(r"[，。！？；,.!?;\n]")


def told(fact: LearnedFact) -> str:
    """The statement without who it is about, so that names do not count as shared words."""
    relative = fact.subject.rpartition("的")[2]
    of_theirs = rf"(?:的{re.escape(relative)})?" if relative != fact.subject else ""
    return re.sub(
        rf"^(?:(?:The user|User|用户){of_theirs}|{re.escape(fact.subject)})(?:['’]s|：|:|的)?\s*",
        "",
        fact.statement,
    )


def evidence_of(cited: Sequence[LedgerEvent]) -> str:
    """The text and the calls of the events, without what was injected."""
    parts = [
        [learnable_text(event), *(part for call in event.tool_calls for part in _told_by(call))]
        for event in cited
    ]
    return "\n".join(part for event in parts for part in event)


def _told_by(call: ToolCall) -> Iterator[str]:
    """A call as it is written, and its arguments as they read."""
    yield f"{call.name} {call.arguments}"
    try:
        arguments = json.loads(call.arguments or "{}")
    except (ValueError, RecursionError):
        return
    if isinstance(arguments, dict):
        yield ", ".join(f"{key}={_read(value)}" for key, value in arguments.items())


def _read(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def supporting(fact: LearnedFact, lecture: ExtractionInput, cited: Sequence[LedgerEvent]) -> str:
    """The text that supports a fact; one that ends a held fact need not repeat its object.

    The subject is not compared: the gate reads facts without the name of who said them.
    """
    evidence = evidence_of(cited)
    known = Held("", fact.predicate, fact.object).folded()
    ends = fact.ended and any(replace(one.folded(), subject="") == known for one in lecture.held)
    return f"{evidence}\n{fact.object}" if ends else evidence


def years(cited: Sequence[LedgerEvent]) -> set[str]:
    """Years, months and days that a date in the statement may be written with."""
    moments = [moment for since, until in intervals(cited) for moment in (since, until)]
    return {
        part
        for moment in moments
        for part in (
            f"{moment:%Y}",
            f"{moment:%m}",
            f"{moment:%d}",
            f"{moment:%Y-%m-%d}",
            f"{moment:%Y-%m}",
            str(moment.day),
            str(moment.month),
            f"{moment:%B}",
        )
    }


def dated(fact: LearnedFact, cited: Sequence[LedgerEvent]) -> bool:
    """True if its time, where it has one, is told in the cited events or is when they were said."""
    since = fact.time.since
    if since is None:
        bounds = {bound for interval in intervals(cited) for bound in interval}
        return fact.time.until in {None, *bounds, *(event.event_time for event in cited)}
    if any(event.event_time == since for event in cited):
        return True
    return any(start <= since < end for start, end in intervals(cited))


def intervals(cited: Sequence[LedgerEvent]) -> list[tuple[datetime, datetime]]:
    """The times that the events speak of, each resolved against its own event's time.

    A time that something has lasted tells when it began: 住了三年了.
    """
    found: list[TimePhrase] = []
    for event in cited:
        if event.event_time is not None:
            text = learnable_text(event)
            found += find_times(text, event.event_time)
            for clause in _CLAUSES.split(text):
                found += lasting(clause, event.event_time, ended=False)
                found += next_weekday(clause, event.event_time)
    return [(phrase.since, phrase.until) for phrase in found]
