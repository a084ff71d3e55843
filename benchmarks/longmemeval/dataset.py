"""Reads LongMemEval's released files: a JSON list of questions, each with a history of its own.

`longmemeval_oracle.json` has the sessions with the answer alone, `_s` about 40 sessions a question,
`_m` about 500 and gigabytes: questions are read one at a time. Sessions are put into the order of
their dates. A question whose id ends in `_abs` asks for what was never said. The files are made by
others and only ever read.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Self, TextIO

from pydantic import BaseModel, ValidationError, model_validator

from benchmarks.recall.conversations import Conversation, Question, Role, Session, Turn
from benchmarks.recall.datasets import DataMissing

ABSTENTION = "abstention"
"""The category of questions that cannot be answered."""

_ABSTENTION_ID = "_abs"
_CHUNK_CHARS = 1 << 24
_BETWEEN = re.compile(r"[\s,]*")
_WEEKDAY = re.compile(r"\s*\([^)]*\)\s*")


class FileInvalid(Exception):
    """The file is not as LongMemEval's are; the message says where, and how it differs."""


@dataclass(frozen=True, slots=True)
class Case:
    """A question with its history, which is a conversation of one question.

    Attributes:
        question_id: as the file has it.
        conversation: the sessions by date, and the question; its evidence are the turns that are
            marked, else all turns of the sessions with the answer.
        answer_sessions: ids of the sessions with the answer; none where there is no answer.
        answer_turns: ids of the marked turns.
        asked_at: the date of the question.
    """

    question_id: str
    conversation: Conversation
    answer_sessions: frozenset[str]
    answer_turns: frozenset[str]
    asked_at: datetime

    @property
    def question(self) -> Question:
        """The question; its category is its type, or `ABSTENTION`."""
        return self.conversation.questions[0]


def read(path: Path) -> Iterator[Case]:
    """The questions of a file, each read when it is drawn.

    Raises:
        DataMissing: the file cannot be read.
        FileInvalid: it is no JSON list, holds no question, or one that is not as it should be.
    """
    number = 0
    try:
        with path.open(encoding="utf-8-sig") as file:
            for number, element in enumerate(_elements(file), 1):
                yield _case(element, number)
    except OSError as error:
        raise DataMissing(f"{path} cannot be read: {error.strerror}") from error
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise FileInvalid(f"{path} is no JSON list of questions: {error}") from error
    if not number:
        raise FileInvalid(f"{path} holds no question")


def time_of(date: str) -> datetime:
    """The time that `2023/05/20 (Sat) 02:21` names; the weekday is not looked at."""
    return datetime.strptime(_WEEKDAY.sub(" ", date), "%Y/%m/%d %H:%M").replace(tzinfo=UTC)


class _Turn(BaseModel):
    role: Role
    content: str
    has_answer: bool | None = None


class _Entry(BaseModel):
    """One element of the list."""

    question_id: str
    question_type: str
    question: str
    answer: str | int | float
    question_date: str
    haystack_session_ids: list[str]
    haystack_dates: list[str]
    haystack_sessions: list[list[_Turn]]
    answer_session_ids: list[str] = []

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        count = len(self.haystack_sessions)
        if not count == len(self.haystack_session_ids) == len(self.haystack_dates):
            raise ValueError("the three haystack lists are not equally long")
        if not any(turn.content.strip() for turns in self.haystack_sessions for turn in turns):
            raise ValueError("the haystack holds no text")
        return self


def _elements(file: TextIO) -> Iterator[object]:
    """The elements of a JSON list, of which no more than a part is in memory."""
    text = file.read(_CHUNK_CHARS)
    at = _BETWEEN.match(text).end()  # type: ignore[union-attr]  # it matches nothing as well
    if text[at : at + 1] != "[":
        raise json.JSONDecodeError("no list begins", text[: at + 1], at)
    at += 1
    decoder = json.JSONDecoder()
    while True:
        at = _BETWEEN.match(text, at).end()  # type: ignore[union-attr]
        if text[at : at + 1] == "]":
            return
        try:
            element, at = decoder.raw_decode(text, at)
        except json.JSONDecodeError:
            more = file.read(_CHUNK_CHARS)
            if not more:
                raise
            text, at = text[at:] + more, 0
        else:
            yield element


def _case(element: object, number: int) -> Case:
    """The question that an element holds.

    Raises:
        FileInvalid: a field is missing or is not as it should be.
    """
    try:
        entry = _Entry.model_validate(element)
        sessions = _sessions(entry)
        asked_at = time_of(entry.question_date)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "the element"
        raise FileInvalid(f"question {number}: {where}: {first['msg']}") from error
    except ValueError as error:
        raise FileInvalid(f"question {number}: {error}") from error
    return _whole(entry, sessions, asked_at)


def _whole(entry: _Entry, sessions: Sequence["_Read"], asked_at: datetime) -> Case:
    """The case; what cannot be answered has no evidence, whatever the file says beside it."""
    answerable = not entry.question_id.endswith(_ABSTENTION_ID)
    told = set(entry.answer_session_ids) if answerable else set()
    answering = [one for one in sessions if one.given_id in told]
    marked = [turn for one in sessions if answerable for turn in one.marked]
    all_turns = [turn.turn_id for one in answering for turn in one.session.turns]
    question = Question(
        entry.question,
        tuple(marked or all_turns),
        entry.question_type if answerable else ABSTENTION,
        answer=str(entry.answer),
    )
    return Case(
        entry.question_id,
        Conversation(entry.question_id, [one.session for one in sessions], [question]),
        frozenset(one.session.session_id for one in answering),
        frozenset(marked),
        asked_at,
    )


@dataclass(frozen=True, slots=True)
class _Read:
    """A session, the id that the file gives it, and its turns that are marked."""

    session: Session
    given_id: str
    marked: Sequence[str]


def _sessions(entry: _Entry) -> list[_Read]:
    """The sessions with a text by date; an id that comes again is numbered."""
    rows = zip(
        entry.haystack_session_ids, entry.haystack_dates, entry.haystack_sessions, strict=True
    )
    dated = sorted(
        ((time_of(date), given_id, turns) for given_id, date, turns in rows), key=lambda row: row[0]
    )
    seen: Counter[str] = Counter()
    sessions = []
    for moment, given_id, turns in dated:
        seen[given_id] += 1
        session_id = given_id if seen[given_id] == 1 else f"{given_id}#{seen[given_id]}"
        if any(turn.content.strip() for turn in turns):
            sessions.append(_session(session_id, given_id, moment, turns))
    return sessions


def _session(session_id: str, given_id: str, moment: datetime, turns: Sequence[_Turn]) -> _Read:
    """A session whose turns are a second apart; those without a text are left out."""
    read = [
        (Turn(f"{session_id}/{number}", turn.content, turn.role, _after(moment, number)), turn)
        for number, turn in enumerate(turns)
        if turn.content.strip()
    ]
    marked = [made.turn_id for made, turn in read if turn.has_answer]
    return _Read(Session(session_id, [made for made, _ in read]), given_id, marked)


def _after(moment: datetime, position: int) -> datetime:
    return moment + timedelta(seconds=position)
