"""The tools that a model is offered, each a call or two of the suite.

A tool's docstring is what a model reads: when to use it, in few words. Who asks, and of which
namespace, is said by the connection; no tool has an argument for it.
"""

import re
from datetime import datetime
from typing import Annotated, Literal

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from anamnesis_cli.mcp.answers import Forgotten, Memories, Profile, Recalled, Remembered, Timeline
from anamnesis_cli.mcp.arguments import KINDS, TIME_FORMS, Ids, Kind, Tags, Time, day_or_moment
from anamnesis_cli.mcp.connections import Call, ask
from anamnesis_cli.mcp.convert import to_fact, to_memory, to_moment, to_recalled
from anamnesis_client import Fact, Memory

TIMELINE_MAX = 50
FACTS_MAX = 100
FORGET_MAX = 20
PROFILE_TOKENS = 2_048
_LEFT_OUT = re.compile(r"[§\s]|(?<=-)0+(?=\d)")
"""The parts of a pointer that may be left out: its sign, spaces, leading zeros."""


async def recall(
    call: Call,
    query: Annotated[str, Field(description="What is to be done or answered, in full words")],
    budget_tokens: Annotated[int, Field(ge=50, le=20_000)] = 1_024,
    as_of: Annotated[
        Time | None, Field(description=f"Facts as they held then, {TIME_FORMS}")
    ] = None,
    kinds: list[Kind] | None = None,
    tags: Tags | None = None,
) -> Recalled:
    """Recall what earlier conversations tell about a request.

    Facts, decisions, preferences, standing rules and lessons, with their sources. Call it first
    whenever the past, a person or a project may matter. Empty where nothing is relevant: then do
    without.
    """
    found = await ask(
        call,
        lambda memory: memory.context(
            query,
            budget=budget_tokens,
            as_of=as_of,
            kinds=[KINDS[kind] for kind in kinds or ()],
            tags=tags or (),
            pointers=True,
        ),
    )
    return to_recalled(found)


async def remember(
    call: Call,
    text: Annotated[str, Field(description="Whole sentences that stand alone: name who and what")],
    kind: Annotated[
        Literal["note", "lesson"], Field(description="lesson: what to do when it happens again")
    ] = "note",
    tags: Tags | None = None,
    occurred_at: Annotated[Time | None, Field(description="Of a note; else now")] = None,
) -> Remembered:
    """Keep something for later conversations, one matter a call.

    What the user asks to remember, a decision and its reason, a preference, a rule, a cure that
    worked. No secrets.
    """
    if kind == "lesson":
        kept = await ask(call, lambda memory: memory.lesson(text, tags=tags or ()))
    else:
        kept = await ask(call, lambda memory: memory.note(text, time=day_or_moment(occurred_at)))
        if tags:
            await ask(call, lambda memory: memory.update(kept.id, tags=tags))
    return Remembered(id=kept.id, pointer=kept.pointer)


async def timeline(
    call: Call,
    subject: Annotated[str, Field(description="A person or thing: its facts")] = "",
    query: Annotated[str, Field(description="A topic: what was said and done about it")] = "",
    since: Time | None = None,
    until: Time | None = None,
) -> Timeline:
    """Tell what happened when, about a subject or a topic (name one), the oldest first."""
    if bool(subject) == bool(query):
        raise ToolError("name a subject or a query, one of the two")
    if subject:
        facts = await ask(call, lambda memory: memory.timeline(subject))
        within = [fact for fact in facts if _begins_within(fact, since, until)]
        return Timeline(
            moments=[to_moment(fact) for fact in within[-TIMELINE_MAX:]],
            more=len(within) > TIMELINE_MAX,
        )
    found = await ask(
        call,
        lambda memory: memory.search(
            query, limit=TIMELINE_MAX, full=False, after=since, before=until
        ),
    )
    told = sorted((hit.memory for hit in found), key=_happened)
    return Timeline(moments=list(map(to_moment, told)), more=len(found) == TIMELINE_MAX)


async def get(
    call: Call,
    ids: Annotated[Ids, Field(description="Ids or pointers (§ W-001/R-01/D-001)")],
    detail: Literal["line", "full"] = "full",
) -> Memories:
    """Read memories that another tool named, word for word."""
    memories = await ask(call, lambda memory: memory.get(ids))
    told = [to_memory(each, each.text if detail == "full" else each.summary) for each in memories]
    named = {_plain(name) for each in memories for name in (each.id, each.pointer)}
    return Memories(memories=told, missing=[name for name in ids if _plain(name) not in named])


async def profile(
    call: Call,
    subject: Annotated[str, Field(description="A name as people say it; else the user")] = "",
    as_of: Time | None = None,
) -> Profile:
    """The facts that hold now of the user, or of one person, project or thing, and since when."""
    if as_of is None:
        found = await ask(call, lambda memory: memory.profile(subject, budget=PROFILE_TOKENS))
        lines = [line for section in found.sections for line in section.lines]
        return Profile(
            subject=found.subject or subject,
            facts=[to_fact(line) for line in lines],
            more=found.left_out > 0,
        )
    if not subject:
        raise ToolError("name a subject for another time than now")
    facts = await ask(call, lambda memory: memory.facts(subject, as_of=as_of, limit=FACTS_MAX))
    return Profile(
        subject=subject, facts=[to_fact(fact) for fact in facts], more=len(facts) == FACTS_MAX
    )


async def forget(
    call: Call,
    ids: Ids | None = None,
    query: Annotated[str, Field(description="Finds candidates; erases nothing itself")] = "",
    dry_run: bool = True,
) -> Forgotten:
    """Erase memories for good, with all that was learned from them alone.

    Only at the user's wish: show them the dry run first, then call again with the ids that they
    agree to and dry_run false.
    """
    if query and not dry_run:
        raise ToolError("a query only finds candidates: look at them, then name their ids")
    gone = await ask(
        call,
        lambda memory: memory.forget(ids or (), query=query, limit=FORGET_MAX, dry_run=dry_run),
    )
    return Forgotten(
        dry_run=gone.dry_run,
        memories=[to_memory(each, each.summary) for each in gone.memories],
        missing=list(gone.missing),
        note="Nothing was erased." if gone.dry_run else "",
    )


def _plain(name: str) -> str:
    """An id as it is, a pointer without what may be left out of it."""
    return _LEFT_OUT.sub("", name).casefold()


def _happened(told: Memory) -> float:
    """When a memory happened, or was stored, wherever that was."""
    moment = told.time or told.stored
    return moment.timestamp() if moment else 0.0


def _begins_within(fact: Fact, since: datetime | None, until: datetime | None) -> bool:
    """True for a fact that began in the time, or at an unknown one where no time is asked for."""
    if fact.valid_from is None:
        return since is None and until is None
    return (since is None or fact.valid_from >= since) and (
        until is None or fact.valid_from < until
    )
