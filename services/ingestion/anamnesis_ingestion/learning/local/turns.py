"""A task as turns: what a person asks, the calls with their answers, what is said last."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from anamnesis_ingestion.learning.injected import learnable_text
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import FAILED_MARK, Role, ToolCall

_FAILED = re.compile(
    r"\b(?:error|errors|err!|fatal|traceback|exception|panic|segfault|segmentation fault"
    r"|abort(?:ed)?|denied|forbidden|unauthori[sz]ed"
    r"|rejected|refused|unreachable|timed out|timeout|etimedout|econnrefused|enoent|eacces"
    r"|cannot|could not|couldn['’]t|unable to|not found|no such file|no module named"
    r"|command not found|invalid|fail(?:s|ed|ure|ures)?|undefined|unresolved|conflict|missing"
    r"|killed|out of memory|oom|exit(?:ed)? (?:code|status)?:? ?[1-9]\d*|404|500|502|503"
    r"|413)\b"
    r"|\w(?:Error|Exception)\b|\"(?:ok|success)\": ?false|\"(?:status|result)\": ?\"(?:error"
    r"|failed|failure)\""
    r"|报错|错误|失败|异常|超时|拒绝|找不到|不存在|无法|崩溃|没有权限|权限不足|無法|錯誤|失敗",
    re.IGNORECASE,
)
_NOT_FAILED = re.compile(
    (
        r"\b(?:0|no|zero|without) (?:\w{1,40} )?(?:errors?|failures?|failed|warnings?|conflicts?"
        r"|issues?)\b|\berrors?: ?0\b|\bfailed: ?0\b|\"errors?\": ?(?:0|\[\]|null)"
        r"|没有错误|无错误|0 "
        r"个错误"
    ),
    re.IGNORECASE,
)
_CODE_ALONE = re.compile(r"(?:exit|exited with|status)(?: code| status)?:? ?-?\d+", re.IGNORECASE)
_CODE_ALONE_ANSWERED = re.compile(
    r"(?:(?:command )?exited with code|exit code|exit status):? ?1\b\.?", re.IGNORECASE
)
_SHORT_LINES, _LAST_LINES = 5, 2
_NUMBERED = re.compile(r"\s{0,20}\d{1,9}(?:→|\t|: |\||-\s)|[\w./-]{1,200}:\d{1,9}[:-]")
_READS = re.compile(
    r"(?:read|view|open|cat|grep|glob|ls|list|find|search)(?:_?files?)?", re.IGNORECASE
)
_READ_COMMANDS = re.compile(
    r"\s*(?:cd [^&;|]{1,300}(?:&&|;)\s*)?"
    r"(?:cat|head|tail|grep|rg|sed -n|less|ls|find|awk|wc|tree)\b"
)
_NOT_READ = re.compile(
    r"\A\W*(?:[\w./ ~-]{1,200}: )*(?:<?error\b|no such file|permission denied|is a directory"
    r"|not found|cannot |could not |enoent|eacces|file (?:does not exist|not found))",
    re.IGNORECASE,
)
_NOT_READ_CHARS = 400
_GAVE_UP = re.compile(
    r"\b(?:could ?n['’]t|could not|can['’]t|cannot|unable to|still (?:fails?|failing|broken"
    r"|not)|does ?n['’]t work|not (?:yet )?(?:possible|working|fixed|resolved)|gave up|giving "
    r"up|no luck|failed to|stuck)\b(?!.{0,30}\bin place\b)"
    r"|还是不行|仍然|无法|没能|失败了|解决不了|搞不定|暂时不行|放弃",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One call and its answer; positions are those of the events in the task."""

    call: ToolCall
    asked_at: int
    answered_at: int
    answer: str
    marked: bool = False
    """The call's answer said so itself: the call did not succeed."""

    @property
    def failed(self) -> bool:
        """True if the call failed, by its result: it is marked, or the answer tells so.

        A long answer tells it at its head or its end. What is between is what was read: a file in
        which errors are handled is no error. A search that ends with a code alone found nothing.
        """
        if reads(self.call):
            return bool(_NOT_READ.search(self.answer[:_NOT_READ_CHARS])) or (
                self.marked and not _CODE_ALONE_ANSWERED.fullmatch(self.answer.strip())
            )
        if self.marked:
            return True
        return bool(_FAILED.search(_NOT_FAILED.sub(" ", _result(self.answer))))


@dataclass(slots=True)
class Turn:
    """From a person's message to the last answer before the next one."""

    start: int
    request: str = ""
    attempts: list[Attempt] = field(default_factory=list)
    closing: str = ""
    end: int = 0
    said: list[str] = field(default_factory=list)

    @property
    def gave_up(self) -> bool:
        """True if the last answer says that the attempt did not work."""
        return bool(_GAVE_UP.search(self.closing))


def rejects(request: str) -> bool:
    """True if a person's message throws away what was done before it."""
    return bool(_REJECTS.search(request[:_OPENING_CHARS]))


_OPENING_CHARS = 200
_REJECTS = re.compile(
    r"^\W*(?:(?:yeah|yes|ok|hm+|well|sorry|hey)[\s,.!]+)*(?:you can |please |just )?"
    r"(?:no\b|wrong|not (?:that|what)|stop\b|undo\b|revert\b|that['’]s not)"
    r"|\bi(?:['’]ve| have)? (?:just )?(?:undid|undone|reverted|rolled back)\b"
    r"|^\W*(?:不对|不是|错了|不行|撤回|还原)",
    re.IGNORECASE,
)


def turns_of(events: Sequence[LedgerEvent]) -> list[Turn]:
    """The turns of a task in order; the first may begin without a request."""
    turns: list[Turn] = []
    asked: dict[str, tuple[ToolCall, int]] = {}
    for at, event in enumerate(events):
        if event.role is Role.USER or not turns:
            request = learnable_text(event).strip() if event.role is Role.USER else ""
            turns.append(Turn(at, request, end=at))
        turn = turns[-1]
        if event.role is Role.ASSISTANT:
            asked.update({call.call_id: (call, at) for call in event.tool_calls})
            turn.end = at
            text = learnable_text(event).strip()
            turn.closing = "" if event.tool_calls else text or turn.closing
            turn.said.extend([text] if text else [])
        elif event.role is Role.TOOL:
            turn.attempts.extend(_answered(event, at, asked))
            turn.end = at
            turn.closing = ""
    return turns


def _answered(
    event: LedgerEvent, at: int, asked: dict[str, tuple[ToolCall, int]]
) -> Iterator[Attempt]:
    found = asked.pop(event.tool_call_id, None)
    if found is not None:
        marked = event.name.endswith(FAILED_MARK)
        yield Attempt(found[0], found[1], at, learnable_text(event), marked)


def reads(call: ToolCall) -> bool:
    """True if a call only reads, by its name or its command."""
    if _READS.fullmatch(call.name):
        return True
    command = re.search(r'"(?:command|cmd)":\s*"((?:[^"\\]|\\.){0,400})', call.arguments)
    return command is not None and _READ_COMMANDS.match(command[1]) is not None


def _result(answer: str) -> str:
    """Return the lines of an answer that tell how the call went; of a source file none do."""
    lines = [line for line in answer.splitlines() if line.strip()]
    if len(lines) <= _SHORT_LINES:
        return answer
    told = [line for line in (lines[0], *lines[-_LAST_LINES:]) if not _NUMBERED.match(line)]
    return "\n".join(told)


def reports_failure(text: str) -> bool:
    """True if a person's message tells of something that fails."""
    told = _ERROR_WORD.sub(_if_met, _WISHED.sub(" ", _NOT_FAILED.sub(" ", text)))
    return bool(_FAILED.search(told) or _COMPLAINT.search(told))


def _if_met(word: re.Match[str]) -> str:
    """The word "error" where somebody met one; the name of a colour or a level is none."""
    return word[0] if word["met"] else " "


_ERROR_WORD = re.compile(
    r"(?P<met>\b(?:get|got|getting|sees?|seeing|saw|throws?|throwing|gives?|giving|with|an?|the|this"
    r"|that|these|some|following|shows?|hits?|returns?|says?|fails?|failed|produces?|\d{3}|\w+ing|"
    r"is|are|was|were)[ \t]+(?:[\w-]+[ \t]+){0,3}?)?\berrors?\b(?![:!?])",
    re.IGNORECASE,
)
_WISHED = re.compile(
    r"[^.!?\n]{0,300}\b(?:should(?:n['’]t)?|must|needs? to|want|make sure|ought to)\b"
    r"[^.!?\n]{0,300}",
    re.IGNORECASE,
)
_COMPLAINT = re.compile(
    r"!!|\b(?:hangs?|broken|breaks?|crash(?:es|ed|ing)?|stuck|slow|wrong|does ?n['’]t (?:work"
    r"|start|load|open|build|compile)|won['’]t|not working|keeps? (?:\w+ing|dying)|flaky"
    r"|leak(?:s|ing)?|weird|bug|blank|empty page)\b"
    r"|不行|卡住|卡死|卡在|挂了|起不来|打不开|装不上|连不上|没反应|太慢|很慢|被拒|丢了|乱码"
    r"|不显示|不生效|坏了|出问题|白屏",
    re.IGNORECASE,
)


_NAMED = re.compile(
    r"\w(?:Error|Exception)\b|\b(?:error|fatal|panic)(?: \w{1,20})?:", re.IGNORECASE
)
"""A failure by its name."""


def tells_failure(line: str) -> bool:
    """True if a line of an answer says what failed."""
    return bool(_FAILED.search(_NOT_FAILED.sub(" ", line)))


def failing_line(text: str) -> str:
    """The line of a tool's answer that tells of the failure, cut short."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    lines = [line for line in lines if not _CODE_ALONE.fullmatch(line)] or lines
    told = [line for line in lines if _FAILED.search(line)]
    telling = next((line for line in told if _NAMED.search(line)), next(iter(told or lines), ""))
    return telling[:200]
