"""The entries of the hook in the files of coding agents: which files, which events, how written.

Claude Code and Codex write hooks alike, in groups with a matcher; Cursor writes a list for each
event. Codex passes over a hook that is asynchronous, so its stop waits; Cursor takes no text from a
hook of a prompt, so it has none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

MARKS = ("anamnesis-hook", "anamnesis_cli/agents")
"""An entry is ours if its command has one of them."""
ASKING_S, HANDING_S = 5, 120

Json = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Agent:
    """A coding agent: its files of settings, and the events whose hooks it runs."""

    name: str
    user_file: str
    project_file: str
    events: Mapping[str, Json]
    grouped: bool = True
    head: Json = field(default_factory=dict)
    afterwards: str = ""

    def file(self, home: Path, project: Path | None) -> Path:
        """The file of the person, or of a project."""
        return home / self.user_file if project is None else project / self.project_file

    def entries(self, command: str) -> dict[str, list[Json]]:
        """The entries of each event, with a command that runs the hook."""
        return {name: [self._entry(command, more)] for name, more in self.events.items()}

    def _entry(self, command: str, more: Json) -> Json:
        if not self.grouped:
            return {"command": command, **more}
        return {"hooks": [{"type": "command", "command": command, **more}]}


ASKING: Json = {"timeout": ASKING_S}
HANDING: Json = {"timeout": HANDING_S}
AGENTS = {
    agent.name: agent
    for agent in (
        Agent(
            "claude-code",
            ".claude/settings.json",
            ".claude/settings.local.json",
            {
                "SessionStart": ASKING,
                "UserPromptSubmit": ASKING,
                "Stop": {**HANDING, "async": True},
                "PreCompact": HANDING,
            },
            afterwards="tools: claude mcp add anamnesis -- anamnesis hooks mcp --for claude-code",
        ),
        Agent(
            "codex",
            ".codex/hooks.json",
            ".codex/hooks.json",
            {
                "SessionStart": ASKING,
                "UserPromptSubmit": ASKING,
                "Stop": HANDING,
                "PreCompact": HANDING,
            },
            afterwards="Codex asks once whether you trust them: /hooks lists them there",
        ),
        Agent(
            "cursor",
            ".cursor/hooks.json",
            ".cursor/hooks.json",
            {"sessionStart": ASKING, "stop": HANDING, "preCompact": HANDING},
            grouped=False,
            head={"version": 1},
            afterwards="they run in new chats",
        ),
    )
}


def with_entries(settings: Json, agent: Agent, command: str) -> dict[str, object]:
    """The settings with our entries behind everybody else's, and no others of ours."""
    rest = without_entries(settings)
    hooks = _object(rest, "hooks")
    for event, entries in agent.entries(command).items():
        hooks[event] = [*_list(hooks, event), *entries]
    return {**agent.head, **rest, "hooks": hooks}


def without_entries(settings: Json) -> dict[str, object]:
    """The settings without our entries, and without what held nothing else."""
    hooks = {}
    for event, entries in _object(settings, "hooks").items():
        kept = [_others(each) for each in entries] if isinstance(entries, list) else entries
        if not isinstance(kept, list):
            hooks[event] = kept
        elif left := [one for one in kept if one is not None]:
            hooks[event] = left
    rest = {**settings, "hooks": hooks}
    return rest if hooks else {name: value for name, value in rest.items() if name != "hooks"}


def has_entries(settings: Json) -> bool:
    """True where at least one entry is ours."""
    events = _object(settings, "hooks")
    return any(_others(each) != each for event in events for each in _list(events, event))


def _others(entry: object) -> object:
    """The part of an entry that is not ours; None where that is nothing."""
    if not isinstance(entry, Mapping):
        return entry
    if _is_ours(entry):
        return None
    handlers = entry.get("hooks")
    if not isinstance(handlers, list):
        return entry
    kept = [one for one in handlers if not (isinstance(one, Mapping) and _is_ours(one))]
    if kept == handlers:
        return entry
    return {**entry, "hooks": kept} if kept else None


def _is_ours(entry: Json) -> bool:
    command = entry.get("command")
    return isinstance(command, str) and any(mark in command for mark in MARKS)


def _object(held: Json, name: str) -> dict[str, object]:
    value = held.get(name)
    return dict(value) if isinstance(value, Mapping) else {}


def _list(held: Json, name: str) -> Sequence[object]:
    value = held.get(name)
    return value if isinstance(value, list) else []
