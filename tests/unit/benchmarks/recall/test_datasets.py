"""The loaders, on small made-up samples in the shapes of the three sets."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.recall.conversations import Update
from benchmarks.recall.datasets import (
    DataMissing,
    load,
    read_beam,
    read_locomo,
    read_zh,
    repaired,
)

KNOWN = {"D8:6", "D9:17", "D11:26", "D30:5"}

LOCOMO = [
    {
        "sample_id": "made-1",
        "conversation": {
            "speaker_a": "Ines",
            "speaker_b": "Tom",
            "session_10_date_time": "9:05 am on 3 July, 2024",
            "session_10": [{"speaker": "Tom", "dia_id": "D10:1", "text": "The boat is sold."}],
            "session_2_date_time": "11:30 pm on 28 June, 2024",
            "session_2": [
                {
                    "speaker": "Ines",
                    "dia_id": "D2:1",
                    "text": "Look!",
                    "blip_caption": "a red boat",
                },
                {"speaker": "Tom", "dia_id": "D2:2", "text": "Lovely.", "img_url": ["x"]},
            ],
            "session_3_date_time": "1:00 pm on 1 July, 2024",
        },
        "qa": [
            {"question": "Which boat?", "category": 4, "evidence": ["D2:1"], "answer": 7},
            {"question": "Two at once?", "category": 1, "evidence": ["D2:02; D:10:1", "D2:2"]},
            {"question": "Never said?", "category": 5, "evidence": ["D2:1"]},
            {"question": "Without evidence?", "category": 3, "evidence": ["D", "D7:1"]},
            {"question": "Nor here?", "category": 2},
        ],
    }
]
BEAM = [
    {
        "id": "made-2",
        "sessions": [
            [
                {"id": 0, "role": "user", "date": "March-15-2024", "content": "Plan it."},
                {"id": 1, "role": "assistant", "date": None, "content": "Step one."},
            ],
            [{"id": 2, "role": "user", "date": "April-05-2024", "content": "Change it."}],
        ],
        "questions": [
            {"ability": "knowledge_update", "question": "What now?", "evidence": [2, 0, 2]},
            {"ability": "abstention", "question": "Never said?", "evidence": []},
            {"ability": "summarization", "question": "Gone?", "evidence": [77]},
        ],
    }
]


def _zh_turn(turn_id: str, day: str, speaker: str, text: str) -> dict[str, str]:
    return {
        "user_id": turn_id[:3],
        "session_id": turn_id[:7],
        "turn_id": turn_id,
        "speaker": speaker,
        "timestamp": day,
        "text": text,
    }


def _zh_question(user: str, kind: str, events: list[str], turns: list[str]) -> dict[str, object]:
    return {
        "user_id": user,
        "question": f"{kind}？",
        "question_type": kind,
        "requires_abstention": kind == "abstention",
        "gold_answer": f"{kind}。",
        "gold_event_ids": events,
        "gold_evidence_turn_ids": turns,
        "gold_update_relations": [
            {"new_event_id": "e2", "old_event_id": "e1", "relation": "supersedes"}
        ],
    }


ZH = {
    "dialogues": [
        _zh_turn("x01_s01_u1", "2026-01-02", "user", "鑰匙在抽屜。"),
        _zh_turn("x01_s01_a1", "2026-01-02", "assistant", "記住了。"),
        _zh_turn("x02_s01_u1", "2026-01-02", "user", "別人的話。"),
        _zh_turn("x01_s02_u1", "2026-02-03", "user", "鑰匙改放門邊。"),
    ],
    "qa": [
        _zh_question("x01", "knowledge_update", ["e2"], ["x01_s02_u1"]),
        _zh_question("x01", "change", ["e1", "e2"], ["x01_s01_u1", "x01_s02_u1"]),
        _zh_question("x01", "abstention", [], []),
    ],
}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (["D8:6"], ("D8:6",)),
        (["D:11:26"], ("D11:26",)),
        (["D30:05"], ("D30:5",)),
        (["D8:6; D9:17"], ("D8:6", "D9:17")),
        (["D9:17", "D9:17", "D8:6"], ("D9:17", "D8:6")),
        (["D", "D99:1", ""], ()),
    ],
)
def test_ids_are_repaired(written: list[str], meant: tuple[str, ...]) -> None:
    assert repaired(written, KNOWN) == meant


def test_locomo_keeps_the_questions_whose_evidence_is_found() -> None:
    (conversation,) = read_locomo(json.dumps(LOCOMO).encode())
    asked = [(q.text, q.category, q.evidence) for q in conversation.questions]
    assert asked == [
        ("Which boat?", "4", ("D2:1",)),
        ("Two at once?", "1", ("D2:2", "D10:1")),
    ]
    assert [question.answer for question in conversation.questions] == ["7", ""]


def test_locomo_turns_have_speaker_caption_and_the_time_of_their_session() -> None:
    (conversation,) = read_locomo(json.dumps(LOCOMO).encode())
    assert [session.session_id for session in conversation.sessions] == ["session_2", "session_10"]
    first, second, third = conversation.turns
    assert first.text == "Ines: Look! [image: a red boat]"
    assert first.role == "user"
    assert second.content == "Lovely."
    assert first.time == datetime(2024, 6, 28, 23, 30, tzinfo=UTC)
    assert first.time < second.time < third.time == datetime(2024, 7, 3, 9, 5, tzinfo=UTC)


def test_beam_has_roles_and_dates_and_no_question_without_an_answer() -> None:
    (conversation,) = read_beam(json.dumps(BEAM).encode())
    assert [(turn.turn_id, turn.role, turn.name) for turn in conversation.turns] == [
        ("0", "user", ""),
        ("1", "assistant", ""),
        ("2", "user", ""),
    ]
    assert [turn.time for turn in conversation.turns] == [
        datetime(2024, 3, 15, 0, 0, 0, tzinfo=UTC),
        datetime(2024, 3, 15, 0, 0, 1, tzinfo=UTC),
        datetime(2024, 4, 5, 0, 0, 0, tzinfo=UTC),
    ]
    assert [(q.category, q.evidence) for q in conversation.questions] == [
        ("knowledge_update", ("2", "0"))
    ]
    assert conversation.turns[0].text == "Plan it."


def test_zh_is_a_conversation_a_user() -> None:
    first, second = read_zh(json.dumps(ZH).encode())
    assert [session.session_id for session in first.sessions] == ["x01_s01", "x01_s02"]
    assert [turn.content for turn in second.turns] == ["別人的話。"]
    assert second.questions == []
    assert first.session_of["x01_s01_a1"] == "x01_s01"


def test_zh_knows_which_question_asks_for_what_holds_now() -> None:
    conversation = next(read_zh(json.dumps(ZH).encode()))
    assert [(q.category, q.update) for q in conversation.questions] == [
        ("knowledge_update", Update(newer="x01_s02_u1", older="x01_s01_u1")),
        ("change", None),
    ]
    assert conversation.questions[0].answer == "knowledge_update。"


def test_a_set_is_read_from_its_file_and_named_by_its_content(tmp_path: Path) -> None:
    (tmp_path / "beam-dev.json").write_text(json.dumps(BEAM))
    dataset = load("beam", tmp_path)
    assert (dataset.turn_count, dataset.question_count) == (3, 1)
    (tmp_path / "beam-dev.json").write_text(json.dumps(BEAM, indent=1))
    assert load("beam", tmp_path).sha256 != dataset.sha256


def test_a_missing_file_is_told_with_its_remedy(tmp_path: Path) -> None:
    with pytest.raises(DataMissing, match="--data"):
        load("zh", tmp_path)
