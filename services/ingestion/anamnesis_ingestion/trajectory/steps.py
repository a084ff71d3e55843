"""The tool calls of a task, each beside the answer it got.

An answer belongs to the call whose id it names; one without an id to the oldest call still open.
An answer tells of failure by what tools and shells print: looked at are its first and last
lines, where they print it, so that a file that only speaks of errors is no failure.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role, ToolCall

_HEAD_CHARS = 400
_TAIL_CHARS = 400

# How a line begins that reports a failure
_FAILURE_LINE = re.compile(
    r"^\W{0,4}(?:(?:fatal|error|err!|exception|failure|failed|panic|traceback|denied)\b"
    r"|[\w.]*(?:Error|Exception)\b\s*(?::|$)|npm err!|e\s{3}|错误|失败|异常|报错|出错)"
    r"(?!\s*[:=]?\s*(?:0\b|none\b|null\b|false\b))",
    re.IGNORECASE | re.MULTILINE,
)
# What reports a failure anywhere in a line
_FAILURE = re.compile(
    r"traceback \(most recent call last\)|command not found|no such file or directory"
    r"|permission denied|(?:exit|return|status)(?:ed)?(?: with)?(?: code"
    r"| status)?[: =]+[1-9]\d{0,2}\b"
    r"|\b[1-9]\d* (?:failed|failures?|errors?)\b|(?:timed out|timeout exceeded)"
    r"|connection (?:refused|reset)|\bHTTP(?:/[\d.]+)?[ :]+[45]\d\d\b|\b[45]\d\d (?:not found"
    r"|forbidden"
    r"|unauthorized|bad request|internal server error|service unavailable|bad gateway)"
    r"|segmentation fault|out of memory|syntax ?error|cannot find module|modulenotfounderror"
    r"|\bcould not (?:find|connect|resolve|open|be found)|\bno (?:matches|results) found"
    r"|tool_use_error|<error>|没有权限|权限不足|找不到|无法连接|连接超时|超时|执行失败|编译失败|未找到",
    re.IGNORECASE,
)
_JSON_FAILURE = re.compile(
    r'"(?:is_)?error"\s*:(?!\s*(?:null|false|""|\{\}|\[\]|0\b))|"(?:success|ok)"\s*:\s*false'
    r'|"status"\s*:\s*"(?:error|failed|failure)"|"exit_?code"\s*:\s*[1-9]',
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"\d{1,6}\s*[→|:\t]")
_CODE_ALONE = re.compile(
    r"\W*(?:process )?exit(?:ed)?(?: with)?(?: code| status)?[: =]+\d+\W*", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class TrajectoryStep:
    """A tool call and how it went; `answer_index` is None where no answer came."""

    call_index: int
    call: ToolCall
    answer_index: int | None = None
    answer: str = ""
    failed: bool = False

    @property
    def evidence(self) -> tuple[int, ...]:
        """The events that show it."""
        return (self.call_index,) if self.answer_index is None else (self.answer_index,)


def says_failure(text: str) -> bool:
    """True if a tool's answer tells of failure."""
    body = text.strip()
    ends = body if len(body) <= _HEAD_CHARS + _TAIL_CHARS else _ends(body)
    if body.startswith("{"):
        return _JSON_FAILURE.search(ends) is not None
    return any(pattern.search(ends) for pattern in (_FAILURE_LINE, _FAILURE, _JSON_FAILURE))


def failing_line(text: str) -> str:
    """The line of an answer that tells of failure, best one that says which; "" where none does.

    Lines with a number before them are of a file that was read.
    """
    lines = (line.strip() for line in text.splitlines())
    told = [line for line in lines if line and not _NUMBERED.match(line) and says_failure(line)]
    return next((line for line in told if not _CODE_ALONE.fullmatch(line)), next(iter(told), ""))


def steps(events: Sequence[LedgerEvent]) -> tuple[TrajectoryStep, ...]:
    """Return the calls in order, with their answers."""
    found: list[TrajectoryStep] = []
    for event in events:
        index = event.index or 0
        found += [TrajectoryStep(index, call) for call in event.tool_calls]
        if event.role is Role.TOOL:
            _answer(found, event)
    return tuple(found)


def _answer(found: list[TrajectoryStep], event: LedgerEvent) -> None:
    """Put an answer beside its call; one that belongs to none counts as a step of its own."""
    position = _open_call(found, event.tool_call_id)
    index, failed = event.index or 0, says_failure(event.content)
    if position is None:
        call = ToolCall(event.tool_call_id, event.name, "")
        found.append(TrajectoryStep(index, call, index, event.content, failed))
        return
    step = found[position]
    found[position] = TrajectoryStep(step.call_index, step.call, index, event.content, failed)


def _open_call(found: Sequence[TrajectoryStep], call_id: str) -> int | None:
    open_steps = [at for at, step in enumerate(found) if step.answer_index is None]
    if not call_id:
        return open_steps[0] if open_steps else None
    return next((at for at in open_steps if found[at].call.call_id == call_id), None)


def _ends(text: str) -> str:
    head, tail = text[:_HEAD_CHARS], text[-_TAIL_CHARS:]
    first_lines = head.rpartition("\n")[0] or head
    last_lines = tail.partition("\n")[2] or tail
    return f"{first_lines}\n{last_lines}"
