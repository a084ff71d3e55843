"""Lessons and procedures as one reads them: the calls of tools in them are told in words.

A lesson says what failed, the call that did ("Failed: Push to remote: `git push`") and what was
said and done until it worked ("What helped: `git push --set-upstream origin kiln-1`").
"""

import re

from anamnesis.memory.v1 import memory_pb2
from anamnesis_libs.talk.calls import CALL_START, call_in_words, calls_in_words
from anamnesis_libs.tokens import ELLIPSIS

_ARGUMENT = re.compile(r"\w{1,60}=|`")
_FAILED, _HELPED = "Failed: ", "What helped: "


def in_words(memory: memory_pb2.Memory) -> str:
    """The text of a memory; of a lesson or procedure with its calls in words."""
    if memory.HasField("lesson"):
        return _lesson(memory.lesson, memory.content)
    if memory.HasField("procedure"):
        return _steps(memory.content)
    return memory.content


def _lesson(lesson: memory_pb2.Lesson, content: str) -> str:
    """The text of a lesson; one that somebody wrote otherwise than by its parts stays as it is."""
    if content != "\n".join(filter(None, (lesson.title, lesson.context, lesson.resolution))):
        return content
    begun = lesson.title.removesuffix(ELLIPSIS)
    call, found, rest = lesson.context.partition(f"\n{begun}")
    is_shell = bool(found) and _is_run(call, lesson.resolution)
    if not (is_shell or _ARGUMENT.match(call)):
        return "\n".join(filter(None, (*_apart(lesson), _resolution(lesson.resolution))))
    failure = f"{begun}{rest}" if found else lesson.title
    failed = f"{_FAILED}{call_in_words(call, is_shell=is_shell)}"
    return "\n".join(filter(None, (failure, failed, _resolution(lesson.resolution))))


def _apart(lesson: memory_pb2.Lesson) -> tuple[str, ...]:
    """The title and the context; the context alone where it says the title, too."""
    begun = lesson.title.removesuffix(ELLIPSIS)
    said = any(line.startswith(begun) for line in lesson.context.splitlines())
    return (lesson.context,) if said else (lesson.title, lesson.context)


def _is_run(call: str, resolution: str) -> bool:
    """True where a text is a command: its program is run in what helped."""
    program = call.split(maxsplit=1)[0] if call.strip() else ""
    runs = (one for one in CALL_START.finditer(resolution) if one["shell"])
    return bool(program) and any(resolution.startswith(program, one.end()) for one in runs)


def _resolution(resolution: str) -> str:
    """The resolution; where it has calls, what they did for it is said first."""
    at = CALL_START.search(resolution)
    if at is None:
        return resolution
    said, calls = resolution[: at.start()].rstrip(), calls_in_words(resolution[at.start() :])
    return "\n".join(filter(None, (said, f"{_HELPED}{calls}")))


def _steps(content: str) -> str:
    """The text of a procedure, each step's call in words behind its number.

    A goal that begins with its name, which may be cut, is said once.
    """
    lines = content.split("\n")
    if len(lines) > 1 and lines[1].startswith(lines[0].removesuffix(ELLIPSIS)):
        del lines[0]
    return "\n".join(map(_step, lines))


def _step(line: str) -> str:
    number, dot, call = line.partition(". ")
    if not (dot and number.isdigit()):
        return line
    return f"{number}. {calls_in_words(call)}"
