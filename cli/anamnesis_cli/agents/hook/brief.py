"""The brief of a session that begins: what the suite tells where nothing is asked.

A suite that is too old to tell one is asked two questions instead: for the rules, and where one
stopped.
"""

from collections.abc import Callable

from anamnesis_cli.agents.hook.exchange import Unanswered
from anamnesis_cli.agents.hook.objects import JsonObject, number_of, text_of
from anamnesis_cli.agents.hook.states import note

RULES = "What are the rules here?"
STOPPED = "Where did we stop, and what is left to do?"
LAID_DOWN, SAID = ["rule", "constraint", "amendment"], "MEMORY_KIND_EPISODIC"
STOPPED_MEMORIES_MAX = 8
OPENING, CLOSING = "<memory_context>", "</memory_context>"

Ask = Callable[[str, int, JsonObject], JsonObject]
"""Asks for the context of a query, in so many tokens, with more fields of the request."""


def brief_of(ask: Ask, tokens: int) -> str:
    """The brief; "" where nothing is known or nobody answers, of which the log has a line."""
    bodies: list[str] = []
    try:
        try:
            return text_of(ask("", tokens, {}), "text")
        except Unanswered as error:
            if error.code != "invalid_argument":
                raise
        _ask_questions(ask, tokens, bodies)
    except (OSError, ValueError) as error:
        note(f"brief: {type(error).__name__}: {error}")
    return "\n".join([OPENING, *bodies, CLOSING]) if bodies else ""


def _ask_questions(ask: Ask, tokens: int, bodies: list[str]) -> None:
    """Add what answers two questions; the second gets the tokens that the first one left."""
    asked: list[tuple[str, int, JsonObject]] = [
        (RULES, tokens // 4, {"filter": {"categories": LAID_DOWN}}),
        (STOPPED, tokens, {"filter": {"kinds": [SAID]}, "limit": STOPPED_MEMORIES_MAX}),
    ]
    for query, tokens_max, more in asked:
        found = ask(query, min(tokens, tokens_max), more)
        if text := text_of(found, "text"):
            tokens -= number_of(found, "tokenCount")
            bodies.append(text.removeprefix(OPENING).removesuffix(CLOSING).strip("\n"))
