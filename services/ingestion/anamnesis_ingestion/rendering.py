"""An event as a model reads it: role, name, content, and tool calls as text.

Reasoning is left out: it is neither said nor done. An event with nothing but a role has an empty
body, and keeps its number all the same, so that numbers and indices stay aligned.
"""

from collections.abc import Iterable
from pathlib import Path

from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import ToolCall
from anamnesis_libs.tokens import TokenCounter

PROMPTS = Path(__file__).parent / "prompts"
"""The prompts of this service, one of `models/prompts.py` each; those of learning stand with it."""


def body(event: LedgerEvent) -> str:
    """Return `role name: content` with a line for each tool call; "" where there is nothing."""
    calls = [_call(call) for call in event.tool_calls]
    said = "\n".join(part for part in (event.content, *calls) if part)
    if not (said or event.name or event.tool_call_id):
        return ""
    speaker = " ".join(word for word in (event.role.value, event.name) if word)
    return f"{speaker}: {said}".rstrip()


def line(number: int, text: str) -> str:
    """Return a body with the number that a model names it by."""
    return f"[{number}] {text}".rstrip()


def cost(counter: TokenCounter, number: int, text: str) -> int:
    """Return the tokens of a numbered body and the line break behind it."""
    return counter.count(line(number, text) + "\n")


def cut_line(counter: TokenCounter, number: int, text: str, tokens_max: int) -> str:
    """Return the numbered body cut to the budget, with room for its line break."""
    return counter.truncate(line(number, text), tokens_max - 1)


def numbered(bodies: Iterable[str], first: int = 1) -> tuple[str, ...]:
    """Return the bodies with their numbers, counted from `first`."""
    return tuple(line(number, text) for number, text in enumerate(bodies, first))


def _call(call: ToolCall) -> str:
    return f"-> {call.name}({call.arguments})"
