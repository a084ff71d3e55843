"""What stands is read by the form of its clause, where no list holds its words."""

from datetime import UTC, datetime

import pytest

from anamnesis_ingestion.learning.chinese.reader import read
from anamnesis_ingestion.learning.chinese.subjects import Subjects, speaker

SAID_AT = datetime(2025, 6, 18, 9, tzinfo=UTC)

TOLD = [
    # what somebody does in general
    ("我收藏黑胶唱片。", ["|does|收藏黑胶唱片"]),
    ("我爸卖茶叶，我妈在镇上开裁缝铺。", ["的爸|does|卖茶叶", "的妈|does|在镇上开裁缝铺"]),
    ("我给报社画插图。", ["|does|给报社画插图"]),
    ("我在县城一家驾校当门卫。", ["|does|在县城一家驾校当门卫"]),
    ("我运营一个讲历史的公众号。", ["|does|运营一个讲历史的公众号"]),
    ("我在楼下的酒吧兼职。", ["|works_in|楼下的酒吧"]),
    ("我以修表为生。", ["|does|以修表为生"]),
    ("我在城南的一家花圃工作。", ["|works_in|城南的一家花圃"]),
    ("我们公司做冷链仓储。", ["的公司|does|做冷链仓储"]),
    # for how long, in these days
    ("我带毕业班十二年了。", ["|does|带毕业班"]),
    ("我最近在翻译一本食谱。", ["|does|在翻译一本食谱"]),
    # what somebody does without
    ("我不用微波炉。", ["|avoids|用微波炉"]),
    ("我不吃秋葵和羊杂。", ["|does_not_eat|秋葵", "|does_not_eat|羊杂"]),
    ("我不喝酒也不抽烟。", ["|does_not_drink|酒", "|avoids|抽烟"]),
    # what somebody is and has
    ("我是家里的独生女。", ["|is|家里的独生女"]),
    ("我是文科生。", ["|is|文科生"]),
    ("我有三把二胡。", ["|owns|二胡"]),
    ("我有一个读初中的外甥。", ["|has_relative|一个读初中的外甥"]),
    ("我有5只猫。", ["|has_pet|猫"]),
    # what is somebody's, by any noun
    ("我的主力语言是Kotlin。", ["|主力语言|Kotlin"]),
    ("我宿舍在十二楼。", ["|宿舍|十二楼"]),
    ("我电脑是ThinkPad，内存32G。", ["|电脑|ThinkPad", "|内存|32G"]),
    ("我女儿今年中考，目标是市二中。", ["的女儿|目标|市二中"]),
    ("我们车间有四十来个人。", ["|车间|四十来个人"]),
    ("流水线跑在Jenkins上。", ["流水线|is|Jenkins"]),
    ("孙悟空是我最喜欢的角色。", ["|likes|孙悟空"]),
    ("我把周报改成双周报了。", ["|周报|双周报"]),
    # habits, by how often and when
    ("我一个月休四天。", ["|does|一个月休四天"]),
    ("我每年过年都回湖北老家。", ["|does|每年过年都回湖北老家"]),
    ("我睡觉戴耳塞。", ["|does|睡觉戴耳塞"]),
    ("我出门都打车。", ["|does|出门都打车"]),
    ("我半年洗一次牙。", ["|does|半年洗一次牙"]),
    ("我每天骑车，路上听评书。", ["|does|路上听评书", "|does|每天骑车"]),
    # whom the next clause is about
    ("我开着一辆面包车，住在河边。", ["|owns|面包车", "|does|住在河边"]),
    ("我最好的朋友叫晓岚，是护士。", ["|knows|晓岚", "晓岚|works_as|护士"]),
    ("我表哥是木匠，在昆明。", ["的表哥|works_as|木匠", "的表哥|lives_in|昆明"]),
    ("我教练建议我每周跑三次。", ["|must|每周跑三次"]),
    ("我喜欢喝茶，还有看展。", ["|likes|喝茶", "|likes|看展"]),
]

SILENT = [
    # of the moment, done, or begun
    "我打开设置页面，点了保存。",
    "我在看电视呢。",
    "我做饭去了。",
    "我做好了准备。",
    "我戴上耳机听歌。",
    "我穿上外套出门了。",
    "我每次打开都报错。",
    "我最近在想一个问题。",
    "我儿子写作业太慢。",
    "我开心极了。",
    # said of the talk itself, or of nothing in particular
    "我的意思是先把接口定下来。",
    "我的问题是怎么部署。",
    "我的心情是复杂的。",
    "我有三个问题。",
    "我有一套方案。",
    "我有一本书想推荐给你。",
    "我是说你可以试试。",
    "我是认真的。",
    "我是太阳系。",
    "我很怕下次讨论又只剩印象。",
    "我总觉得哪里不对。",
    "我是孙老师。",
    "小钱管质控。",
    "我支持你的决定。",
    "我相信水里有三十种不同的鱼。",
    # meant, refused, or still to come
    "我不去了。",
    "我不用你帮忙。",
    "我们做软糖。",
    "我从明年起在面馆打工。",
    "晚上我去超市买菜。",
    # of what somebody has, not of themselves
    "我买了一辆三轮车，叫小白。",
]


def claims(text: str) -> list[str]:
    found = read(text, Subjects(speaker("u7")), SAID_AT, to_agent=True)
    return [f"{each.subject.removeprefix('u7')}|{each.predicate}|{each.object}" for each in found]


@pytest.mark.parametrize(("text", "expected"), TOLD)
def test_what_stands_is_learned(text: str, expected: list[str]) -> None:
    assert sorted(claims(text)) == sorted(expected)


@pytest.mark.parametrize("text", SILENT[:-1])
def test_what_passes_is_not(text: str) -> None:
    assert claims(text) == []


def test_a_name_behind_a_thing_is_not_its_owners() -> None:
    assert claims(SILENT[-1]) in ([], ["|owns|三轮车"])
