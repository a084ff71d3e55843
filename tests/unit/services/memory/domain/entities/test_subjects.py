"""Tests of which subjects of facts are names."""

import pytest

from anamnesis_memory.domain.entities.subjects import is_anybody, names_one


@pytest.mark.parametrize(
    "subject",
    "I we You he She it they ME myself the_user User assistant The_Assistant everyone someone this "
    "ourselves 我 我们 你 您 他 她 他们 用户 助手 大家 自己".replace("ME", "me").split(),
)
def test_a_pronoun_or_a_role_names_nobody(subject: str) -> None:
    assert is_anybody(subject.replace("_", " "))
    assert not names_one(subject.replace("_", " "))


@pytest.mark.parametrize(
    "subject",
    [
        "the book that I read last week",
        "what happened at the meeting",
        "the server was down",
        "Mara said no; Piet agreed",
        "我们上周去的那家餐厅，很好吃",
        "上个星期我们和王老师一起去的那家开在河边的小餐厅",
        "a very long description of a thing that never ends",
        "the quarterly report on sales of garden furniture in northern towns",
        "one two three four five six seven eight nine",
    ],
)
def test_a_clause_names_nothing(subject: str) -> None:
    assert not names_one(subject)


@pytest.mark.parametrize(
    "subject",
    [
        "Mara Lopez",
        "US",
        "IT",
        "The Who",
        "Will Smith",
        "will smith",
        "中国科学院计算技术研究所",
        "You Xiaohong",
        "Userland",
        "user service",
        "Portland, Oregon",
        "J. K. Marlow",
        "Dr. Mara Lopez",
        "项目甲",
        "我爱我家",
        "my sister",
        "the national museum of natural history in Lisbon",
        "<PERSON_3f9a1c07>",
    ],
)
def test_a_name_is_one(subject: str) -> None:
    assert names_one(subject)
