"""Whom and what messages name, by rule and language; each sentence is of its rule alone."""

import time

import pytest

from anamnesis_ingestion.learning.knowledge import EntityKind, ExtractionInput, LearnedMention
from anamnesis_ingestion.learning.local.naming.finder import EVENT_CHARS_MAX, mentions_of
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role
from benchmarks.extraction.matching import Score
from benchmarks.extraction.mentions import FOLDER, Tally, judge, read

K = EntityKind


def found(
    *contents: str, role: Role = Role.USER, name: str = "", agent: str = ""
) -> tuple[LearnedMention, ...]:
    events = [
        LedgerEvent(role=role, content=content, index=at, name=name)
        for at, content in enumerate(contents)
    ]
    return mentions_of(ExtractionInput(events=events, agent=agent))


def kinds(*contents: str) -> dict[str, EntityKind]:
    return {each.name: each.kind for each in found(*contents)}


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("We moved to Veyra in spring.", {"Veyra": K.PLACE}),
        ("She works for Orlund and likes it.", {"Orlund": K.ORGANISATION}),
        ("I study at the University of Ostwick.", {"University of Ostwick": K.ORGANISATION}),
        ("He is at Brunel Robotics Ltd. now.", {"Brunel Robotics Ltd.": K.ORGANISATION}),
        ("our walk along Larch Avenue", {"Larch Avenue": K.PLACE}),
        ("I ran the Ostwick Marathon again.", {"Ostwick Marathon": K.EVENT}),
        ("we start Project Osprey", {"Project Osprey": K.PROJECT}),
        ("the repo is called Larkspur", {"Larkspur": K.PROJECT}),
        ("it is written in Zorblang", {"Zorblang": K.TECHNOLOGY}),
        ("we run it on Kubernetes", {"Kubernetes": K.TECHNOLOGY}),
        ("I was reading Moonharbour yesterday", {"Moonharbour": K.ITEM}),
        ('I watched the film "Glass Quarry" twice', {"Glass Quarry": K.ITEM}),
        ("the chatbot called Mirabot helps", {"Mirabot": K.AGENT}),
        ("I like quantum computing", {"quantum computing": K.TOPIC}),
        ("all about #beekeeping today", {"beekeeping": K.TOPIC}),
        ("my neighbour Quillon sings", {"Quillon": K.PERSON}),
        ("ask Mr. Quillon", {"Mr. Quillon": K.PERSON}),
        ("Melanie went home", {"Melanie": K.PERSON}),
        ("they like Quorna", {"Quorna": K.UNKNOWN}),
        ("she is from Brakel, Belgium", {"Brakel": K.PLACE, "Belgium": K.PLACE}),
    ],
)
def test_english_kinds(text: str, named: dict[str, EntityKind]) -> None:
    assert kinds(text) == named


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("我搬到了成都。", {"成都": K.PLACE}),
        ("我同事叫李晓梅。", {"李晓梅": K.PERSON}),
        ("我家的狗叫豆包子。", {"豆包子": K.PERSON}),
        ("他在腾讯工作。", {"腾讯": K.ORGANISATION}),
        ("她加入了绿洲基金会。", {"绿洲基金会": K.ORGANISATION}),
        ("我在青禾科技公司上班。", {"青禾科技公司": K.ORGANISATION}),
        ("她毕业于浙江大学。", {"浙江大学": K.ORGANISATION}),
        ("云海大会下个月举办。", {"云海大会": K.EVENT}),
        ("春节我们吃饺子。", {"春节": K.EVENT}),
        ("项目代号叫蓝鲸，快上线了。", {"蓝鲸": K.PROJECT}),
        ("我在读《海边的钟表匠》。", {"海边的钟表匠": K.ITEM}),
        ("我们用Rust重写了它。", {"Rust": K.TECHNOLOGY}),
        ("我们把服务部署在Zorblang上。", {"Zorblang": K.TECHNOLOGY}),
        ("我和Orlund团队开会。", {"Orlund": K.UNKNOWN}),
        ("老板是Quillon，人很好。", {"Quillon": K.PERSON}),
        ("我想学机器学习。", {"机器学习": K.TOPIC}),
        ("我去年搬到臺北市。", {"臺北市": K.PLACE}),
    ],
)
def test_chinese_kinds(text: str, named: dict[str, EntityKind]) -> None:
    assert kinds(text) == named


@pytest.mark.parametrize(
    "text",
    [
        "Yesterday was awful. Nothing worked, and Everyone was late on Monday in March.",
        "Please fix it. Then run the tests. Booking failed, Sadly.",
        "I am NOT happy. The API answers HTTP 500 with JSON, see the PDF.",
        "Everything Is Fine In This Part Of The Text",
        "I speak French and German.",
        "The server of the company is in the city.",
        "Run `Larkspur` from Makefile.am or /Users/Quillon or quillon@Orlund.com now.",
        "```\nQuillon = Orlund()\n```",
        "今天天气不错，我想出去走走。",
        "公司最近很忙，银行也关门了。",
        "我想学吉他，周末晒太阳，吃海鲜。",
        "我叫他过来。",
        "大学同学聚会我去不了。",
        "see <EMAIL_ADDRESS>, <PHONE_NUMBER> and <USER>",
        "Thankfully, they told us. Eventually, we met.",
    ],
)
def test_what_is_no_name(text: str) -> None:
    assert kinds(text) == {}


@pytest.mark.parametrize(
    ("text", "name", "alias"),
    [
        ("Robert, also called Bobby, plays.", "Robert", "Bobby"),
        ("We met Beatriz (aka Bea) there.", "Beatriz", "Bea"),
        ("the Ostwick River Board (ORB) met", "Ostwick River Board", "ORB"),
        ("We call the Meridian Planning Tool MPT for short.", "Meridian Planning Tool", "MPT"),
        ("Bea is short for Beatriz.", "Beatriz", "Bea"),
        ("赵磊又名赵小石。", "赵磊", "赵小石"),
        ("林悦的英文名叫Lily。", "林悦", "Lily"),
        ("我们组的林悦，也就是Lin Yue，离职了。", "林悦", "Lin Yue"),
        ("我们组的林悦（Lin Yue）下周来。", "林悦", "Lin Yue"),
        ("Lin Yue (林悦) joins us.", "Lin Yue", "林悦"),
        ("世界土壤组织（简称WSO）开会。", "世界土壤组织", "WSO"),
        ("我朋友刘建国，外号大刘。", "刘建国", "大刘"),
    ],
)
def test_other_names(text: str, name: str, alias: str) -> None:
    named = {each.name: each.aliases for each in found(text)}
    assert named[name] == (alias,)
    assert alias not in named


@pytest.mark.parametrize("beside", ["工程师", "上海", "左边"])
def test_what_stands_in_brackets_may_be_no_name(beside: str) -> None:
    assert all(not each.aliases for each in found(f"Anna Weber ({beside}) joins us."))


def test_what_stands_in_brackets_is_another_name_only_by_its_initials() -> None:
    (mention,) = found("the Ostwick River Board (see Monday) met")
    assert mention.aliases == ()


def test_a_word_that_opens_a_sentence_is_a_name_if_it_is_one_elsewhere() -> None:
    assert kinds("Quorna is open.") == {}
    (mention,) = found("Quorna is open.", "I like Quorna.")
    assert mention.sources == (0, 1)


def test_the_surest_event_tells_the_kind_for_all() -> None:
    assert kinds("I like Orlund.", "I work at Orlund.") == {"Orlund": K.ORGANISATION}
    assert kinds("I work at Orlund.", "We moved to Orlund.") == {"Orlund": K.UNKNOWN}


def test_a_pseudonym_is_a_person() -> None:
    assert kinds("ask <PERSON_3f9a1c07> or <EMAIL_ADDRESS>") == {"<PERSON_3f9a1c07>": K.PERSON}


def test_speakers_are_named_by_their_events_and_wherever_they_are_spelled() -> None:
    (speaker,) = found("i like figs", "ask quillon", name="quillon")
    assert (speaker.name, speaker.kind, speaker.sources) == ("quillon", K.PERSON, (0, 1))
    (agent,) = found("i help", role=Role.ASSISTANT, name="Mira", agent="mira")
    assert agent.kind is K.AGENT


@pytest.mark.parametrize("role", [Role.SYSTEM, Role.TOOL])
def test_what_tools_and_system_prompts_say_names_nobody(role: Role) -> None:
    assert found("Melanie lives in Lisbon", role=role, name="bash") == ()


def test_what_was_injected_names_nobody() -> None:
    assert kinds("<memory_context>\nMelanie lives in Lisbon\n</memory_context>\nthanks") == {}


@pytest.mark.slow
@pytest.mark.parametrize(
    "part", ["A", "Ab Cd ", "我在成都公司", "Anna, Robert ", "Quorna and Belt met. ", '"A', "aka "]
)
def test_time_grows_with_the_length_of_a_text_and_not_with_its_square(part: str) -> None:
    short, long = (_spent_s((part * EVENT_CHARS_MAX)[:chars]) for chars in (4_000, 16_000))
    assert long < 12 * short + 0.05


def _spent_s(text: str) -> float:
    """The least of three tries, so that a busy machine counts for nothing."""
    found("Anna 王芳")
    times = []
    for _ in range(3):
        started = time.process_time()
        found(text)
        times.append(time.process_time() - started)
    return min(times)


def test_the_labelled_messages_are_read_as_before() -> None:
    total = Tally(Score(), Score())
    for message in read(FOLDER / "dev.jsonl"):
        total += judge(message, found(message.text))
    assert total.names.precision >= 0.97
    assert total.names.recall >= 0.95
    assert total.kinds_right >= 0.93 * total.names.right
    assert total.aliases.wrong == 0
