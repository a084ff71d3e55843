"""Tests of context/evidence.py: what a Chinese question's vector says, where one is read."""

import pytest

from anamnesis_retrieval.context.asked import read_prompt
from anamnesis_retrieval.context.evidence import judge_of
from anamnesis_retrieval.model import Candidate, ScopeShape
from tests.support.small_memory import Said, remembered

QUESTION = "宠物是什么动物"
LINE = "家里养了一只橘猫"


def speaks(question: str, cosine: float, *, reads_cjk: bool, size: int = 200) -> bool:
    """True if a line that shares no character is enough for a context to speak."""
    scope = ScopeShape(size=size, reads_cjk=reads_cjk)
    memory = remembered(0, Said(LINE))
    judge = judge_of(read_prompt(question, scope), scope, [memory])
    return judge.speaks(judge.all_evidence([(Candidate("m0", cosine=cosine), memory)]))


@pytest.mark.parametrize(("cosine", "told"), [(0.1, False), (0.3, False), (0.55, True)])
def test_a_near_vector_speaks_where_vectors_read_chinese(cosine: float, told: bool) -> None:
    assert speaks(QUESTION, cosine, reads_cjk=True) is told


def test_the_vector_of_an_english_model_says_nothing_of_chinese() -> None:
    assert not speaks(QUESTION, 0.9, reads_cjk=False)


def test_a_larger_scope_wants_a_nearer_vector() -> None:
    assert speaks(QUESTION, 0.46, reads_cjk=True, size=10)
    assert not speaks(QUESTION, 0.46, reads_cjk=True, size=10_000)


def test_english_questions_do_not_ask_which_vectors_there_are() -> None:
    question = "Which animal lives with us?"
    for cosine in (0.2, 0.3, 0.4, 0.5, 0.6):
        assert speaks(question, cosine, reads_cjk=True) is speaks(question, cosine, reads_cjk=False)


@pytest.mark.parametrize(
    ("cosine", "matched", "told"),
    [(0.45, 2, True), (0.05, 2, False), (0.0, 2, True), (0.0, 1, False)],
)
def test_words_alone_speak_where_a_memory_has_no_vector_yet(
    cosine: float, matched: int, told: bool
) -> None:
    scope = ScopeShape(size=300, term_weights=(3.0, 3.0, 3.0))
    found = Candidate("m0", cosine=cosine, matched_terms=frozenset(range(matched)))
    memory = remembered(0, Said("The hotel is by the sea, with a shuttle."))
    judge = judge_of(read_prompt("Which hotel has a shuttle bus?", scope), scope, [memory])
    assert judge.speaks(judge.all_evidence([(found, memory)])) is told


@pytest.mark.parametrize(
    ("question", "told", "speaks"),
    [
        ("Where does my brother work?", "I work at a bank in Leeds.", False),
        ("Where does my brother work?", "My brother and I work at a bank in Leeds.", True),
        ("Where does my brother work?", "My sister and I work at a bank in Leeds.", False),
        ("Where do I work?", "I work at a bank in Leeds.", True),
        ("我姐姐在哪里上班？", "我在成都的医院上班", False),
        ("我姐姐在哪里上班？", "我妹妹在成都的医院上班", True),
        ("我在哪里上班？", "我在成都的医院上班", True),
        ("What's my blood type?", "I work at a bank in Leeds.", False),
        ("What's my blood type?", "They say I'm group O.", True),
        ("我的车牌号是多少", "我在成都的医院上班", False),
        ("孩子爸爸的手机号", "孩子爸爸在成都上班", False),
        ("我家养狗了吗", "我在成都的医院上班", False),
        ("我家养狗了吗", "我家有只柯基", True),
        ("What's my height and my shoe size?", "They say I am 184 cm tall.", True),
    ],
)
def test_nothing_is_said_of_a_relative_or_a_particular_that_is_untold(
    question: str, told: str, speaks: bool
) -> None:
    scope = ScopeShape(size=12, reads_cjk=True)
    memory = remembered(0, Said(told))
    judge = judge_of(read_prompt(question, scope), scope, [memory])
    assert judge.speaks(judge.all_evidence([(Candidate("m0", cosine=0.3), memory)])) is speaks


@pytest.mark.parametrize(
    ("question", "size", "speaks"),
    [
        ("Who sorts the rota at my old place?", 28, True),
        ("谁还欠我多少", 28, True),
        ("现在找谁修车", 28, True),
        ("Who sorts the rota at my old place?", 280, False),
        ("Who sorts the rota at that place?", 28, False),
        ("Who is my brother's boss?", 28, False),
        ("Write a limerick about my old place.", 28, False),
        ("brb, thx!", 28, False),
    ],
)
def test_who_asks_of_their_own_life_is_told_all_of_a_small_memory(
    question: str, size: int, speaks: bool
) -> None:
    scope = ScopeShape(size=size, reads_cjk=True)
    memory = remembered(0, Said("The kettle is on."))
    judge = judge_of(read_prompt(question, scope), scope, [memory])
    assert judge.speaks(judge.all_evidence([(Candidate("m0", cosine=0.0), memory)])) is speaks


@pytest.mark.parametrize(("absent", "speaks"), [(("kafka",), False), ((), True)])
def test_a_name_among_chinese_words_that_a_scope_lacks_is_a_strangers(
    absent: tuple[str, ...], speaks: bool
) -> None:
    scope = ScopeShape(size=12, reads_cjk=True, absent=absent)
    memory = remembered(0, Said("我们的数据库是MySQL"))
    judge = judge_of(read_prompt("我们的Kafka有几个分区", scope), scope, [memory])
    assert judge.speaks(judge.all_evidence([(Candidate("m0", cosine=0.3), memory)])) is speaks
