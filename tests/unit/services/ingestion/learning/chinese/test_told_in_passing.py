"""Chinese as it is typed: subjects carried on, topics first, habits, advice, sums, changes."""

from datetime import UTC, datetime

import pytest

from anamnesis_ingestion.learning.chinese.found import FoundFact
from anamnesis_ingestion.learning.chinese.reader import read
from anamnesis_ingestion.learning.chinese.subjects import Subjects, speaker

SAID_AT = datetime(2025, 6, 18, 9, tzinfo=UTC)

TOLD = [
    # whom or what the next clause is about
    ("我有一个女儿，今年上初一。", ["|has_relative|一个女儿", "的女儿|studies_at|初一"]),
    ("我弟开了家书店，就在苏州。", ["的弟|owns|书店", "的弟的书店|located_in|苏州"]),
    ("我家的猫叫豆包，两岁了。", ["|has_pet|豆包", "豆包|is_aged|两岁"]),
    ("我媳妇是护士，她在成都上学。", ["的媳妇|works_as|护士", "的媳妇|studies_in|成都"]),
    ("我们店周一休息。", ["的店|hours|周一休息"]),
    ("公司从望京搬到通州了。", ["的公司|located_in|望京|end", "的公司|located_in|通州"]),
    ("房贷还剩六十万，每月要还四千。", ["|房贷还剩|六十万", "|房贷|四千"]),
    # what is spoken of stands first
    ("虾真不能碰了。", ["|does_not_eat|虾", "|eats|虾|end"]),
    ("牙套戴了一年半。", ["|uses|牙套"]),
    ("吉他不弹了。", ["|plays|吉他|end"]),
    ("我学的园林。", ["|studies|园林"]),
    # days and advice
    ("我每天走八千步。", ["|does|每天走八千步"]),
    ("周三周五下午我有瑜伽课。", ["|does|周三周五下午有瑜伽课"]),
    ("医生叫我别搬重物。", ["|must|别搬重物"]),
    ("医生不让我跑步。", ["|must|不让跑步"]),
    ("孙子出生以后就没上班了。", ["|employment_status|不上班"]),
    ("肩周炎犯了，胳膊抬不起来，教练叫我别举重物。", ["|has_condition|肩周炎", "|must|别举重物"]),
    # places, firms, figures
    ("我表姐在宝洁做HR。", ["的表姐|works_at|宝洁", "的表姐|works_as|HR"]),
    ("我在一家做游戏的公司。", ["|works_at|做游戏的公司"]),
    ("我爸妈在义乌批发饰品。", ["的爸妈|does|在义乌批发饰品"]),
    ("我对象在部队。", ["的对象|works_in|部队"]),
    ("仓库在东莞。", ["|仓库|东莞"]),
    ("试用期六个月。", ["|试用期|六个月"]),
    ("我租的房子在回龙观。", ["|lives_in|回龙观"]),
    ("健身房的教练叫Tony。", ["|knows|Tony"]),
    ("我是广东人但不会讲粤语。", ["|is_from|广东", "|cannot|讲粤语"]),
    # bodies
    ("脂肪肝轻度，尿酸也高。", ["|has_condition|脂肪肝", "|has_condition|尿酸高"]),
    ("我膝盖不好。", ["|has_condition|膝盖不好"]),
    # changes
    ("我先在腾讯干了三年，后来去了阿里。", ["|works_at|腾讯|end", "|works_at|阿里"]),
    ("我们不用Jira了。", ["|uses|Jira|end"]),
    ("我不做销售了，转运营了。", ["|works_as|销售|end", "|works_as|运营"]),
    (
        "儿子从实验小学转到外国语了。",
        ["的儿子|studies_at|实验小学|end", "的儿子|studies_at|外国语"],
    ),
    ("周会从周一挪到周四了。", ["周会|is|周一|end", "周会|is|周四"]),
    ("我换到儿科了。", ["|member_of|儿科"]),
    # how the agent is to speak
    ("文档别给我发Word。", ["|prefers|文档别给我发Word"]),
    ("医生让我把氨氯地平换成缬沙坦了。", ["|uses|氨氯地平|end", "|uses|缬沙坦"]),
    ("我想减肥。", ["|plans|减肥"]),
    ("我有ADHD。", ["|has_condition|ADHD"]),
    ("我血型O型。", ["|blood_type|O型"]),
    ("我考上研究生了。", ["|achieved|考上研究生"]),
    ("我坐轮椅。", ["|uses|轮椅"]),
    ("我左耳听不见。", ["|has_condition|左耳听不见"]),
    ("我加入了一个读书会。", ["|member_of|读书会"]),
]

SILENT = [
    "帮我写个自我介绍：我叫李雷，毕业于清华大学。",
    "医生说你要多休息。",
    "我朋友她老公在部队。",
    "每天给我推送一条新闻。",
    "周三下午有个会。",
    "同事老公姓秦。",
    "那家公司从望京搬到亦庄了。",
    "膝盖不好的人能跑步吗？",
    "昨晚又失眠。",
    "我干姐在南京上班。",
    "是的，是双胞胎！",
    "三个月。",
    "讲座啊，是讲座。",
    "我要是二十八就好了。",
    "我不是回民。",
    "我怕你不高兴。",
    "我想买房的人很多。",
    "他欠我三万。",
    "我们公司用什么都行。",
    "我老婆刚生了二胎，是个女儿，叫小禾。",
]


def facts(text: str) -> list[FoundFact]:
    return list(read(text, Subjects(speaker("u7")), SAID_AT, to_agent=True))


def claims(text: str) -> list[str]:
    return [
        f"{each.subject.removeprefix('u7')}|{each.predicate}|{each.object}"
        + ("|end" if each.ended else "")
        for each in facts(text)
    ]


@pytest.mark.parametrize(("text", "expected"), TOLD)
def test_what_is_told_in_passing_is_somebodys(text: str, expected: list[str]) -> None:
    assert sorted(claims(text)) == sorted(expected)


@pytest.mark.parametrize("text", SILENT)
def test_what_is_not_told_of_anybody_known_teaches_nothing(text: str) -> None:
    assert claims(text) == []


def test_what_is_eaten_no_more_only_ends_what_was_held() -> None:
    ended = [each for each in facts("主食全停了。") if each.ended]
    assert [each.ends_only for each in ended] == [True]


def test_a_pet_lives_nowhere_by_itself() -> None:
    told = claims("我家的猫叫豆包，两岁了，住在北京。")
    assert told == ["|has_pet|豆包", "豆包|is_aged|两岁"]


@pytest.mark.parametrize(
    ("text", "days"),
    [("周四上午十点面试。", True), ("护照明年二月到期。", True), ("周三例会。", False)],
)
def test_what_is_fixed_for_a_day_ahead_holds_until_then(text: str, days: bool) -> None:
    (fact,) = facts(text)
    assert (fact.time.until is not None and fact.time.until > SAID_AT) is days


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("我叫何婧，38，在成都教数学。", "用户38岁"),
        ("我青霉素过敏，医生给开了阿莫西林。", "用户：医生给开了阿莫西林"),
    ],
)
def test_a_statement_reads_by_itself(text: str, told: str) -> None:
    assert told in {each.statement for each in facts(text)}
