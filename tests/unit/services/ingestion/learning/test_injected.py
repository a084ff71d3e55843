"""Text that was put into a conversation is recognised, and only that."""

import pytest

from anamnesis_ingestion.learning.injected import learnable_text, own_words
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role
from anamnesis_retrieval.context.writing import CLOSING, OPENING

BLOCK = f"{OPENING}\n- [§ W-001/R-002/D-003] 2023-05-08, Caroline: I keep bees.\n{CLOSING}"
JSON_BLOCK = (
    f"{OPENING}\n"
    '{"pointer": "§ W-001/R-002/D-003", "date": "2023-05-08", "text": "I keep bees."}\n'
    "</memory_context>"
)


def _event(content: str, role: Role = Role.USER) -> LedgerEvent:
    return LedgerEvent(role=role, content=content, index=0)


@pytest.mark.parametrize(
    "content",
    [
        f"{BLOCK}\nI like tea.",
        f"{JSON_BLOCK}\nI like tea.",
        f"I like tea.\n{BLOCK}",
        f"I like tea.\n{BLOCK.removesuffix('</memory_context>')}",
        f"I like tea.\n{JSON_BLOCK[:90]}",
        f"{BLOCK.split('>', 1)[1]}\nI like tea.",
        "<memory_context>\n- They keep bees.\n</memory_context>\nI like tea.",
        "<system-reminder>\nThey keep bees.\n</system-reminder>\nI like tea.",
        "  <system-reminder>They keep bees.</system-reminder>  \nI like tea.",
        "<command-name>bees</command-name>\nI like tea.",
    ],
)
def test_what_was_injected_is_blanked_and_the_rest_stays(content: str) -> None:
    text = learnable_text(_event(content))
    assert "bees" not in text
    assert "I like tea." in text
    assert len(text) == len(content)
    assert text.index("I like tea.") == content.index("I like tea.")


def test_an_unclosed_reminder_takes_nothing_with_it() -> None:
    opened = "<system-reminder>\nI like tea."
    between = "I live in Leeds."
    closed = "I own a boat.\n</system-reminder>\nI sail."
    assert [learnable_text(_event(each)) for each in (opened, between, closed)] == [
        opened,
        between,
        closed,
    ]


def test_the_same_words_in_prose_stay() -> None:
    prose = "The tag <system-reminder> is odd, and so is </system-reminder> here; I like tea."
    assert learnable_text(_event(prose)) == prose
    named = 'We look for <memory_context source="anamnesis"> in logs. I like tea.'
    assert learnable_text(_event(named)) == named


@pytest.mark.parametrize(
    ("content", "role"),
    [
        ("The user prefers tea.", Role.SYSTEM),
        ("This session is being continued from a previous conversation that ran out", Role.USER),
        ("此前对话摘要：用户喜欢茶。", Role.USER),
    ],
)
def test_of_some_events_nothing_is_learned(content: str, role: Role) -> None:
    assert not learnable_text(_event(content, role)).strip()


def test_the_parts_that_may_be_learned_from_stay() -> None:
    content = f"I like tea.\n{BLOCK}\nI sail."
    kept = learnable_text(_event(content))
    assert [line.strip() for line in kept.split("\n") if line.strip()] == ["I like tea.", "I sail."]


@pytest.mark.parametrize(
    "quoted",
    [
        "```\nI like tea.\n```",
        "> I like tea.",
        "2024-03-01 10:00:00 I like tea.",
        "ERROR I like tea.",
    ],
)
def test_code_logs_and_quotes_are_not_own_words(quoted: str) -> None:
    event = _event(f"{quoted}\nI sail.")
    assert "tea" not in own_words(event)
    assert "I sail." in own_words(event)
    assert "tea" in learnable_text(event)
