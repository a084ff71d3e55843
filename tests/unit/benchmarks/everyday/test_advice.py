"""Talks of PrefEval as people who want advice, read from a made-up file."""

import json
from pathlib import Path

import pytest

from benchmarks.everyday.advice import FILE, TALKS_BESIDE, read_advice
from benchmarks.recall.datasets import DataMissing


def _talk(topic: str, number: int, said: str) -> dict[str, object]:
    turns = [
        {"id": "0u", "role": "user", "text": f"Good day from {topic}. {said} Any news?"},
        {"id": "0a", "role": "assistant", "text": "None."},
    ]
    return {
        "id": f"pref-{topic}-{number}",
        "sessions": [{"turns": turns}],
        "memories": [{"text": f"The user says: {said}", "evidence": ["0u"]}],
        "questions": [{"q": f"What about {topic}?"}],
    }


def test_each_talk_has_talks_of_other_topics_behind_it_and_its_sentence_is_wanted(
    tmp_path: Path,
) -> None:
    talks = [_talk("tea", 0, "I avoid black tea."), _talk("tea", 1, "I avoid green tea.")]
    talks += [_talk("film", at, "I can't stand horror films.") for at in range(3)]
    (tmp_path / FILE).write_text("\n".join(map(json.dumps, talks)))
    first = read_advice(tmp_path)[0]
    assert [question.must for question in first.questions] == [("I avoid black tea.",)]
    own, *beside = first.sessions
    assert "black tea" in own.turns[0].text
    assert len(beside) == TALKS_BESIDE
    assert all("from film" in one.turns[0].text for one in beside)
    days = [one.turns[0].time for one in first.sessions]
    assert days == sorted(days)


def test_without_the_file_the_reason_is_told(tmp_path: Path) -> None:
    with pytest.raises(DataMissing, match=FILE):
        read_advice(tmp_path)
