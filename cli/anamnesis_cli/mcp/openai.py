"""`search` and `fetch` as OpenAI's clients ask for them: one text, JSON of fixed keys."""

from typing import Annotated

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from anamnesis_cli.mcp.answers import Document, Found, Results
from anamnesis_cli.mcp.connections import Call, ask
from anamnesis_cli.mcp.convert import to_memory
from anamnesis_cli.mcp.resources import url_of


async def search(call: Call, query: str) -> Results:
    """Ids and titles of the memories that match a query, best first; fetch reads one."""
    found = await ask(call, lambda memory: memory.search(query, full=False))
    return Results(
        results=[
            Found(id=hit.id, title=hit.memory.summary, url=url_of(hit.memory)) for hit in found
        ]
    )


async def fetch(
    call: Call,
    id: Annotated[str, Field(description="From search")],  # noqa: A002  # as its callers name it
) -> Document:
    """One memory in full, by an id that search gave."""
    memories = await ask(call, lambda memory: memory.get(id))
    if not memories:
        raise ToolError(f"there is no memory {id!r}: search names those that there are")
    (memory,) = memories
    told = to_memory(memory, memory.text)
    return Document(
        id=memory.id,
        title=memory.summary,
        text=memory.text,
        url=url_of(memory),
        metadata={"kind": told.kind, "time": told.time, "pointer": told.pointer},
    )
