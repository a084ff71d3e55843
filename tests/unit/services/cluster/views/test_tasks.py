"""Kinds of task, and tools that failed."""

import pytest

from anamnesis_cluster.view_model import LessonLine, Line, Procedure, Task, ToolUse, Visibility
from anamnesis_cluster.views.tasks import task_patterns
from anamnesis_cluster.views.tool_failures import error_kind, tool_failures
from tests.unit.services.cluster.views.told import day

MISSING = "ls: cannot access 'x': No such file or directory"
LOST = (MISSING, MISSING)
ERROR = "builtins.KeyError: 'a'"
TASKS = [
    Task("g-1", "s-1", "coding", "parser", 0.8, day("2026-01-01"), (ToolUse("Bash", 4, (ERROR,)),)),
    Task("g-2", "s-2", "coding", "tests", 0.4, day("2026-02-01"), (ToolUse("Bash", 2, LOST),)),
    Task("g-3", "s-3", "research", "", 1.0, day("2026-03-01"), (ToolUse("Read", 9),)),
]


def lesson(text: str, segment_id: str) -> LessonLine:
    return LessonLine(Line(text, (f"l-{text}",), "shared"), segment_id)


def test_kinds_of_task_are_counted_with_what_helps() -> None:
    def learned(memory_id: str, status: str, rate: float) -> Procedure:
        return Procedure(memory_id, memory_id, "g-1", 3, rate, status, Visibility.SHARED)

    procedures = [learned("p-1", "draft", 0.0), learned("p-2", "active", 1.0)]
    procedures.append(learned("p-3", "deprecated", 0.1))
    coding, research = task_patterns(TASKS, procedures)
    assert (coding.task_type, coding.tasks, coding.topics) == ("coding", 2, ("tests", "parser"))
    assert coding.mean_score == pytest.approx(0.6)
    assert coding.last == day("2026-02-01")
    assert [each.memory_id for each in coding.procedures] == ["p-2", "p-1"]
    assert (research.tasks, research.topics, research.procedures) == (1, (), ())


def test_tools_that_failed_are_counted_with_kinds_examples_and_remedies() -> None:
    lessons = [
        lesson(f"{MISSING}: make it first", "g-2"),
        lesson("the user prefers tabs", "g-2"),
        lesson("Bash: mind the quotes", "g-3"),
    ]
    (bash,) = tool_failures(TASKS, lessons)
    assert (bash.tool, bash.calls, bash.failures, bash.last) == ("Bash", 6, 3, day("2026-02-01"))
    assert [(each.kind, each.count) for each in bash.errors] == [
        ("no such file", 2),
        ("KeyError", 1),
    ]
    assert bash.errors[0].example == MISSING
    assert [line.text for line in bash.remedies] == [f"{MISSING}: make it first"]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("a.b.TimeoutError: slow", "TimeoutError"),
        ("HTTP/1.1 503 Service Unavailable", "HTTP 503"),
        ("16:59:00.508 [warning] could not resolve", "other"),
        ("bash: foo: command not found", "command not found"),
        ("Process exited with code 3", "exit code 3"),
        ("3 failed, 2 passed", "tests failed"),
        ("请求超时", "timeout"),
    ],
)
def test_an_error_is_of_the_kind_that_its_line_names(line: str, kind: str) -> None:
    assert error_kind(line) == kind
