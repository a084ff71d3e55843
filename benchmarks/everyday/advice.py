"""Advice that a liking bears on: talks of PrefEval, in which a preference is said in passing.

Each talk is a person's first; those of others, of other topics, follow it, a day each. The question
wants advice that the preference decides. The sentence that says it must be told.
"""

import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypedDict

from anamnesis_libs.talk.sentences import units_of
from benchmarks.everyday.questions import Person, Question
from benchmarks.recall.conversations import Role, Session, Turn
from benchmarks.recall.datasets import DataMissing

FILE = "learned-prefeval-dev.jsonl"
TALKS_BESIDE = 6
"""Talks of others that a person's memory holds beside their own."""
KIND = "advice"

_FIRST_DAY = datetime(2026, 3, 1, 18, tzinfo=UTC)
_TURN = timedelta(minutes=1)
_WORD = re.compile(r"[a-z']{4,}")


class _Said(TypedDict):
    id: str
    role: Role
    text: str


class _Talk(TypedDict):
    turns: list[_Said]


class _Label(TypedDict):
    text: str
    evidence: list[str]


class _Asked(TypedDict):
    q: str


class _Person(TypedDict):
    id: str
    sessions: list[_Talk]
    memories: list[_Label]
    questions: list[_Asked]


def read_advice(data_dir: Path) -> list[Person]:
    """Read the talks of PrefEval as people with a question each.

    Raises:
        DataMissing: the file is not there.
    """
    path = data_dir / FILE
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise DataMissing(f"{path} cannot be read: {error.strerror}") from error
    held: list[_Person] = [json.loads(line) for line in lines]
    return [_person(number, one, held) for number, one in enumerate(held)]


def _person(number: int, own: _Person, everybody: Sequence[_Person]) -> Person:
    others = [one for one in everybody if _topic(one) != _topic(own)]
    beside = [others[(7 * number + 5 * at) % len(others)] for at in range(TALKS_BESIDE)]
    return Person(
        own["id"].replace("_", "-"),
        [_session(day, one["sessions"][0]) for day, one in enumerate((own, *beside))],
        [Question(own["questions"][0]["q"], (_said(own),), kind=KIND)],
    )


def _topic(person: _Person) -> str:
    return person["id"].rsplit("-", 1)[0]


def _session(day: int, talk: _Talk) -> Session:
    begun = _FIRST_DAY + timedelta(days=day)
    turns = [
        Turn(f"{day}/{turn['id']}", turn["text"], turn["role"], begun + at * _TURN)
        for at, turn in enumerate(talk["turns"])
    ]
    return Session(f"talk-{day}", turns)


def _said(person: _Person) -> str:
    """The sentence of the preference's turn that shares most words with what it is said to be."""
    label = person["memories"][0]
    turns = [one for one in person["sessions"][0]["turns"] if one["id"] in label["evidence"]]
    sentences = [unit.text for turn in turns for unit in units_of(turn["text"])]
    meant = _words(label["text"])
    return max(sentences, key=lambda one: len(_words(one) & meant))


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))
