"""What a context tells of the log of an agent's work."""

from anamnesis_retrieval.context.voices import PRINTED_BEHIND, candidates_factor, spoken_first
from anamnesis_retrieval.model import Candidate, Ranked
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
    assert spoken_first("the parser", [far_better, printed, said]) == [far_better, said, printed]


def test_a_run_that_failed_comes_before_what_was_looked_at() -> None:
    failed, read = _hit("tool", 6.0, "Bash: make (failed)"), _hit("tool", 8.0, "Read: parser.py")
    assert spoken_first("the parser", [read, failed]) == [failed, read]


def test_who_asks_what_a_person_said_gets_their_words_and_the_first_of_them_if_asked() -> None:
    first, later = _hit("user", 1.0, at=1), _hit("user", 2.0, at=9)
    third, fourth = _hit("user", 1.5, at=5), _hit("assistant", 4.0)
    hits = [fourth, later, third, first, _hit("tool", 3.0)]
    assert spoken_first("What did the user ask for?", hits)[:2] == [later, third]
    assert first in spoken_first("What did the user ask for at the very start?", hits)[:2]
    assert spoken_first("How are tabs read?", hits)[0] == fourth
    assert candidates_factor("What did the user ask for?") > candidates_factor("How are tabs read?")


async def test_of_the_reports_that_a_step_went_well_the_newest_comes_first() -> None:
    memory = SmallMemory(
        *(
            Said(f"All {at} parser tests pass.", f"2026-03-0{at}", role="assistant")
            for at in range(2, 9)
        ),
        Said("The parser tests needed tabs read as blanks.", "2026-03-01", role="assistant"),
    )
    text = await memory.text("What about the parser tests?", 75)
    assert "All 8 parser tests" in text
    assert "read as blanks" in text


async def test_a_question_for_a_rule_gets_the_line_that_lays_it_down() -> None:
    board = "\n".join(
        (
            "The parser keeps its tables of states fresh while it reads.",
            *(f"Module {at} has something else." for at in range(9)),
            "Fresh states must be kept by the writer, not by cron.",
            *(f"Page {at} has something else." for at in range(60)),
        )
    )
    memory = SmallMemory(
        Said(board, role="tool", name="Bash: show"),
        *(Said(f"ran step {at}", role="tool") for at in range(20)),
    )
    text = await memory.text("What must keep the tables of states fresh in the parser?", 90)
    assert "not by cron" in text


async def test_what_a_tool_printed_is_shown_around_its_hits_alone() -> None:
    board = "\n".join(
        (
            *(f"{at}→" for at in range(5)),
            "The parser reads tabs as blanks.",
            *(f"Module {at} has something else." for at in range(60)),
        )
    )
    memory = SmallMemory(Said(board, role="tool", name="Read: parser.md"))
    text = await memory.text("How does the parser read tabs?", 400)
    assert "Module 1 " in text
    assert "Module 9 " not in text
    assert "→" not in text


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


def _hit(role: str, score: float, name: str = "", at: int = 0) -> Ranked:
    memory_id = f"{role}-{score}-{at}"
    return Ranked(Candidate(memory_id, role=role, name=name, create_time_us=at), score=score)
