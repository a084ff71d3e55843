"""Failed calls, and what was said and done until the same call no longer failed that way.

How work ends says nothing of an error on the way. What mended it lies between the failure and the
next time that the same is called.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from anamnesis_ingestion.learning.injected import learnable_text
from anamnesis_ingestion.learning.local.procedures import command_of, spec_of
from anamnesis_ingestion.learning.local.turns import (
    Attempt,
    Turn,
    failing_line,
    reads,
    tells_failure,
)
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role

LONG_ATTEMPTS = 10
"""Work of more calls than this is not about one error; its mending is sought among so many."""
_PATHS = ("file_path", "path", "filename", "file")
_BETWEEN_COMMANDS = re.compile(r"&&|;|\n")
_END_OF_A_COMMAND = re.compile(r"[|&]|\d?>")
_SETTING = re.compile(r"[A-Z_]{2,40}=")
_RUNNERS = frozenset({"run", "exec", "-m"})
_NUMBERS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Mended:
    """The call that failed and the same call later; title, context and resolution of it."""

    failed: Attempt
    again: Attempt
    words: tuple[str, str, str]

    @property
    def first(self) -> int:
        """The place where the call was made that failed."""
        return self.failed.asked_at

    @property
    def last(self) -> int:
        """The place where the later call was answered."""
        return self.again.answered_at


def mended_in(events: Sequence[LedgerEvent], turn: Turn) -> Iterator[Mended]:
    """Yield the failures of a turn that say what they are, and did not come back at the next call.

    What was looked at mends nothing; a failure after which nothing was said, run or written
    differently went away by itself.
    """
    for at, failed in enumerate(turn.attempts):
        what = failing_line(failed.answer)
        if not failed.failed or reads(failed.call) or not tells_failure(what):
            continue
        near = turn.attempts[at + 1 : at + 1 + LONG_ATTEMPTS]
        place = next((n for n, one in enumerate(near) if same_call(one, failed)), None)
        if place is None or _comes_back(what, near[place]):
            continue
        again = near[place]
        between = [one for one in near[:place] if not one.failed and not reads(one.call)]
        done = [*between, again] if spec_of(again) != spec_of(failed) else between
        if between or (done and not again.failed and not _is_filtered(again)):
            said = [*_said(events[failed.answered_at : again.asked_at + 1]), tried(done)]
            context = f"{spec_of(failed)}\n{what}"
            yield Mended(failed, again, (what, context, "\n".join(said)))


def tried(attempts: Sequence[Attempt]) -> str:
    """Calls with their telling arguments, a line each."""
    return "\n".join(f"{each.call.name}: {spec_of(each)}" for each in attempts)


def same_call(one: Attempt, other: Attempt) -> bool:
    """True if a call does what another did: a tool on one file, or all its commands."""
    return one.call.name == other.call.name and _gists(other) <= _gists(one)


def _is_filtered(attempt: Attempt) -> bool:
    """True if a command's output goes through another, whose success says nothing of it."""
    return "|" in command_of(_arguments(attempt))


def _comes_back(what: str, again: Attempt) -> bool:
    """True if a call failed once more with the same words; numbers may be others."""
    return again.failed and _NUMBERS.sub("", what) in _NUMBERS.sub("", again.answer)


def _said(events: Sequence[LedgerEvent]) -> list[str]:
    told = (learnable_text(event).strip() for event in events if event.role is Role.ASSISTANT)
    return [text for text in told if text]


def _gists(attempt: Attempt) -> frozenset[tuple[str, ...]]:
    """The file that a call is for, or the first words of each of its commands."""
    held = _arguments(attempt)
    path = next((held[key] for key in _PATHS if isinstance(held.get(key), str)), "")
    if path:
        return frozenset({(str(path),)})
    commands = _BETWEEN_COMMANDS.split(command_of(_arguments(attempt)) or spec_of(attempt))
    return frozenset(words for each in commands if (words := _first_words(each)))


def _arguments(attempt: Attempt) -> Mapping[str, object]:
    try:
        held = json.loads(attempt.call.arguments or "{}")
    except (ValueError, RecursionError):
        return {}
    return held if isinstance(held, dict) else {}


def _first_words(command: str) -> tuple[str, ...]:
    """The program and what it is to do, without options; where that is to run something, what."""
    words = _END_OF_A_COMMAND.split(command, maxsplit=1)[0].split()
    while words and (words[0] == "sudo" or _SETTING.match(words[0])):
        words = words[1:]
    if not words or words[0] == "cd":
        return ()
    told = [word for word in words if word in _RUNNERS or not word.startswith("-")]
    return tuple(told[: 3 if len(told) > 1 and told[1] in _RUNNERS else 2])
