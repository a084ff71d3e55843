"""Memories as resources: a drawer by its pointer, any memory by its id."""

from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError

from anamnesis_cli.mcp.connections import Call, ask, told_as
from anamnesis_client import Memory

SIGN = "§"
DRAWER = "anamnesis://palace/{+pointer}"
MEMORY = "anamnesis://memory/{id}"


async def drawer(call: Call, pointer: str) -> str:
    """The words of a drawer by its pointer: anamnesis://palace/W-001/R-01/D-001."""
    return await _text(call, f"{SIGN} {pointer}")


async def memory(call: Call, id: str) -> str:  # noqa: A002  # as the template names it
    """A memory in full, by its id."""
    return await _text(call, id)


def url_of(memory: Memory) -> str:
    """The address of a memory as a resource: that of its pointer, where it has one."""
    place = memory.pointer.removeprefix(SIGN).strip()
    return DRAWER.replace("{+pointer}", place) if place else MEMORY.replace("{id}", memory.id)


async def _text(call: Call, name: str) -> str:
    with told_as(ResourceError):
        memories = await ask(call, lambda client: client.get(name))
    if not memories:
        raise ResourceNotFoundError(f"nothing is at {name}, or it is not to be seen")
    return memories[0].text
