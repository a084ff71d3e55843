"""The tools as models read them: few tokens, strict arguments, all hints, no identity."""

import json

import pytest
from mcp import Client
from mcp_types import CallToolResult, TextContent, Tool

from anamnesis_cli.mcp.connections import Connections
from anamnesis_cli.mcp.identity import Identity
from anamnesis_cli.mcp.places import Named
from anamnesis_cli.mcp.server import all_tools, memory_server, usual_tools
from anamnesis_libs.tokens import load_counter

USUAL_MAX = 8
TOKENS_MAX = 3_000
IDENTITIES = {"namespace", "user", "user_id", "agent", "agent_id", "caller", "api_key"}
NOBODY = Connections(Named("127.0.0.1:1"), Identity("app", "mara"), timeout_s=0.05)


async def listed(offered: str) -> list[Tool]:
    """The tools as a client lists them."""
    tools = all_tools() if offered == "all" else usual_tools()
    async with Client(memory_server(NOBODY, tools)) as client:
        return (await client.list_tools()).tools


async def test_the_list_of_tools_is_short() -> None:
    tools = await listed("usual")
    wire = [tool.model_dump(by_alias=True, exclude_none=True) for tool in tools]
    assert len(tools) <= USUAL_MAX
    assert load_counter("o200k_base").count(json.dumps({"tools": wire})) <= TOKENS_MAX


@pytest.mark.parametrize("offered", ["usual", "all"])
async def test_a_tool_says_what_it_does_and_takes_no_identity(offered: str) -> None:
    for tool in await listed(offered):
        assert tool.title
        assert tool.description
        assert tool.output_schema
        assert tool.annotations is not None
        hints = tool.annotations.model_dump(exclude={"title"})
        assert None not in hints.values(), tool.name
        assert tool.input_schema["additionalProperties"] is False
        assert not IDENTITIES & tool.input_schema["properties"].keys(), tool.name


async def test_only_what_takes_away_or_changes_is_destructive() -> None:
    destructive = {
        tool.name
        for tool in await listed("all")
        if tool.annotations is not None and tool.annotations.destructive_hint
    }
    assert destructive == {"forget", "retract_fact", "correct"}


async def test_a_suite_that_does_not_answer_is_a_failure_of_the_tool() -> None:
    async with Client(memory_server(NOBODY, usual_tools())) as client:
        result = await client.call_tool("recall", {"query": "What is there?"})
    assert isinstance(result, CallToolResult)
    assert result.is_error
    (content,) = result.content
    assert isinstance(content, TextContent)
    assert "no server answers at 127.0.0.1:1" in content.text
    assert "anamnesis serve" in content.text
