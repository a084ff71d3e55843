"""Every way into the suite that text can take, by its name.

Ids are left alone: they are their callers' to choose, and are kept as they are.
"""

from collections.abc import Awaitable, Callable, Mapping

from tests.support import planting_memories, planting_sessions, planting_work
from tests.support.soil import Soil

Path = Callable[[Soil], Awaitable[None]]

PATHS: Mapping[str, Path] = {
    "events": planting_sessions.events,
    "labels": planting_sessions.labels,
    "openai-lines": planting_sessions.openai_lines,
    "anthropic-lines": planting_sessions.anthropic_lines,
    "claude-code-lines": planting_sessions.claude_code_lines,
    "document": planting_sessions.document,
    "observed": planting_sessions.observed,
    "stated": planting_memories.stated,
    "crafted": planting_memories.crafted,
    "corrected": planting_memories.corrected,
    "in-mind": planting_memories.in_mind,
    "asked": planting_memories.asked,
    "failed": planting_work.failed,
    "worked": planting_work.worked,
}
NEVER_REFUSED = frozenset({"asked", "failed", "worked"})
"""What is asked, and what the suite's own work says, is redacted where writes are refused."""
