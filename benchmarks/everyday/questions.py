"""Questions with the words that an answer holds, read from the sets of `tests/data`.

A set of chats is a JSON list of people: `id`, `language`, `sessions` with a `date` and `turns` of
`role` and `content`, and `questions` of `query`, `must`, `new_first` and `silent`. Questions to
pages and to logs are JSON Lines with `query` and `must`, of a `kind`, to a `log`.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NotRequired, TypedDict

from benchmarks.recall.conversations import Role, Session, Turn
from benchmarks.recall.datasets import DataMissing

# Turns of one day are said a minute apart, from six in the evening on.
_EVENING = timedelta(hours=18)
_TURN = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Question:
    """A question to a memory.

    Attributes:
        query: the prompt.
        must: all of these stand in a context that is right, whatever their capitals.
        new_first: words of the statement that holds, and of the one that it replaced.
        silent: nothing in the memory answers, so the context must be empty.
        kind: a name that groups questions.
        log: the log that is asked, where there are several.
    """

    query: str
    must: tuple[str, ...] = ()
    new_first: tuple[str, str] | None = None
    silent: bool = False
    kind: str = ""
    log: str = ""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody's chats with an assistant, and what is asked about them."""

    person_id: str
    sessions: Sequence[Session]
    questions: Sequence[Question]


class _Turn(TypedDict):
    role: Role
    content: str


class _Session(TypedDict):
    date: str
    turns: list[_Turn]


class _Question(TypedDict):
    query: str
    must: NotRequired[list[str]]
    new_first: NotRequired[list[str] | None]
    silent: NotRequired[bool]
    kind: NotRequired[str]
    log: NotRequired[str]


class _Person(TypedDict):
    id: str
    language: NotRequired[str]
    sessions: list[_Session]
    questions: list[_Question]


def read_people(path: Path) -> list[Person]:
    """Read a set of chats; its questions are of the kind that is the person's language.

    Raises:
        DataMissing: the file is not there.
    """
    people: list[_Person] = json.loads(_read(path))
    return [
        Person(
            held["id"],
            [_session(held["id"], number, each) for number, each in enumerate(held["sessions"])],
            [_question(each, held.get("language", "")) for each in held["questions"]],
        )
        for held in people
    ]


def read_questions(path: Path) -> list[Question]:
    """Read questions to pages or logs, one a line.

    Raises:
        DataMissing: the file is not there.
    """
    lines = (line for line in _read(path).splitlines() if line.strip())
    return [_question(json.loads(line), "") for line in lines]


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise DataMissing(f"{path} cannot be read: {error.strerror}") from error


def _session(person_id: str, number: int, held: _Session) -> Session:
    evening = datetime.fromisoformat(held["date"]).replace(tzinfo=UTC) + _EVENING
    session_id = f"chat-{number}"
    turns = [
        Turn(f"{person_id}/{session_id}/{at}", turn["content"], turn["role"], evening + at * _TURN)
        for at, turn in enumerate(held["turns"])
    ]
    return Session(session_id, turns)


def _question(held: _Question, kind: str) -> Question:
    new_first = held.get("new_first")
    return Question(
        query=held["query"],
        must=tuple(held.get("must", ())),
        new_first=(new_first[0], new_first[1]) if new_first else None,
        silent=held.get("silent", False),
        kind=held.get("kind", kind),
        log=held.get("log", ""),
    )
