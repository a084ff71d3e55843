"""Tests of talk/topics.py: the matters of everyday life that a text speaks of."""

import tomllib

import pytest

from anamnesis_libs.index.analysis import tokens
from anamnesis_libs.talk.phrases import DATA, LANGUAGES
from anamnesis_libs.talk.topics import (
    TEXT_CHARS_MAX,
    Topics,
    related_words,
    relations_asked,
    topics_of,
)
from anamnesis_retrieval.context.versions import RELATIONS

_FILES = {
    language: tomllib.loads((DATA / f"topics.{language}.toml").read_text(encoding="utf-8"))
    for language in LANGUAGES
}


def test_every_word_is_found_as_what_it_stands_under() -> None:
    """As written, a phrase with its spaces; a Chinese list is read where there is Chinese.

    A stop word of the index is found nowhere.
    """
    for language, held in _FILES.items():
        for matter, relations in held.items():
            for relation, words in relations.items():
                for word in words.split():
                    beside = " 的" if language == "zh" else ""
                    found = topics_of(word.replace("_", " ") + beside)
                    if not tokens(word):
                        continue
                    assert matter in found.matters, f"{matter}.{relation}: {word}"
                    if relation != "any":
                        assert f"{matter}.{relation}" in found.relations, word


def test_both_languages_have_the_same_matters() -> None:
    english, chinese = _FILES["en"], _FILES["zh"]
    assert english.keys() == chinese.keys()


def test_relations_that_others_name_are_there() -> None:
    known = {
        f"{matter}.{relation}"
        for held in _FILES.values()
        for matter, relations in held.items()
        for relation in relations
    }
    assert known >= RELATIONS


@pytest.mark.parametrize(
    ("question", "answer", "relation"),
    [
        ("Where do I live?", "We moved to Porto.", "home.residence"),
        ("Who is my employer?", "I started a new job at Feedzai.", "work.job"),
        ("What does she do for a living?", "She is a nurse.", "work.job"),
        ("Am I married?", "My wife is called Inês.", "family.partner"),
        ("我住在哪里？", "我们上个月搬到了成都。", "home.residence"),
        ("我家的猫叫什么名字", "养了一只橘猫，叫团子", "pets.pet"),
        ("Where do I live?", "我们上个月搬到了成都。", "home.residence"),
    ],
)
def test_a_question_and_its_answer_share_a_relation(
    question: str, answer: str, relation: str
) -> None:
    assert relation in topics_of(question).relations & topics_of(answer).relations


def test_a_phrase_counts_as_a_whole() -> None:
    assert "work.job" in topics_of("what do you do FOR A LIVING").relations
    assert "work.job" not in topics_of("a living room for a night").relations


def test_words_of_any_relation_are_of_the_matter_alone() -> None:
    assert topics_of("the vet") == Topics(frozenset({"pets"}))


@pytest.mark.parametrize("text", ["", "quasars emit", "类星体"])
def test_other_texts_speak_of_no_matter(text: str) -> None:
    assert topics_of(text) == Topics()


def test_words_of_a_relation_are_there_to_search_with() -> None:
    words = related_words(frozenset({"home.residence"}))
    assert {"搬到", "relocate"} <= set(words.split())
    assert set(tokens("moved")) <= set(tokens(words))
    assert related_words(frozenset()) == ""
    both = related_words(frozenset({"home.residence", "work.job"}))
    assert set(both.split()) > set(words.split())


def test_of_a_long_text_the_beginning_is_read() -> None:
    assert topics_of("x " * TEXT_CHARS_MAX + "my wife") == Topics()


def test_the_way_to_work_is_not_the_job() -> None:
    assert "work.job" not in topics_of("How do I get to work?").relations
    assert "work.job" in topics_of("I want to work at the mill").relations


@pytest.mark.parametrize(
    ("text", "is_job"),
    [
        ("I joined a five-a-side team.", False),
        ("I joined Halden in May.", True),
        ("I quit Spanish, no time for it.", False),
        ("I quit my job.", True),
        ("I run a small ceramics studio in Porto.", True),
        ("I run a marathon each year.", False),
        ("医生给我开了药", False),
        ("我是医生", True),
    ],
)
def test_work_is_told_from_what_sounds_alike(text: str, is_job: bool) -> None:
    assert ("work.job" in topics_of(text).relations) is is_job


def test_a_trade_is_asked_for_without_a_word_of_it() -> None:
    assert relations_asked("So, what do I do?") == {"work.job"}
    assert "work.job" not in relations_asked("What do I do about the leak?")
