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


def test_a_run_that_failed_is_as_good_as_said_where_a_failure_is_asked_about() -> None:
    failed, said = _hit("tool", 6.0, "Bash: make (failed)"), _hit("assistant", 5.0)
    assert spoken_first("the parser", [failed, said]) == [said, failed]
    assert spoken_first("Why did the parser break?", [failed, said]) == [failed, said]


def test_what_must_hold_is_asked_of_what_a_command_printed_but_not_of_files() -> None:
    board, said = _hit("tool", 6.0, "Bash: show parser-7"), _hit("assistant", 3.0)
    read = _hit("tool", 7.0, "read_file: parser.py")
    assert spoken_first("What must the parser keep?", [read, board, said]) == [board, said, read]


def test_who_asks_how_something_is_run_gets_the_runs_of_such_a_command() -> None:
    tests, said = _hit("tool", 6.0, "Bash: make tests"), _hit("assistant", 5.0)
    assert spoken_first("How do I run the tests?", [said, tests]) == [tests, said]
    assert spoken_first("How do I run the linter?", [said, tests]) == [said, tests]


def test_who_asks_what_came_last_gets_the_last_things_said_whatever_their_words() -> None:
    last, best = _hit("assistant", -1.0, at=9), _hit("assistant", 9.0, at=1)
    between = [_hit("assistant", 2.0, at=at) for at in range(2, 6)]
    hits = [best, *between, last, _hit("tool", 3.0)]
    assert last in spoken_first("Where did the release get stuck?", hits)[:5]
    assert last not in spoken_first("How was the release made?", hits)[:5]
    assert candidates_factor("Where did the release get stuck?") > 1


async def test_who_asks_what_a_person_said_gets_nothing_that_a_tool_printed() -> None:
    memory = SmallMemory(
        Said("Tabs are to be read as blanks."),
        Said("The user asked the parser to read tabs.", role="tool", name="WebFetch"),
    )
    text = await memory.text("What did the user ask of the parser about tabs?")
    assert "as blanks" in text
    assert "WebFetch" not in text


async def test_a_line_of_which_only_an_announcement_has_the_words_is_not_shown() -> None:
    memory = SmallMemory(
        Said("Clean compile. Now let me write the parser tests.", role="assistant"),
        Said("The parser tests need a fixture.", role="assistant"),
    )
    text = await memory.text("What do the parser tests need?")
    assert "fixture" in text
    assert "Clean compile" not in text


async def test_who_asks_what_was_tried_gets_what_was_announced_upon_a_finding() -> None:
    memory = SmallMemory(
        Said("The parser cache is stale. Let me force a clean rebuild.", role="assistant")
    )
    assert "rebuild" in await memory.text("What was tried against the stale parser cache?")
    assert "rebuild" not in await memory.text("Is the parser cache stale?")


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


async def test_what_a_tool_prints_again_with_another_head_comes_last() -> None:
    rules = "rules: no tables of states\nforbidden: regular expressions"
    memory = SmallMemory(
        *(
            Said(f"parser board, {state}\n{rules}", role="tool", name="show")
            for state in ("open", "closed")
        ),
        Said("rules of the old parser board: end in a newline", role="tool", name="git log"),
    )
    text = await memory.text("Which tables are forbidden by the rules on the parser board?", 62)
    assert "newline" in text
    assert text.count("no tables") == 1


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
