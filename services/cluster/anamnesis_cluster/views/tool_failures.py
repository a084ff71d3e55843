"""Tools that failed: how often, with which kinds of error, and what was learned from it.

The kind of an error is what its line names: an exception, a code, or one of a few causes in words.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime

from anamnesis_cluster.view_model import LessonLine, Line, Task, ToolError, ToolFailure
from anamnesis_cluster.views.lines import merged, plain

ERRORS_MAX = 10
REMEDIES_MAX = 10
OTHER = "other"
_LIKE_CHARS = 60
"""As much of a failure as the title of its lesson has for sure."""
_NAMED = re.compile(r"\b[A-Za-z_][\w.]*(?:Error|Exception|NotFound|Refused)\b")
_CODE = re.compile(
    r"\b(?:exit|return|status)(?:ed)?(?: with)?(?: code| status)?[: =]+(\d{1,3})\b", re.IGNORECASE
)
_HTTP = re.compile(
    r"\bHTTP(?:/[\d.]+)?[ :]+(?:error )?(?P<code>[45]\d\d)\b"
    r"|\b(?P<named>[45]\d\d) (?:not found|forbidden|unauthorized|bad request|internal server"
    r"|service unavailable|bad gateway|too many)",
    re.IGNORECASE,
)
_CAUSES = {
    "timeout": re.compile(r"time(?:d|s)?[ -]?out|超时", re.IGNORECASE),
    "permission denied": re.compile(r"permission denied|not permitted|权限", re.IGNORECASE),
    "command not found": re.compile(r"command not found", re.IGNORECASE),
    "no such file": re.compile(r"no such file|does not exist|not found|找不到", re.IGNORECASE),
    "connection": re.compile(r"connection (?:refused|reset)|无法连接", re.IGNORECASE),
    "tests failed": re.compile(r"\b\d+ (?:failed|failures?)\b", re.IGNORECASE),
}


def tool_failures(tasks: Iterable[Task], lessons: Iterable[LessonLine]) -> list[ToolFailure]:
    """The tools that failed, the most frequent first."""
    taught: defaultdict[str, list[Line]] = defaultdict(list)
    for lesson in lessons:
        taught[lesson.segment_id].append(lesson.line)
    by_tool: defaultdict[str, list[tuple[Task, int, Sequence[str]]]] = defaultdict(list)
    for task in sorted(tasks, key=lambda each: (each.time, each.segment_id)):
        for use in task.tools:
            by_tool[use.tool].append((task, use.calls, use.failures))
    found = [_failure(tool, uses, taught) for tool, uses in by_tool.items() if _failed(uses)]
    return sorted(found, key=lambda each: (-each.failures, each.tool))


def error_kind(line: str) -> str:
    """The kind of error that a line names."""
    named = _NAMED.search(line)
    if named:
        return named[0].rpartition(".")[2]
    status = _HTTP.search(line)
    if status:
        return f"HTTP {status['code'] or status['named']}"
    cause = next((kind for kind, told in _CAUSES.items() if told.search(line)), "")
    code = _CODE.search(line)
    return cause or (f"exit code {code[1]}" if code else OTHER)


def _failed(uses: Sequence[tuple[Task, int, Sequence[str]]]) -> bool:
    return any(failures for _, _, failures in uses)


def _failure(
    tool: str,
    uses: Sequence[tuple[Task, int, Sequence[str]]],
    taught: defaultdict[str, list[Line]],
) -> ToolFailure:
    """One tool; its uses are by time."""
    counts: dict[str, tuple[int, str, str]] = {}
    last: datetime = uses[0][0].time
    remedies: list[Line] = []
    for task, _, failures in uses:
        for line in failures:
            kind = error_kind(line)
            counts[kind] = (counts.get(kind, (0, "", ""))[0] + 1, line, task.session_id)
        if failures:
            last = task.time
            remedies += (
                line for line in taught[task.segment_id] if _remedies(line, tool, failures)
            )
    errors = [ToolError(kind, *told) for kind, told in counts.items()]
    return ToolFailure(
        tool=tool,
        calls=sum(calls for _, calls, _ in uses),
        failures=sum(len(failures) for _, _, failures in uses),
        last=last,
        errors=tuple(sorted(errors, key=lambda each: (-each.count, each.kind))[:ERRORS_MAX]),
        remedies=tuple(merged(remedies)[:REMEDIES_MAX]),
    )


def _remedies(line: Line, tool: str, failures: Sequence[str]) -> bool:
    """True for a lesson that names the tool, or begins with the words of one of its failures."""
    said = plain(line.text)
    return f" {plain(tool)} " in f" {said} " or any(
        said.startswith(plain(failure)[:_LIKE_CHARS]) for failure in failures
    )
