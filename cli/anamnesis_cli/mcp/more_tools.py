"""The tools behind `--tools all`, for agents that look after a memory, as `tools` has the usual."""

from typing import Annotated

from pydantic import Field

from anamnesis_cli.mcp.answers import Conversation, Fact, Memory
from anamnesis_cli.mcp.arguments import Tags, Time
from anamnesis_cli.mcp.connections import Call, ask
from anamnesis_cli.mcp.convert import to_fact, to_memory, to_message

MESSAGES_MAX = 100


async def state_fact(
    call: Call,
    subject: Annotated[str, Field(description="Who or what, by name")],
    predicate: Annotated[str, Field(description="lives_in, works_at, prefers, ...")],
    object: str,  # noqa: A002  # as the contracts name it
    since: Time | None = None,
    until: Time | None = None,
) -> Fact:
    """State a fact and when it holds; one that it replaces ends where it begins."""
    known = await ask(
        call,
        lambda memory: memory.assert_fact(
            subject, predicate, object, valid_from=since, valid_to=until
        ),
    )
    return to_fact(known)


async def retract_fact(
    call: Call,
    id: Annotated[str, Field(description="From profile")],  # noqa: A002
) -> Memory:
    """Take back a fact that was never true; what it had ended goes on."""
    back = await ask(call, lambda memory: memory.retract_fact(id))
    return to_memory(back, back.summary)


async def correct(
    call: Call,
    id: str,  # noqa: A002  # as answers name it
    text: Annotated[str | None, Field(description="The corrected text; not of a note")] = None,
    tags: Annotated[Tags | None, Field(description="All of its tags from now on")] = None,
    pinned: Annotated[bool | None, Field(description="true: never fades by itself")] = None,
    expires: Annotated[Time | None, Field(description="Erased then")] = None,
) -> Memory:
    """Correct the text of a fact or lesson, or change tags, pin or expiry of any memory."""
    changed = await ask(
        call,
        lambda memory: memory.update(id, text=text, tags=tags, pinned=pinned, expires=expires),
    )
    return to_memory(changed, changed.text)


async def read_session(
    call: Call,
    session: str,
    first: Annotated[int, Field(ge=0, description="The first message, from 0")] = 0,
) -> Conversation:
    """Read the messages of an earlier session as they were said, a hundred at a time."""
    events = await ask(call, lambda memory: memory.events(session, first=first, limit=MESSAGES_MAX))
    return Conversation(
        messages=[to_message(event) for event in events], more=len(events) == MESSAGES_MAX
    )
