"""Procedures: three calls or more that worked and reached what was asked for.

Steps that only read, or put one text for another in a file, are of their day: where they are most,
nobody could go that way again. The steps are the calls that worked, with the arguments that tell
something; secrets and home directories are left out. What failed on the way is what to avoid.

Confidence is 0.6, and 0.05 more for each step beyond three, 0.85 at most; a failure on the way
takes 0.05. Importance is 0.5, and 0.1 more where something had to be found out on the way.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from anamnesis_ingestion.learning.knowledge import LearnedProcedure, Step
from anamnesis_ingestion.learning.local.english_words import words_of
from anamnesis_ingestion.learning.local.guards import is_question
from anamnesis_ingestion.learning.local.sentences import cut_at_word
from anamnesis_ingestion.learning.local.turns import (
    Attempt,
    Turn,
    failing_line,
    reads,
    rejects,
    turns_of,
)
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.segmentation.working import orders_work

STEPS_MIN = 3
STEPS_MAX = 40
"""Most steps of a procedure: more are a day's work, which nobody repeats step by step."""
_SPEC_CHARS_MAX = 300
_PURPOSE_CHARS_MAX = 100
_NAME_CHARS_MAX = 80
_SECRET_NAMES = re.compile(
    r"pass(?:word|wd|phrase)?|secret|token|api[-_]?key|credential|auth|cookie|private",
    re.IGNORECASE,
)
_SECRET_VALUES = re.compile(
    r"\b(?:(?:sk|pk|ghp|gho|ghs|xox[abp])[-_]|AKIA|eyJ)[-_A-Za-z0-9]{10,}\b|\b[A-Fa-f0-9]{32,}\b"
    r"|(?i:(?<=bearer )\S+|(?<=password=)\S+|(?<=token=)\S+|(?<=password )\S+)"
    r"|(?<=://)[^/\s:@]+:[^/\s@]+(?=@)"
)
_HOMES = re.compile(r"(?:/home|/Users|[A-Z]:\\Users)[/\\][^/\\\s\"']+")
_EDITS = re.compile(
    r'"(?:old_?(?:string|str|text)|new_?(?:string|str|text)|patch|diff)":', re.IGNORECASE
)
_GOAL_WORDS_MIN = 2
_LONG_WORK = 10
"""Work of more calls is long."""
_ASKS_FOR_WORK = re.compile(
    r"^\W*(?:(?:ok|hey|hi|so|and|please)[\s,]+)*(?:can|could|would|will|do|how)\b|请|帮|能|可以|怎么",
    re.IGNORECASE,
)
_REACTS = re.compile(
    r"^\W*(?:(?:yes|yeah|yep|no|nope|wait|actually|hm+|you (?!should|must|need)|continue"
    r"|thats?|go on|it|this|i (?:don['’]t|do not))\b|what['’]?s\b|[/'\"]/?\w|[+>#-] ?\d"
    r"|(?:[^\s]+ ){0,5}(?:should|must|needs? to be|not the)\b)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z][a-z0-9_.-]{2,}|[\u3400-\u9fff]{2,4}", re.IGNORECASE)
_STOP_WORDS = words_of(
    "the and for with this that please can you could would put make get book send new into "
    "from our your"
)


def procedures_of(events: Sequence[LedgerEvent]) -> Iterator[LearnedProcedure]:
    """The procedures of a task, in order."""
    turns = turns_of(events)
    long = sum(len(turn.attempts) for turn in turns) > _LONG_WORK
    for at, turn in enumerate(turns):
        refused = at + 1 < len(turns) and rejects(turns[at + 1].request)
        worked = [each for each in turn.attempts if not each.failed]
        if (
            _names_a_goal(turn.request, in_long_work=long)
            and turn.closing
            and not turn.gave_up
            and not refused
            and STEPS_MIN <= len(_distinct(worked)) <= STEPS_MAX
            and _repeatable(worked)
        ):
            yield _procedure(events, turn, worked)


def _names_a_goal(request: str, *, in_long_work: bool) -> bool:
    """True if a request tells by itself what is to be done; a reaction or question does not.

    In long work turns are remarks on what was done as often as orders: there it is an order only.
    """
    opening = request[:_SPEC_CHARS_MAX]
    words = {word.lower() for word in _WORD.findall(opening)} - _STOP_WORDS
    asks = is_question(opening) and not _ASKS_FOR_WORK.match(opening)
    told = len(words) >= _GOAL_WORDS_MIN and not asks and not _REACTS.match(opening)
    return told and (orders_work(opening) or not in_long_work)


def _repeatable(worked: Sequence[Attempt]) -> bool:
    """True if most calls can be made again: one that puts a text for another in a file cannot."""
    once = [each for each in worked if reads(each.call) or _EDITS.search(each.call.arguments)]
    return 2 * len(once) <= len(worked)


def _distinct(attempts: Sequence[Attempt]) -> set[tuple[str, str]]:
    return {(each.call.name, each.call.arguments) for each in attempts}


def _procedure(
    events: Sequence[LedgerEvent], turn: Turn, worked: Sequence[Attempt]
) -> LearnedProcedure:
    failed = [each for each in turn.attempts if each.failed]
    steps = [_step(each, failed) for each in worked]
    steps[-1] = replace(steps[-1], success_criteria=without_private(turn.closing)[:_SPEC_CHARS_MAX])
    return LearnedProcedure(
        name=cut_at_word(without_private(turn.request.splitlines()[0]), _NAME_CHARS_MAX),
        goal=without_private(turn.request)[:_SPEC_CHARS_MAX],
        steps=tuple(steps),
        sources=tuple(_index(events, at) for at in range(turn.start, turn.end + 1)),
        trigger_tags=tuple(_tags(turn, worked)),
        avoid=tuple(f"{spec_of(each)}: {failing_line(each.answer)}" for each in failed),
        confidence=max(0.5, min(0.85, 0.6 + 0.05 * (len(steps) - STEPS_MIN)) - 0.05 * len(failed)),
        importance=0.6 if failed else 0.5,
    )


def _step(attempt: Attempt, failed: Sequence[Attempt]) -> Step:
    """A call; where the same tool failed before it worked, the failure says what to do instead."""
    before = [
        each
        for each in failed
        if each.call.name == attempt.call.name and each.asked_at < attempt.asked_at
    ]
    on_failure = f"not {spec_of(before[-1])}" if before else ""
    lines = without_private(attempt.answer).strip().splitlines()
    return Step(
        action=attempt.call.name,
        spec=spec_of(attempt),
        success_criteria=lines[0][:120] if lines else "",
        on_failure=on_failure,
    )


def spec_of(attempt: Attempt) -> str:
    """The telling arguments of a call: a command as one types it, and what it is for.

    Others are told by name, `file_path=app.py, new_string=...`; the only one of a call as it is.
    """
    try:
        arguments = json.loads(attempt.call.arguments or "{}")
    except json.JSONDecodeError:
        arguments = attempt.call.arguments
    if not isinstance(arguments, dict):
        return without_private(str(arguments))[:_SPEC_CHARS_MAX]
    told = {
        key: value
        for key, value in arguments.items()
        if not _SECRET_NAMES.search(str(key)) and value not in ("", None, [], {})
    }
    command = command_of(told).strip()
    if command and "\n" not in command:
        return _typed(without_private(command), told.get("description"))
    if len(told) == 1:
        return without_private(_written(next(iter(told.values()))))[:_SPEC_CHARS_MAX]
    return without_private(", ".join(f"{key}={_written(value)}" for key, value in told.items()))[
        :_SPEC_CHARS_MAX
    ]


def command_of(arguments: Mapping[str, object]) -> str:
    """The command of a call as one types it; "" where it runs none.

    Some write it word by word: `["bash", "-lc", "npm test"]` is what the shell is to run.
    """
    command = arguments.get("command") or arguments.get("cmd")
    if isinstance(command, list):
        words = [str(word) for word in command]
        return words[-1] if words[1:2] == ["-lc"] else " ".join(words)
    return command if isinstance(command, str) else ""


def _typed(command: str, purpose: object) -> str:
    """A command in marks, and its purpose if the call says one."""
    told = without_private(" ".join(purpose.split())) if isinstance(purpose, str) else ""
    meant = f" ({told[:_PURPOSE_CHARS_MAX]})" if told else ""
    return f"`{command[: _SPEC_CHARS_MAX - len(meant) - 2]}`{meant}"


def _written(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def without_private(text: str) -> str:
    """The text without secrets, and with `~` for home directories."""
    return _HOMES.sub("~", _SECRET_VALUES.sub("[secret]", text))


def _tags(turn: Turn, worked: Sequence[Attempt]) -> Iterator[str]:
    """The tools, then words of the request; ten at most."""
    seen: set[str] = set()
    words = [*(each.call.name for each in worked), *_WORD.findall(turn.request)]
    for word in words:
        low = word.lower()
        if low not in seen and low not in _STOP_WORDS and len(seen) < 10:
            seen.add(low)
            yield low


def _index(events: Sequence[LedgerEvent], at: int) -> int:
    index = events[at].index
    return at if index is None else index
