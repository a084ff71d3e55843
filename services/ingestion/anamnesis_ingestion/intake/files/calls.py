"""The name of a tool's row: the call that the tool answered, and how the call ended.

"Bash: npm test (failed)" says more of an answer than "Bash": a test run is found by its command.
A call is known by its name and its telling argument; what it was called with besides is in the
event that asked for it.
"""

import json
import re
from collections import OrderedDict

from anamnesis_ingestion.model import FAILED_MARK, Role, SourceEvent, ToolCall

CALLS_MAX = 4096
"""Calls of a session whose answers are yet to come."""
TITLE_CHARS_MAX = 160

_TELLING = (
    "command",
    "cmd",
    "file_path",
    "notebook_path",
    "path",
    "pattern",
    "query",
    "url",
    "description",
    "skill",
)
_OWN_TOOL = re.compile(r"(?:mcp__)?(?:plugin_anamnesis_)?anamnesis__\w")
"""A tool of this suite, as agents name those of a server: their answers are memories."""


def answers_from_memory(title: str) -> bool:
    """True for a tool's row that tells what is known already, and must not be kept once more."""
    return _OWN_TOOL.match(title) is not None


class Calls:
    """The calls of one session, by the id that their answers name."""

    def __init__(self) -> None:
        self._titles: OrderedDict[str, str] = OrderedDict()

    def named(self, event: SourceEvent) -> str:
        """The name of an event; a tool's answer is named after its call, if the call is known."""
        for call in event.tool_calls:
            self._titles[call.call_id] = title_of(call)
            if len(self._titles) > CALLS_MAX:
                self._titles.popitem(last=False)
        if event.role is not Role.TOOL:
            return event.name
        title = self._titles.get(event.tool_call_id) or event.name
        return f"{title}{FAILED_MARK}" if title and event.failed else title


def title_of(call: ToolCall) -> str:
    """The tool's name and its telling argument, on one line."""
    argument = " ".join(_argument(call.arguments).split())
    title = f"{call.name}: {argument}" if argument else call.name
    return title if len(title) <= TITLE_CHARS_MAX else f"{title[: TITLE_CHARS_MAX - 1]}…"


def _argument(arguments: str) -> str:
    try:
        held = json.loads(arguments)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(held, dict):
        return ""
    values = (_joined(held.get(key)) for key in _TELLING)
    return next((value for value in values if value.strip()), "")


def _joined(value: object) -> str:
    """Return a text, or the texts of a list: some write a command word by word."""
    words = value if isinstance(value, list) else [value]
    return " ".join(word for word in words if isinstance(word, str))
