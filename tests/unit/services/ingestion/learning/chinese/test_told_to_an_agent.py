"""Chinese as people type it to an agent: plain order, wishes, habits, whose it is, corrections."""

from datetime import UTC, datetime

import pytest

from anamnesis_ingestion.learning.chinese.found import FoundFact
from anamnesis_ingestion.learning.chinese.reader import read
from anamnesis_ingestion.learning.chinese.subjects import Subjects, speaker

SAID_AT = datetime(2025, 6, 18, 9, tzinfo=UTC)
"""A Wednesday."""

TOLD = [
    # what stands before its verb, and who did it to whom
    ("可乐我早戒了。", ["|avoids|可乐"]),
    ("榴莲山药这些我都碰不得。", ["|does_not_eat|榴莲", "|does_not_eat|山药"]),
    ("领导把我调去售后组了。", ["|member_of|售后组"]),
    ("老婆让公司派到泰国去了。", ["的老婆|works_in|泰国"]),
    ("相机给换成了Nikon。", ["|uses|Nikon"]),
    ("单位给配了台ThinkPad。", ["|uses|ThinkPad"]),
    ("又回去用鸿蒙了。", ["|uses|鸿蒙"]),
    ("戴眼镜戴了八年了。", ["|uses|眼镜"]),
    ("房子是前年买的，在光谷那边。", ["|owns|房子", "的房子|located_in|光谷"]),
    ("订单系统我负责测试。", ["|works_on|测试"]),
    # wishes, with when they hold and what goes on with them
    ("以后称呼我老秦就行，别叫先生。", ["|prefers|称呼我老秦就行，别叫先生"]),
    ("以后帮我写脚本时，变量名用英文。", ["|prefers|以后帮我写脚本时，变量名用英文"]),
    ("发合同之前先给我看一眼，别直接发。", ["|prefers|发合同之前先给我看一眼，别直接发"]),
    ("订酒店的时候预算控制在五百以内。", ["|prefers|订酒店的时候预算控制在五百以内"]),
    ("我不喜欢你叫我全名。", ["|prefers|我不喜欢你叫我全名"]),
    ("这个项目用 poetry，不要用 pip。", ["|prefers|这个项目用 poetry，不要用 pip"]),
    # habits, with their hours and limits
    ("每天晚上十点前必须睡。", ["|does|每天晚上十点前必须睡"]),
    ("每个月五号发工资。", ["|does|每个月五号发工资"]),
    ("周四晚上固定跟同事打羽毛球。", ["|does|周四晚上固定跟同事打羽毛球"]),
    ("奶茶一周最多喝一杯。", ["|does|奶茶一周最多喝一杯"]),
    ("我基本不开车。", ["|does|基本不开车"]),
    ("我一般十一点睡觉，早上六点起。", ["|does|一般十一点睡觉", "|does|早上六点起"]),
    ("不再接私活了。", ["|avoids|接私活"]),
    # whose it is
    ("我姐在银行上班，孩子刚上小学。", ["的姐|works_in|银行", "的姐的孩子|studies_at|小学"]),
    ("我室友养了条金毛，叫大福。", ["的室友|has_pet|金毛", "的室友|has_pet|大福"]),
    ("我弟在上海，房贷每个月八千。", ["的弟|lives_in|上海", "的弟|房贷|八千"]),
    ("我叫陈昊，一名插画师。", ["|is_named|陈昊", "|works_as|插画师"]),
    ("领养了一只三条腿的猫，取名叫船长。", ["|has_pet|猫", "|has_pet|船长"]),
    ("养了两只猫一只狗。", ["|has_pet|猫", "|has_pet|狗"]),
    # slots, their places, and what they have become
    ("我们仓库从佛山挪到惠州去了。", ["|仓库|佛山|end", "|仓库|惠州"]),
    ("营业时间改了，早上九点到晚上八点。", ["|营业时间|早上九点到晚上八点"]),
    ("我们部门一共九个人。", ["|部门|九个人"]),
    ("数据库我们最后选的是ClickHouse。", ["数据库|is|ClickHouse"]),
    ("面粉用的是王后的T65。", ["|面粉|王后的T65"]),
    ("我主要用 Vue 和 TypeScript 写代码。", ["|uses|Vue", "|uses|TypeScript"]),
    # what is corrected, and what is over
    ("孩子应该是4岁不是3岁。", ["的孩子|is_aged|4岁"]),
    ("幽门螺杆菌复查阴性了。", ["|has_condition|幽门螺杆菌|end"]),
    ("闺女九月份就上初中了。", []),
]

SILENT = [
    "每周一例会取消了。",
    "我朋友公司用的是Go。",
    "我同事搬走了，仓库在东莞。",
    "这家店早上八点开门，晚上八点关门。",
    "以后别这样了。",
    "以后要多运动。",
    "我妈叫我吃饭。",
    "等车等了半天。",
    "别人送了我一张票。",
    "我跟我妈住得近。",
    "不再犹豫了。",
    "前两年一直在外地。",
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
def test_what_is_told_to_an_agent_is_learned(text: str, expected: list[str]) -> None:
    assert sorted(claims(text)) == sorted(expected)


@pytest.mark.parametrize("text", SILENT)
def test_what_only_looks_alike_teaches_nothing(text: str) -> None:
    assert claims(text) == []


def test_a_plan_on_a_weekday_ends_with_that_day() -> None:
    (found,) = facts("周五要出差。")
    assert found.predicate == "plans"
    assert found.time.until == datetime(2025, 6, 21, tzinfo=UTC)


def test_a_child_of_anothers_is_told_as_theirs() -> None:
    told = [each.statement for each in facts("我姐在银行上班，孩子刚上小学。")]
    assert told[-1] == "用户的姐的孩子刚上小学"
