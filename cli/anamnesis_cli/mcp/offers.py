"""A function as a tool of the protocol: strict about its arguments, short in its schemas.

Schemas are read by a model with every conversation, so what says nothing to it goes: titles that
repeat a name, and the null of what may be left out. An argument that a tool does not have is
refused.
"""

import functools
from collections.abc import Awaitable, Callable, Mapping
from typing import ParamSpec, TypeVar

from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import JsonValue

from anamnesis_cli.mcp.answers import Answer
from anamnesis_cli.mcp.connections import told_as

Asked = ParamSpec("Asked")
Told = TypeVar("Told", bound=Answer)

READS = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
ADDS = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False
)
CHANGES = ToolAnnotations(
    read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False
)


def offer(run: Callable[Asked, Awaitable[Told]], title: str, hints: ToolAnnotations) -> Tool:
    """The tool that a function is: its docstring teaches when to use it."""
    tool = Tool.from_function(
        _answering(run), title=title, description=_one_line(run.__doc__ or ""), annotations=hints
    )
    _refuse_unknown(tool)
    tool.fn_metadata.output_schema = _short(tool.fn_metadata.output_schema or {})
    return tool


def _answering(
    run: Callable[Asked, Awaitable[Told]],
) -> Callable[Asked, Awaitable[CallToolResult]]:
    """The function with its answer as text and as structure, and its failures as told ones."""

    @functools.wraps(run)
    async def answering(*args: Asked.args, **kwargs: Asked.kwargs) -> CallToolResult:
        with told_as(ToolError):
            answer = await run(*args, **kwargs)
        return CallToolResult(
            content=[TextContent(type="text", text=answer.told())],
            structured_content=answer.model_dump(mode="json"),
        )

    return answering


def _refuse_unknown(tool: Tool) -> None:
    """Make an argument that the tool does not have an error, which the SDK passes over."""
    arguments = tool.fn_metadata.arg_model
    arguments.model_config["extra"] = "forbid"
    arguments.model_rebuild(force=True)
    tool.parameters = _short(arguments.model_json_schema(by_alias=True))


def _short(schema: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """A schema without titles, descriptions of whole objects, and defaults that are null."""
    said_by_name = {"title", "description"} if "properties" in schema else {"title"}
    return {
        key: _short_value(key, value)
        for key, value in schema.items()
        if key not in said_by_name and (key, value) != ("default", None)
    }


def _short_value(key: str, value: JsonValue) -> JsonValue:
    if key in ("properties", "$defs") and isinstance(value, dict):
        return {name: _short_property(part) for name, part in value.items()}
    if isinstance(value, dict):
        return _short_property(value)
    return value


def _short_property(schema: JsonValue) -> JsonValue:
    if not isinstance(schema, dict):
        return schema
    some = [one for one in _list(schema.get("anyOf")) if one != {"type": "null"}]
    if len(some) == 1 and isinstance(some[0], dict):
        schema = {**{key: value for key, value in schema.items() if key != "anyOf"}, **some[0]}
    return _short(schema)


def _list(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def _one_line(text: str) -> str:
    return " ".join(text.split())
