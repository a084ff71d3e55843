"""Clauses that run on without a comma, as voice input and quick typing leave them."""

from datetime import UTC, datetime

import pytest

from anamnesis_ingestion.learning.chinese.piece import Piece
from anamnesis_ingestion.learning.chinese.reader import read
from anamnesis_ingestion.learning.chinese.runons import parted
from anamnesis_ingestion.learning.chinese.subjects import Subjects, speaker

SAID_AT = datetime(2026, 3, 11, 9, tzinfo=UTC)

PARTED = [
    "我们从西二旗搬到回龙观了|离地铁走路十分钟",
    "我们结婚七年了|没要孩子",
    "我上个月从京东离职了|现在在家歇着",
    "我海鲜过敏|吃虾就起疹子",
    "我发小叫大鹏|在苏州开火锅店",
    "我是跑滴滴的|白天睡觉晚上出车",
    "去年查出来脂肪肝|医生让少喝酒",
    "打算明年去日本留学|现在在学日语",
    "我跟前女友断了|现在单身",
    "我不用小米了|换了iPhone",
    "我膝盖不好|医生不让爬山",
    "我英语过六级了|还想考雅思",
    "我同事Lily是上海人|特别能聊",
]

WHOLE = [
    "我送了我妈一条围巾",
    "上个周末我们领养了一只狗",
    "我养狗久了就容易过敏",
    "我离开了待了五年的网易",
    "我养了八年的猫年糕前天没了",
    "我喜欢的歌手我妈也喜欢",
    "我打算明年结婚以后再买房",
    "作为一个医生必须占用时间",
    "我想知道现在几点",
    "我给客户介绍我们的产品",
    "我喜欢听我妈讲故事",
    "我妈叫我今年回家过年",
]

STATED = [
    (
        "我上个月从京东离职了现在在家歇着",
        ["|works_at|京东|end"],
    ),
    ("我海鲜过敏吃虾就起疹子", ["|is_allergic_to|海鲜", "|has_condition|吃虾就起疹子"]),
    ("俺闺女叫朵朵今年上大班", ["|has_relative|朵朵", "朵朵|studies_at|大班"]),
    ("我发小叫大鹏在苏州开火锅店", ["|knows|大鹏", "大鹏|owns|火锅店"]),
    ("我家那只英短叫年糕胖得很", ["|has_pet|年糕"]),
    ("她叫李娜是我研究生同学", ["|knows|李娜"]),
    ("我朋友说他搬到北京了现在在百度上班", []),
    ("我要是住北京就好了现在住得太远了", []),
    ("腰突好几年了坐久了就疼", ["|has_condition|腰突"]),
    # attributes of a noun
    ("我女儿数学不好", ["的女儿|is|数学不好"]),
    ("我睡眠很浅", ["|has_condition|睡眠很浅"]),
    ("我今天心情不好", []),
    # as people say it
    ("我贼喜欢看悬疑片", ["|likes|看悬疑片"]),
    ("跟女朋友分了", ["|marital_status|分手"]),
    ("又开始弹吉他了", ["|plays|吉他"]),
    ("日语学到N2了", ["|speaks|日语学到N2"]),
    ("吃辣不太行", ["|does_not_eat|辣"]),
    # a zodiac sign is no name
    ("我妈属羊的", ["的妈|is|属羊的"]),
    ("我有个妹妹。她叫李娜。", ["|has_relative|妹妹", "|has_relative|李娜"]),
]


def claims(text: str) -> list[str]:
    found = read(text, Subjects(speaker("U")), SAID_AT, to_agent=True)
    return [
        f"{each.subject.removeprefix('U')}|{each.predicate}|{each.object}"
        + ("|end" if each.ended or each.ends_only else "")
        for each in found
    ]


@pytest.mark.parametrize("clauses", PARTED)
def test_a_clause_ends_where_the_next_begins(clauses: str) -> None:
    found = parted(Piece.of(clauses.replace("|", "")))
    assert [each.text for each in found] == clauses.split("|")


@pytest.mark.parametrize("clause", WHOLE)
def test_one_clause_stays_one(clause: str) -> None:
    assert [each.text for each in parted(Piece.of(clause))] == [clause]


@pytest.mark.parametrize(("text", "expected"), STATED)
def test_what_runs_on_is_read(text: str, expected: list[str]) -> None:
    assert sorted(claims(text)) == sorted(expected)


def test_a_statement_is_read_on_other_days() -> None:
    (found,) = read("昨天我离职了。", Subjects(speaker("mei")), SAID_AT, to_agent=True)
    assert found.statement == "mei离职了"
    assert found.time.since == datetime(2026, 3, 10, tzinfo=UTC)


def test_a_day_from_which_something_holds_stays_in_its_statement() -> None:
    said = "从今天起我不吃火锅了。"
    found, *_ = read(said, Subjects(speaker("mei")), SAID_AT, to_agent=True)
    assert found.statement == "从今天起mei不吃火锅了"


def test_who_gives_advice_is_no_kind_of_the_subject() -> None:
    *_, found = read(
        "我查出来脂肪肝，医生让少喝酒。", Subjects(speaker("mei")), SAID_AT, to_agent=True
    )
    assert found.statement == "mei：医生让少喝酒"
