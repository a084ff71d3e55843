"""Questions about their asker in the third person, put into the first."""

import pytest

from anamnesis_retrieval.ranking.first_person import in_first_person, may_name_asker

NAMES = ("Sharon Brown", "will", "张伟")


@pytest.mark.parametrize(
    ("query", "own"),
    [
        ("What was Sharon Brown's job title?", "What was my job title?"),
        ("Which gym does Sharon use with her son?", "Which gym do I use with my son?"),
        (
            "What has Sharon Brown taken into her routine as of May 25, 2031?",
            "What have I taken into my routine as of May 25, 2031?",
        ),
        ("Where does Will live?", "Where do I live?"),
        ("Is Sharon Brown retired?", "Am I retired?"),
        ("Recommend a film for Sharon.", "Recommend a film for me."),
        ("What is the user allergic to?", "What am I allergic to?"),
        ("Where does the user live?", "Where do I live?"),
        ("Which plan does this customer have?", "Which plan do I have?"),
        ("该患者对什么过敏？", "我对什么过敏？"),
        ("the user's wife's name", "my wife's name"),
        ("user dietary restrictions", "my dietary restrictions"),
        ("User's favorite food", "my favorite food"),
        ("用户住在哪里？", "我住在哪里？"),
        ("张伟的猫叫什么名字？", "我的猫叫什么名字？"),
    ],
)
def test_who_asks_is_spoken_of_as_i(query: str, own: str) -> None:
    assert in_first_person(query, NAMES) == own


@pytest.mark.parametrize(
    "query",
    [
        "What did the user want for the theme?",
        "Which rule did the user lay down?",
        "What does the customer table hold?",
        "How do I add a user to the database?",
        "Which user table holds the e-mails?",
        "user likes jazz",
        "What does Sharona like?",
        "Where does Sharon Jackson live?",
        "Will it rain in Mark?",
        "What will happen on the road?",
        "Where do I live?",
        "How many users signed up?",
    ],
)
def test_what_is_of_others_or_of_a_log_stays(query: str) -> None:
    assert in_first_person(query, NAMES) == query


def test_words_for_somebody_else_who_is_named_stay() -> None:
    query = "Does Sharon know Donald and his wife?"
    assert in_first_person(query, NAMES) == "Do I know Donald and his wife?"


def test_a_name_is_looked_up_only_where_one_may_stand() -> None:
    assert may_name_asker("What does Sharon like?")
    assert may_name_asker("张伟喜欢什么？")
    assert not may_name_asker("What is the user's name?")
    assert not may_name_asker("Where did I meet Sharon?")
