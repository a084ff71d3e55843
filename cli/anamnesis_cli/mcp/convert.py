"""Answers of the client as answers of the tools."""

from datetime import datetime

import anamnesis_client as client
from anamnesis_cli.mcp.answers import Fact, Memory, Message, Moment, Recalled, Source
from anamnesis_cli.mcp.arguments import KIND_WORDS

_EMPTY = {
    "nothing_visible": "Nothing is remembered yet.",
    "nothing_relevant": "Nothing that is remembered concerns this.",
    "budget_too_small": "Something does, but not in so few tokens: raise budget_tokens.",
    "already_shown": "All that concerns this was told before.",
}
_DERIVED = "@"
"""Opens tags that learning gives, such as `@p:Mara`: they repeat what the text says."""
_BY_PRECISION = {"year": "%Y", "month": "%Y-%m", "week": "%G-W%V", "day": "%Y-%m-%d"}


def to_recalled(context: client.Context) -> Recalled:
    """A context, or why there is none."""
    return Recalled(
        context=context.text,
        token_count=context.token_count,
        left_out=context.left_out,
        sources=[Source(id=one.memory_id, pointer=one.pointer) for one in context.citations],
        note=_EMPTY.get(context.empty_reason, ""),
    )


def to_memory(memory: client.Memory, text: str) -> Memory:
    """A memory, told by a text of it."""
    return Memory(
        id=memory.id,
        text=text,
        kind=KIND_WORDS[memory.kind],
        time=to_time(memory.time or memory.stored),
        pointer=memory.pointer,
        session=memory.session,
        tags=[tag for tag in memory.tags if not tag.startswith(_DERIVED)],
    )


def to_fact(fact: client.Fact | client.ProfileLine) -> Fact:
    """A fact and the time in which it holds; a line of a profile holds still."""
    if isinstance(fact, client.ProfileLine):
        memory_id, until = fact.memory_ids[0], None
    else:
        memory_id, until = fact.memory_id, fact.valid_to
    return Fact(
        id=memory_id,
        text=fact.text,
        subject=fact.subject,
        predicate=fact.predicate,
        object=fact.object,
        since=to_time(fact.valid_from, fact.precision),
        until=to_time(until, fact.precision),
        confidence=round(fact.confidence, 2),
        flags=sorted(fact.flags),
    )


def to_moment(told: client.Memory | client.Fact) -> Moment:
    """A memory as something that happened, a fact as something that began."""
    if isinstance(told, client.Fact):
        fact = to_fact(told)
        return Moment(time=fact.since, text=fact.text, id=fact.id, until=fact.until)
    return Moment(time=to_time(told.time or told.stored), text=told.summary, id=told.id)


def to_message(event: client.Event) -> Message:
    """A message as it was said."""
    return Message(
        index=event.index,
        role=event.role,
        text=event.content,
        name=event.name,
        time=to_time(event.time),
    )


def to_time(moment: datetime | None, precision: str = "instant") -> str:
    """A time, written as exactly as it is known; empty where it is not."""
    if moment is None:
        return ""
    form = _BY_PRECISION.get(precision)
    return moment.strftime(form) if form else moment.isoformat(timespec="seconds")
