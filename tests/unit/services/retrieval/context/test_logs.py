"""What a context tells of the log of an agent's work."""

from services.retrieval.context.voices import PRINTED_BEHIND, spoken_first
from services.retrieval.model import Candidate, Ranked
from tests.support.small_memory import Said, SmallMemory

BOARD = """parser-7: Read tabs [OPEN]
Owner: Ada
## Goal
Read what editors write.
## Architecture constraints
- Stay with one pass over the text.
- No table in memory.
- No regular expressions.
## Files
- parser.py
- tabs.py
"""
FILLING = "\n".join(f"line {number} of the listing" for number in range(80))


async def test_a_heading_in_what_a_tool_printed_brings_what_stands_under_it() -> None:
    memory = SmallMemory(Said(f"{BOARD}{FILLING}", role="tool", name="Bash: show parser-7"))
    text = await memory.text("Which architecture constraints are there?", 70)
    assert "one pass" in text
    assert "No regular expressions." in text


def test_what_was_said_comes_before_what_a_tool_printed_about_as_well() -> None:
    said, printed = _hit("assistant", 6.0), _hit("tool", 9.0)
    far_better = _hit("tool", 9.0 + PRINTED_BEHIND)
    assert spoken_first([far_better, printed, said]) == [far_better, said, printed]


async def test_what_a_tool_prints_again_comes_last() -> None:
    memory = SmallMemory(
        *(Said("parser: 3 tests failed", role="tool", name="pytest") for _ in range(6)),
        Said("parser tests: tabs are read as blanks", role="tool", name="git log"),
    )
    text = await memory.text("parser tests failed", 60)
    assert text.count("3 tests failed") < 6
    assert "tabs are read as blanks" in text


async def test_within_a_session_of_work_a_step_replaces_no_other() -> None:
    steps = (
        Said("try the dark theme", "2026-03-01"),
        Said("", "2026-03-01", role="tool", name="bash"),
        Said("now the theme selector draws too early", "2026-03-02"),
    )
    memory = SmallMemory(*steps, *(Said(f"ran step {at}", role="tool") for at in range(20)))
    text = await memory.text("What about the theme?")
    assert "dark theme" in text
    assert "before," not in text


async def test_a_question_about_the_record_itself_needs_less_to_be_answered() -> None:
    lines = [Said(f"reading module {at} of the compiler", role="tool") for at in range(60)]
    memory = SmallMemory(Said("continue until all are done"), *lines)
    assert "all are done" in await memory.text("How far should the agent continue until done?")
    assert not await memory.text("How far should the ship continue until done?")


def _hit(role: str, score: float) -> Ranked:
    return Ranked(Candidate(f"{role}-{score}", role=role), score=score)
