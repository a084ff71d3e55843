"""A call failed by its result: what was read may speak of errors as it likes."""

import pytest

from anamnesis_ingestion.learning.local.turns import Attempt, reports_failure
from anamnesis_ingestion.model import ToolCall

SOURCE = "\n".join(f"{number}\traise ValueError('invalid')" for number in range(1, 30))
RUN = "\n".join([*("a test passed",) * 20, "3 failed, 20 passed"])


def attempt(name: str, arguments: str, answer: str, *, marked: bool = False) -> Attempt:
    return Attempt(ToolCall("c", name, arguments), 0, 1, answer, marked)


@pytest.mark.parametrize(
    ("name", "arguments", "answer", "failed"),
    [
        ("Read", '{"file_path":"a.py"}', SOURCE, False),
        ("Read", '{"file_path":"a.py"}', "return undefined;", False),
        ("bash", '{"command":"grep -n error a.py"}', "12: raise error", False),
        ("bash", '{"command":"cd src && cat log.txt"}', "fatal: it crashed", False),
        ("bash", '{"command":"cat b.txt"}', "cat: b.txt: No such file or directory", True),
        ("bash", '{"command":"npm test"}', RUN, True),
        ("bash", '{"command":"npm test"}', "error log\n" + "fine\n" * 9, True),
        ("edit", '{"path":"a.py"}', "fine\nthe error is handled here\n" + "fine\n" * 9, False),
        ("deploy", "{}", "connection refused", True),
    ],
)
def test_a_result_tells_if_a_call_failed(
    name: str, arguments: str, answer: str, failed: bool
) -> None:
    assert attempt(name, arguments, answer).failed is failed


def test_what_is_marked_as_failed_has_failed() -> None:
    assert attempt("Read", "{}", "fine", marked=True).failed


@pytest.mark.parametrize(
    ("said", "failure"),
    [
        ("I get an error when I save", True),
        ("TypeError: x is undefined", True),
        ("the footer should be red on an error", False),
        ("accent #8abeb7\nerror cc6666", False),
    ],
)
def test_a_failure_is_one_that_somebody_met(said: str, failure: bool) -> None:
    assert reports_failure(said) is failure
