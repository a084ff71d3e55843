"""Reads the three data sets.

LoCoMo is two friends who chat, BEAM a user and an assistant at long tasks, zh a user and an
assistant in Chinese, where later statements replace earlier ones. The files are made by others
and are only ever read: see `benchmarks/README.md` for their licences.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NotRequired, TypedDict

from benchmarks.recall.conversations import (
    Conversation,
    Dataset,
    Question,
    Role,
    Session,
    Turn,
    Update,
)

# Questions of this kind ask for what was never said.
_LOCOMO_ADVERSARIAL = 5
_BEAM_ABSTENTION = "abstention"
_EVIDENCE_ID = re.compile(r"D:?(\d+):0*(\d+)")


class DataMissing(Exception):
    """A data set's file is not there; the message names the remedy."""


def load(name: str, directory: Path) -> Dataset:
    """Read the set of this name out of a directory.

    Raises:
        DataMissing: its file is not there.
        KeyError: no set has this name.
    """
    read = _READERS[name]
    path = directory / f"{name}-dev.json"
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DataMissing(
            f"{path} cannot be read: {error.strerror}; name the data's directory with --data"
        ) from error
    return Dataset(name, list(read(content)), hashlib.sha256(content).hexdigest())


class _LocomoTurn(TypedDict):
    speaker: str
    dia_id: str
    text: str
    blip_caption: NotRequired[str]


class _LocomoQuestion(TypedDict):
    question: str
    category: int
    evidence: NotRequired[list[str]]
    answer: NotRequired[str | int]


class _LocomoSample(TypedDict):
    sample_id: str
    # "session_3" is a list of turns, "session_3_date_time" when they were said.
    conversation: dict[str, str | list[_LocomoTurn]]
    qa: list[_LocomoQuestion]


def read_locomo(content: bytes) -> Iterator[Conversation]:
    """Read LoCoMo: questions of categories 1 to 4 whose evidence can be found."""
    samples: list[_LocomoSample] = json.loads(content)
    for sample in samples:
        sessions = list(_locomo_sessions(sample["conversation"]))
        known = {turn.turn_id for session in sessions for turn in session.turns}
        questions = [
            Question(
                asked["question"],
                evidence,
                str(asked["category"]),
                answer=str(asked.get("answer", "")),
            )
            for asked in sample["qa"]
            if asked["category"] != _LOCOMO_ADVERSARIAL
            and (evidence := repaired(asked.get("evidence", []), known))
        ]
        yield Conversation(sample["sample_id"], sessions, questions)


def repaired(evidence: Iterable[str], known: set[str]) -> tuple[str, ...]:
    """Turn ids as they should be written, those that exist, each once.

    Some are malformed: "D:11:26", "D30:05", "D8:6; D9:17", or a bare "D".
    """
    found = (pair for text in evidence for pair in _EVIDENCE_ID.findall(text))
    ids = dict.fromkeys(f"D{int(session)}:{turn}" for session, turn in found)
    return tuple(each for each in ids if each in known)


def _locomo_sessions(conversation: Mapping[str, str | list[_LocomoTurn]]) -> Iterator[Session]:
    held = {name: turns for name, turns in conversation.items() if isinstance(turns, list)}
    for name in sorted(held, key=lambda name: int(name.removeprefix("session_"))):
        moment = datetime.strptime(
            str(conversation[f"{name}_date_time"]), "%I:%M %p on %d %B, %Y"
        ).replace(tzinfo=UTC)
        yield Session(name, [_locomo_turn(t, _after(moment, n)) for n, t in enumerate(held[name])])


def _locomo_turn(turn: _LocomoTurn, time: datetime) -> Turn:
    caption = turn.get("blip_caption")
    content = turn["text"] + (f" [image: {caption}]" if caption else "")
    return Turn(turn["dia_id"], content, "user", time, name=turn["speaker"])


class _BeamMessage(TypedDict):
    id: int
    role: Role
    content: str
    date: NotRequired[str | None]


class _BeamQuestion(TypedDict):
    ability: str
    question: str
    evidence: list[int]


class _BeamSample(TypedDict):
    id: str
    sessions: list[list[_BeamMessage]]
    questions: list[_BeamQuestion]


def read_beam(content: bytes) -> Iterator[Conversation]:
    """Read BEAM: all questions but those on what was never said."""
    samples: list[_BeamSample] = json.loads(content)
    for sample in samples:
        sessions = [_beam_session(n, held) for n, held in enumerate(sample["sessions"], 1)]
        known = {turn.turn_id for session in sessions for turn in session.turns}
        questions = [
            Question(asked["question"], evidence, asked["ability"])
            for asked in sample["questions"]
            if asked["ability"] != _BEAM_ABSTENTION
            and (evidence := _known(map(str, asked["evidence"]), known))
        ]
        yield Conversation(sample["id"], sessions, questions)


def _beam_session(number: int, messages: Sequence[_BeamMessage]) -> Session:
    """A session; a message without a date has that of the one before."""
    turns: list[Turn] = []
    date = next(said for message in messages if (said := message.get("date")))
    for position, message in enumerate(messages):
        date = message.get("date") or date
        moment = datetime.strptime(date, "%B-%d-%Y").replace(tzinfo=UTC)
        time = _after(moment, position)
        turns.append(Turn(str(message["id"]), message["content"], message["role"], time))
    return Session(f"session_{number}", turns)


class _ZhTurn(TypedDict):
    user_id: str
    session_id: str
    turn_id: str
    speaker: Role
    timestamp: str
    text: str


class _ZhRelation(TypedDict):
    new_event_id: str
    old_event_id: str


class _ZhQuestion(TypedDict):
    user_id: str
    question: str
    question_type: str
    requires_abstention: bool
    gold_answer: NotRequired[str]
    gold_event_ids: list[str]
    gold_evidence_turn_ids: list[str]
    gold_update_relations: list[_ZhRelation]


class _ZhFile(TypedDict):
    dialogues: list[_ZhTurn]
    qa: list[_ZhQuestion]


def read_zh(content: bytes) -> Iterator[Conversation]:
    """Read the Chinese set: a conversation a user; all questions that have an answer."""
    file: _ZhFile = json.loads(content)
    turn_of = _zh_turns_of_events(file["qa"])
    for user_id in dict.fromkeys(turn["user_id"] for turn in file["dialogues"]):
        own = [turn for turn in file["dialogues"] if turn["user_id"] == user_id]
        questions = [
            Question(
                asked["question"],
                tuple(asked["gold_evidence_turn_ids"]),
                asked["question_type"],
                _zh_update(asked, turn_of),
                asked.get("gold_answer", ""),
            )
            for asked in file["qa"]
            if asked["user_id"] == user_id and not asked["requires_abstention"]
        ]
        yield Conversation(user_id, list(_zh_sessions(own)), questions)


def _zh_sessions(turns: Sequence[_ZhTurn]) -> Iterator[Session]:
    for session_id in dict.fromkeys(turn["session_id"] for turn in turns):
        own = [turn for turn in turns if turn["session_id"] == session_id]
        yield Session(session_id, [_zh_turn(turn, n) for n, turn in enumerate(own)])


def _zh_turn(turn: _ZhTurn, position: int) -> Turn:
    day = datetime.fromisoformat(turn["timestamp"][:10]).replace(tzinfo=UTC)
    return Turn(turn["turn_id"], turn["text"], turn["speaker"], _after(day, position))


def _zh_turns_of_events(questions: Iterable[_ZhQuestion]) -> Mapping[str, str]:
    """The turn that tells each event, as the questions' evidence says."""
    return {
        event: turn
        for asked in questions
        for event, turn in zip(
            asked["gold_event_ids"], asked["gold_evidence_turn_ids"], strict=True
        )
    }


def _zh_update(asked: _ZhQuestion, turn_of: Mapping[str, str]) -> Update | None:
    """The update that a question is about, where the newer statement alone answers it."""
    for relation in asked["gold_update_relations"]:
        if asked["gold_event_ids"] == [relation["new_event_id"]]:
            newer, older = relation["new_event_id"], relation["old_event_id"]
            return Update(turn_of[newer], turn_of[older])
    return None


def _known(evidence: Iterable[str], known: set[str]) -> tuple[str, ...]:
    return tuple(each for each in dict.fromkeys(evidence) if each in known)


def _after(moment: datetime, position: int) -> datetime:
    """A second a turn, so that turns of one date keep their order."""
    return moment + timedelta(seconds=position)


_READERS: Mapping[str, Callable[[bytes], Iterator[Conversation]]] = {
    "locomo": read_locomo,
    "beam": read_beam,
    "zh": read_zh,
}
NAMES = tuple(_READERS)
