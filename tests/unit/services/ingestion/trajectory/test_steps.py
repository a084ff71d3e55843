"""Calls find their answers, and answers that tell of failure are told from those that do not."""

import pytest

from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role, ToolCall
from anamnesis_ingestion.trajectory.measures import tool_uses
from anamnesis_ingestion.trajectory.steps import TrajectoryStep, failing_line, says_failure, steps

FAILURES = [
    "Error: cannot open shared object file",
    "Traceback (most recent call last):\n  File ...\nValueError: bad",
    "ls: cannot access 'x': No such file or directory",
    "bash: foo: command not found",
    "FAILED tests/test_a.py::test_b\n1 failed, 3 passed",
    "collected 3 items\nE   assert 1 == 2\n2 failed",
    "Process finished with exit code 1",
    '{"error": {"message": "rate limit"}}',
    '{"success": false}',
    "HTTP/1.1 404 Not Found",
    "npm ERR! missing script",
    "错误：找不到文件",
    "编译失败",
    "<tool_use_error>String to replace not found</tool_use_error>",
    "Connection refused",
]
SUCCESSES = [
    "",
    "ok",
    "12 passed, 0 failed",
    "0 errors, 0 warnings",
    "Errors: 0",
    "exit code 0",
    '{"error": null, "rows": 3}',
    '{"success": true, "errors": []}',
    "def handle_error(error): ...",
    "See the page on error handling.",
    "HTTP/1.1 200 OK",
    "部署完成，没有警告",
    "x = 1\n" * 200 + "    # Error: this line is in the middle of a file\n" + "y = 2\n" * 200,
]


@pytest.mark.parametrize("answer", FAILURES)
def test_a_failure_is_recognised(answer: str) -> None:
    assert says_failure(answer)


@pytest.mark.parametrize("answer", SUCCESSES)
def test_a_success_that_speaks_of_errors_is_none(answer: str) -> None:
    assert not says_failure(answer)


def _calls(*ids: str) -> LedgerEvent:
    calls = tuple(ToolCall(call_id, f"tool-{call_id}", "{}") for call_id in ids)
    return LedgerEvent(role=Role.ASSISTANT, content="", index=1, tool_calls=calls)


def _answer(index: int, call_id: str, content: str) -> LedgerEvent:
    return LedgerEvent(role=Role.TOOL, content=content, index=index, tool_call_id=call_id)


def test_answers_find_their_calls_by_id_in_any_order() -> None:
    taken = steps([_calls("a", "b"), _answer(2, "b", "Error: no"), _answer(3, "a", "fine")])
    assert [(step.call.call_id, step.answer_index, step.failed) for step in taken] == [
        ("a", 3, False),
        ("b", 2, True),
    ]


def test_answers_without_an_id_go_to_the_oldest_open_call() -> None:
    taken = steps([_calls("a", "b"), _answer(2, "", "one"), _answer(3, "", "two")])
    assert [step.answer for step in taken] == ["one", "two"]


def test_a_call_without_an_answer_and_an_answer_without_a_call_are_steps() -> None:
    taken = steps([_calls("a"), _answer(2, "z", "lost")])
    assert [(step.call_index, step.answer_index) for step in taken] == [(1, None), (2, 2)]


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        ("Exit code 1\nfoo: command not found", "foo: command not found"),
        ("Exit code 2", "Exit code 2"),
        ("  39→  assert status == 200\n  40→  raise ValueError", ""),
        ("all is well", ""),
    ],
)
def test_a_failure_is_told_by_the_line_that_says_which(answer: str, line: str) -> None:
    assert failing_line(answer) == line


def test_tools_are_listed_with_their_calls_and_failures() -> None:
    call = ToolCall("c", "Bash", "{}")
    missing = "bash: foo: command not found"
    taken = [
        TrajectoryStep(0, call, 1, "ok"),
        TrajectoryStep(2, call, 3, missing, failed=True),
        TrajectoryStep(4, call),
        TrajectoryStep(5, ToolCall("d", "", "{}"), 6, "ok"),
    ]
    assert tool_uses(taken) == [
        {"name": "Bash", "calls": 3, "failures": [missing]},
        {"name": "tool", "calls": 1, "failures": []},
    ]
