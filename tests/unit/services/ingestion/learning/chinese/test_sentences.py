"""Sentences and clauses are cut where they end, and no text takes longer than plain talk."""

import time
from functools import cache

import pytest

from anamnesis_ingestion.learning.chinese.learned import EVENT_CHARS_MAX
from anamnesis_ingestion.learning.chinese.reader import read
from anamnesis_ingestion.learning.chinese.sentences import sentences
from anamnesis_ingestion.learning.chinese.subjects import Subjects, speaker
from tests.support.talk import SAID_AT

PLAIN = (
    "我去年从北京搬到了成都，现在在华为当工程师，也喜欢爬山和摄影。今天天气很好，我们在公园里散步。"
)
HOSTILE = [
    *("一", "去年", "我", "的", "，", "。", "我，", "一。", "不", "我喜欢", "从北京搬到"),
    *("喜欢、", "《", "“", "是我的朋友的", "我在大学", "把时间改成", "一二三年", "A", "A1 "),
    *("我女朋友小", "从一到", "，一", "。去年"),
]
SLOWER_MAX = 4.0


def cut(text: str) -> list[list[str]]:
    return [[clause.text for clause in each.clauses] for each in sentences(text)]


def taken_s(text: str) -> float:
    started = time.process_time()
    list(read(text, Subjects(speaker("user")), SAID_AT, to_agent=True))
    return time.process_time() - started


@cache
def usual_s() -> float:
    taken_s(PLAIN)
    plain = PLAIN * (EVENT_CHARS_MAX // len(PLAIN))
    return min(taken_s(plain) for _ in range(3))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我住在宁波，很喜欢。他呢怎样？", [["我住在宁波", "很喜欢"], ["他呢怎样"]]),
        ("- 會議改到10:30，先這樣", [["会议改到10:30", "先这样"]]),
        ("I live in Leeds.", []),
        ("花了1,000块！", [["花了1,000块"]]),
        ("好" * 401, []),
    ],
)
def test_a_text_is_cut_into_sentences_and_clauses(text: str, expected: list[list[str]]) -> None:
    assert cut(text) == expected


def test_clauses_stand_where_the_sentence_has_them() -> None:
    (sentence,) = sentences("1. 我後來，搬到臺北")
    assert [each.written(sentence.written) for each in sentence.clauses] == ["我後來", "搬到臺北"]


@pytest.mark.slow
@pytest.mark.parametrize("unit", HOSTILE)
def test_a_hostile_text_takes_no_longer_than_plain_talk(unit: str) -> None:
    whole = unit * (EVENT_CHARS_MAX // len(unit))
    cut_up = f"{(unit * 60)[:45]}。" * (EVENT_CHARS_MAX // 46)
    for hostile in (whole, cut_up):
        assert min(taken_s(hostile), taken_s(hostile)) < SLOWER_MAX * usual_s()
