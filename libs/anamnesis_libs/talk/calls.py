"""Calls of tools as lessons and procedures write them, read into arguments and told in words.

A command is written as one types it, "`git push` (Push to remote)", other calls by their arguments,
`file_path=app.py, new_string=...`, or as the value alone where there is one; "Bash: " stands before
it where the tool is named. Older lessons, and commands of many lines, have `command=git push,
description=Push to remote`. A value may hold commas and equal
signs itself (`f(x, nullable=True)`): only an argument that tools take begins another one.
"""

import re
from collections.abc import Sequence

from anamnesis_libs.tokens import ELLIPSIS

CALL_CHARS_MAX = 160
"""A longer command or text is told by its beginning."""
_COMMANDS = ("command", "cmd")
_PATHS = ("file_path", "path")
_WRITTEN = ("new_string", "new_str", "newText", "newString", "content")
_REPLACED = ("old_string", "old_str", "oldText", "oldString", "replace_all")
_OTHERS = (
    *("description", "timeout", "timeout_ms", "yield_time_ms", "max_output_tokens", "login"),
    *("workdir", "cwd", "run_in_background", "pattern", "glob", "output_mode", "offset", "limit"),
    *("edits", "dangerouslyDisableSandbox"),
)
_ARGUMENT = "|".join((*_COMMANDS, *_PATHS, *_WRITTEN, *_REPLACED, *_OTHERS))
_BESIDE_TEXT = "|".join((*_WRITTEN, *_REPLACED, "file_path"))
"""Arguments that stand beside a text that is written; in one, `path=` is its own."""
_FIELD = re.compile(
    rf"\b(?:(?P<text>{'|'.join((*_WRITTEN, *_REPLACED))})=(?P<said>(?:(?!, (?:{_BESIDE_TEXT})=).)*)"
    rf"|(?P<name>{_ARGUMENT})=(?P<value>(?:(?!, (?:{_ARGUMENT})=).)*))",
    re.DOTALL,
)
_TYPED = r"`(?P<typed>[^\n]+?)`(?: \((?P<purpose>[^\n]*)\))?[ \t]*$"
_CALL_TYPED = re.compile(rf"\s*(?:[A-Za-z][\w.-]{{0,60}}: )?{_TYPED}", re.MULTILINE)
CALL_START = re.compile(
    rf"\b[A-Za-z][\w.]{{0,60}}: (?=(?:{_ARGUMENT})=)|^[A-Za-z][\w.-]{{0,60}}: (?={_TYPED})"
    r"|^(?P<shell>(?i:bash|shell|terminal|exec)): ",
    re.MULTILINE,
)


def arguments_of(call: str) -> dict[str, str]:
    """The arguments of a call by their names; of one with a bare value none."""
    if typed := _CALL_TYPED.match(call):
        return {"command": typed["typed"].strip(), "description": typed["purpose"] or ""}
    return {
        found["name"] or found["text"]: (found["value"] or found["said"] or "").strip()
        for found in _FIELD.finditer(call)
    }


def call_in_words(call: str, *, is_shell: bool = False) -> str:
    """The call as a person would write it: a command in marks, an edit by its file; else as it is.

    `is_shell` says that a bare value is a command.
    """
    given = arguments_of(call)
    command = _first(given, _COMMANDS) or (call.strip() if is_shell else "")
    if command:
        purpose = given.get("description", "").rstrip(".")
        return f"{purpose}: `{shortened(command)}`" if purpose else f"`{shortened(command)}`"
    written, path = _first(given, _WRITTEN), _first(given, _PATHS)
    if written:
        return (f"In `{path}` write" if path else "Write") + f" `{shortened(written)}`."
    return f"`{path}`" if path else call.strip()


def calls_in_words(text: str) -> str:
    """A text with each call in it, from its tool's name to the next call or the end, in words."""
    places = [*CALL_START.finditer(text)]
    if not places:
        return text
    ends = [*(one.start() for one in places[1:]), len(text)]
    told = [
        call_in_words(text[one.end() : end], is_shell=bool(one["shell"]))
        for one, end in zip(places, ends, strict=True)
    ]
    return "\n".join(filter(None, (text[: places[0].start()].rstrip(), *dict.fromkeys(told))))


def shortened(text: str) -> str:
    """A text on one line that is not long."""
    plain = " ".join(text.split())
    return plain if len(plain) <= CALL_CHARS_MAX else f"{plain[: CALL_CHARS_MAX - 1]}{ELLIPSIS}"


def _first(given: dict[str, str], names: Sequence[str]) -> str:
    return next((given[name] for name in names if given.get(name)), "")
