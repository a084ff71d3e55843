"""Tests of talk/asking.py and changes.py: what is wanted, of whom, of when."""

import pytest

from anamnesis_libs.talk.asking import (
    PROMPT_CHARS_MAX,
    asks_for_command,
    asks_for_end,
    asks_for_failure,
    asks_for_the_past,
    asks_in_general,
    asks_what_was_said,
    is_about_caller,
    is_about_record,
    is_request,
    particulars_asked_for,
    relatives_asked_for,
    tells,
    wants_likings,
)
from anamnesis_libs.talk.changes import tells_change


@pytest.mark.parametrize(
    ("question", "all_of_it"),
    [
        ("What did we talk about?", True),
        ("What did I tell you?", True),
        ("Remind me what happened", False),
        ("What happened?", True),
        ("Can you summarize our conversation?", True),
        ("我们聊了什么？", True),
        ("我都干了些啥", True),
        ("What did I tell you about the cat?", False),
        ("What did we decide about themes?", False),
        ("Summarize the book", False),
        ("Which tickets did we have?", True),
        ("Which customers wrote?", True),
        ("Who called?", True),
        ("Show me all tickets", True),
        ("Which tickets did we have about printing?", False),
        ("Which customers wrote about the refund?", False),
        ("我们聊了什么电影？", False),
    ],
)
def test_all_that_was_said_may_be_asked_for(question: str, all_of_it: bool) -> None:
    assert asks_what_was_said(question) is all_of_it


@pytest.mark.parametrize(
    ("prompt", "wanted"),
    [
        ("Which hotel would you recommend?", True),
        ("You once recommended me some craft projects, what were they?", False),
        ("你推荐哪本书？", True),
        ("你推荐过什么电影？", False),
    ],
)
def test_what_looks_back_wants_no_likings(prompt: str, wanted: bool) -> None:
    assert wants_likings(prompt) is wanted


@pytest.mark.parametrize(
    ("prompt", "wanted"),
    [
        ("Plan a dinner for six.", True),
        ("Could you please write a short poem?", True),
        ("hey, install a date library", True),
        ("What should I cook tonight?", True),
        ("We need to deploy the fix.", True),
        ("帮我写一封辞职信", True),
        ("推荐一家餐厅", True),
        ("Where do I live?", False),
        ("What is the capital of Peru?", False),
        ("The plan was good.", False),
        ("Thanks!", False),
        ("我家的猫叫什么名字", False),
        ("光速是多少？", False),
        ("我的周末安排是什么？", False),
        ("提交的截止日期是哪天？", False),
        ("帮我看看今天的安排是什么", True),
    ],
)
def test_requests(prompt: str, wanted: bool) -> None:
    assert is_request(prompt) is wanted


@pytest.mark.parametrize(
    ("prompt", "own"),
    [
        ("Where do I live?", True),
        ("What is OUR policy?", True),
        ("I'm hungry", True),
        ("我家的猫叫什么名字", True),
        ("Where does Ada live?", False),
        ("Is the iron mined in May?", False),
        ("珠穆朗玛峰多高", False),
    ],
)
def test_whose_matter_it_is(prompt: str, own: bool) -> None:
    assert is_about_caller(prompt) is own


@pytest.mark.parametrize(
    ("prompt", "about"),
    [
        ("What did the user ask for?", True),
        ("Why have we decided against Redis?", True),
        ("用户要求什么", True),
        ("Which port is the default?", False),
        ("Who uses the service?", False),
    ],
)
def test_whether_it_is_about_the_record(prompt: str, about: bool) -> None:
    assert is_about_record(prompt) is about


@pytest.mark.parametrize(
    ("prompt", "past"),
    [
        ("Where did I live before Porto?", True),
        ("What was my previous phone?", True),
        ("Who used to be my boss?", True),
        ("我以前住在哪里", True),
        ("Where do I live?", False),
        ("我住在哪里", False),
    ],
)
def test_the_past(prompt: str, past: bool) -> None:
    assert asks_for_the_past(prompt) is past


@pytest.mark.parametrize(
    ("prompt", "of_end", "of_failure", "of_command"),
    [
        ("Which tests were green in the end?", True, False, False),
        ("Where did the release get stuck?", True, True, False),
        ("Which change was left uncommitted?", True, False, False),
        ("Why was the commit refused?", False, True, False),
        ("How do I run the tests?", False, False, True),
        ("How are the pages of the manual built?", False, False, True),
        ("Who left the company last year?", False, False, False),
        ("How does the parser read tabs?", False, False, False),
    ],
)
def test_what_is_asked_of_a_log(
    prompt: str, of_end: bool, of_failure: bool, of_command: bool
) -> None:
    asked = asks_for_end(prompt), asks_for_failure(prompt), asks_for_command(prompt)
    assert asked == (of_end, of_failure, of_command)


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("We moved to Porto.", True),
        ("I quit Feedzai.", True),
        ("It is no longer on Fly.io.", True),
        ("我们搬到了成都", True),
        ("不再喝咖啡", True),
        ("We live in Lisbon.", False),
        ("我住在成都", False),
    ],
)
def test_words_of_change(text: str, changes: bool) -> None:
    assert tells_change(text) is changes


def test_of_a_long_prompt_the_beginning_is_read() -> None:
    assert not is_request("x " * PROMPT_CHARS_MAX + ". Write a poem.")


@pytest.mark.parametrize(
    ("prompt", "relatives"),
    [
        ("What does my brother do?", {"family.brothers"}),
        ("Where do our two kids go to school?", {"family.daughters", "family.sons"}),
        ("我爷爷今年多大？", {"family.relatives"}),
        ("咱妈住哪儿", {"family.mothers"}),
        ("What does Tom's brother do?", set()),
        ("Where do I live?", set()),
    ],
)
def test_relatives_are_those_whom_one_calls_ones_own(prompt: str, relatives: set[str]) -> None:
    assert relatives_asked_for(prompt) == relatives


@pytest.mark.parametrize(
    ("prompt", "line", "particular"),
    [
        ("What's my blood type?", "The clinic says I'm type O.", "blood"),
        ("What's my favourite color?", "I'd paint it all teal if I could.", "colour"),
        ("What shoe size do I take?", "I need them in EU 43.", "clothing_size"),
        ("How tall am I?", "I'm 1.84 m", "height"),
        ("我的车牌号是多少", "车牌尾号是7", "papers"),
        ("When was I born?", "I turn thirty in June.", "birthday"),
        ("我最喜欢的颜色是什么", "给我买了件墨绿的毛衣", "colour"),
        ("我属什么", "我属牛", "star_sign"),
        ("我的血型", "验出来是AB型", "blood"),
        ("我开的什么车", "昨天去充电桩排队", "vehicle"),
        ("我会弹什么乐器", "最近在学二胡", "instrument"),
        ("我小学在哪里读的", "跟初中同学聚了聚", "schooling"),
    ],
)
def test_a_particular_is_asked_for_and_told(prompt: str, line: str, particular: str) -> None:
    assert particulars_asked_for(prompt) == (particular,)
    assert tells(particular, line)
    assert not tells(particular, "We moved to Lisbon. 我们搬到了里斯本")


def test_what_is_wide_or_of_others_is_no_particular() -> None:
    for prompt in (
        "What's my favourite book?",
        "What colour is the sky?",
        "我儿子多高",
        "我的手机是什么型号",
    ):
        assert particulars_asked_for(prompt) == ()


@pytest.mark.parametrize(
    ("text", "general"),
    [
        ("Can you explain how a heat pump works?", True),
        ("Explain compound interest to me", True),
        ("帮我解释一下什么是热泵", True),
        ("鸡蛋煮几分钟", True),
        ("把早上好翻译成意大利语", True),
        ("How do I tell my boss?", False),
        ("保姆不干了，哪里找托管班", False),
        ("我的快递怎么还没到", False),
        ("豆豆查出来乳糖不耐", False),
        ("got an offer, start in january", False),
    ],
)
def test_what_is_asked_of_nobodys_life_is_general(text: str, *, general: bool) -> None:
    assert asks_in_general(text) is general
