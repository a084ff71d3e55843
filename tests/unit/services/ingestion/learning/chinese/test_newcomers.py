"""Somebody who was just told of is no speaker: 我有个同事，叫李雷，是程序员."""

from datetime import UTC, datetime

import pytest

from anamnesis_ingestion.learning.chinese.found import FoundFact
from anamnesis_ingestion.learning.chinese.reader import read
from anamnesis_ingestion.learning.chinese.subjects import Subjects, speaker

SAID_AT = datetime(2026, 6, 18, 9, tzinfo=UTC)


def facts(text: str) -> list[FoundFact]:
    return list(read(text, Subjects(speaker("dana")), SAID_AT, to_agent=True))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("我有个同事，叫李雷，是程序员。", ["dana的同事是李雷", "李雷是程序员"]),
        ("我交了个女朋友，叫小雨，在银行上班。", ["dana的女朋友是小雨", "小雨在银行上班"]),
        ("新租客是个拉大提琴的姑娘，叫小满。", ["dana的租客是小满"]),
        ("新保姆找到了，姓罗。", ["dana的保姆姓罗"]),
        ("我爸出院了，请了护工，早上来，姓焦。", ["dana的护工姓焦"]),
        ("公司来了个新领导，姓赵，35岁。", ["dana的领导姓赵", "dana的领导35岁"]),
        ("认识了个人，叫程远，是消防员。", ["程远是消防员"]),
        ("我有个女儿，叫小满，5岁。", ["dana有个女儿", "dana的女儿是小满", "小满5岁"]),
        ("我谈了个对象，叫周舟。", ["dana的对象是周舟"]),
        ("昨天见了房东，姓吴，人挺好。", ["dana的房东姓吴"]),
        ("养了条狗，叫旺财。", ["dana养了条狗", "dana的狗是旺财"]),
    ],
)
def test_the_clauses_behind_are_about_them(text: str, told: list[str]) -> None:
    assert [each.statement for each in facts(text)] == told


@pytest.mark.parametrize(
    "text",
    [
        "店里来了个客人，叫老马，四川人。",
        "我女儿交了个朋友，叫果果，是同班同学。",
        "刚认识一个女生，姓何，是护士，住在浦东。",
        "我招了个店员，叫小孟，二十岁。",
        "家里来了个客人，叫了外卖。",
    ],
)
def test_of_somebody_unknown_nothing_is_the_speakers(text: str) -> None:
    assert not [each for each in facts(text) if each.predicate in {"is_named", "is", "lives_in"}]
    assert not [each for each in facts(text) if each.subject == "dana"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("我是新来的，叫王敏，在财务部。", "王敏"),
        ("我是一名律师，叫周航。", "周航"),
        ("我今年30岁，叫李想。", "李想"),
    ],
)
def test_who_tells_of_themselves_is_meant(text: str, name: str) -> None:
    assert ("dana", "is_named", name) in {
        (each.subject, each.predicate, each.object) for each in facts(text)
    }


def test_another_subject_ends_what_is_told_of_them() -> None:
    told = facts("我有个朋友，叫阿强，我在深圳开餐馆。")
    assert [each.subject for each in told if each.predicate == "owns"] == ["dana"]
