"""LongMemEval's files are read one question at a time, and each as a conversation by date."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.longmemeval import dataset
from benchmarks.longmemeval.dataset import ABSTENTION, Case, FileInvalid, read, time_of
from benchmarks.recall.datasets import DataMissing
from tests.support.longmemeval_file import CHOIR, KILN, Element, user, write_file


def _cases(path: Path, *elements: Element) -> list[Case]:
    return list(read(write_file(path / "made.json", *elements)))


def test_questions_come_in_their_order_with_their_answers(tmp_path: Path) -> None:
    cases = _cases(tmp_path)
    assert [case.question_id for case in cases] == [
        "kiln",
        "choir",
        "marathon",
        "cha",
        "violin_abs",
    ]
    assert [case.question.answer for case in cases][2:4] == ["6", "桂花乌龙茶"]
    assert cases[0].asked_at == datetime(2026, 3, 20, 18, 40, tzinfo=UTC)
    assert cases[0].question.category == "single-session-user"


def test_sessions_stand_by_date_and_turns_a_second_apart(tmp_path: Path) -> None:
    [choir] = _cases(tmp_path, CHOIR)
    sessions = choir.conversation.sessions
    assert [session.session_id for session in sessions] == ["choir-old", "garden", "choir-new"]
    assert [turn.time for turn in sessions[0].turns] == [
        datetime(2026, 2, 3, 22, 20, 0, tzinfo=UTC),
        datetime(2026, 2, 3, 22, 20, 1, tzinfo=UTC),
    ]
    assert choir.answer_turns == {"choir-old/0", "choir-new/0"}
    assert choir.answer_sessions == {"choir-old", "choir-new"}


def test_what_cannot_be_answered_has_no_evidence(tmp_path: Path) -> None:
    case = _cases(tmp_path)[-1]
    assert case.question.category == ABSTENTION
    assert not case.answer_sessions
    assert not case.answer_turns
    assert case.question.evidence == ()


def test_without_marks_all_turns_of_the_session_are_evidence(tmp_path: Path) -> None:
    plain = [[{"role": m["role"], "content": m["content"]} for m in s] for s in _sessions(KILN)]
    [case] = _cases(tmp_path, {**KILN, "haystack_sessions": plain})
    assert case.answer_turns == frozenset()
    assert case.question.evidence == ("pottery/0", "pottery/1", "pottery/2")


def test_a_session_that_comes_twice_and_a_turn_without_text(tmp_path: Path) -> None:
    sessions = [*_sessions(KILN)[:2], [user("  "), user("The glaze is too thin.")]]
    ids = ["garden", "pottery", "pottery"]
    [case] = _cases(tmp_path, {**KILN, "haystack_session_ids": ids, "haystack_sessions": sessions})
    assert case.answer_sessions == {"pottery", "pottery#2"}
    assert [turn.turn_id for turn in case.conversation.sessions[2].turns] == ["pottery#2/1"]


def test_a_file_is_read_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = _cases(tmp_path)
    monkeypatch.setattr(dataset, "_CHUNK_CHARS", 7)
    assert _cases(tmp_path) == whole


def test_a_weekday_in_any_language_is_passed_over() -> None:
    assert time_of("2023/05/20 (周六) 02:21") == datetime(2023, 5, 20, 2, 21, tzinfo=UTC)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"haystack_dates": ["2026/03/02 (Mon) 09:15"]}, "question 2: .*not equally long"),
        ({"question_date": "yesterday"}, "question 2: .*yesterday"),
        ({"haystack_sessions": [[], [], []]}, "question 2: .*no text"),
        ({"answer": None}, "question 2: answer"),
    ],
)
def test_a_question_that_is_none_is_told(tmp_path: Path, change: Element, told: str) -> None:
    with pytest.raises(FileInvalid, match=told):
        _cases(tmp_path, CHOIR, {**KILN, **change})


@pytest.mark.parametrize("content", ["", "{}", "[", '[{"question_id": "a"', "[]", "\udcff"])
def test_a_file_that_is_none_is_told(tmp_path: Path, content: str) -> None:
    path = tmp_path / "made.json"
    path.write_bytes(content.encode(errors="surrogateescape"))
    with pytest.raises(FileInvalid, match=r"made\.json"):
        list(read(path))


def test_a_file_that_is_missing_is_told(tmp_path: Path) -> None:
    with pytest.raises(DataMissing, match=r"none\.json"):
        list(read(tmp_path / "none.json"))


def _sessions(element: Element) -> list[list[dict[str, object]]]:
    sessions: list[list[dict[str, object]]] = json.loads(json.dumps(element["haystack_sessions"]))
    return sessions
