"""The folders in clients/ say what the installer writes, with the command that a path finds."""

import json
import tomllib
from pathlib import Path

import pytest

from anamnesis_cli.agents.entries import AGENTS, with_entries

CLIENTS = Path(__file__).parents[4] / "clients"
HOOKS = {
    "claude-code": "claude-code/hooks/hooks.json",
    "codex": "codex/hooks.json",
    "cursor": "cursor/hooks.json",
}


def read(name: str) -> dict[str, object]:
    held: dict[str, object] = json.loads((CLIENTS / name).read_bytes())
    return held


@pytest.mark.parametrize("agent", sorted(AGENTS))
def test_the_hooks_are_those_of_the_installer(agent: str) -> None:
    wanted = with_entries({}, AGENTS[agent], f"anamnesis-hook {agent}")
    assert {name: read(HOOKS[agent])[name] for name in wanted} == wanted


def test_the_tools_are_of_the_same_namespace() -> None:
    servers = {
        "claude-code": read("claude-code/.mcp.json")["mcpServers"],
        "cursor": read("cursor/mcp.json")["mcpServers"],
        "codex": tomllib.loads((CLIENTS / "codex/config.toml").read_text())["mcp_servers"],
    }
    for agent, named in servers.items():
        assert named == {
            "anamnesis": {"command": "anamnesis", "args": ["hooks", "mcp", "--for", agent]}
        }


def test_the_plugin_and_its_marketplace_name_each_other() -> None:
    plugin = read("claude-code/.claude-plugin/plugin.json")
    market = read("claude-code/.claude-plugin/marketplace.json")
    told = {"name": plugin["name"], "source": "./"}
    assert market["plugins"] == [{**told, "description": plugin["description"]}]
    assert market["owner"]
