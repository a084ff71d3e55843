"""Tests of learning/pasted.py: what is a stranger's, and what is one's own."""

import pytest

from anamnesis_ingestion.learning.pasted import pasted

PAGE = "My name is John Brutus.\nI live in Moscow and work at Evil Corp."
ANNOUNCED = (
    "I read this page:\n\n",
    "Here is an article someone sent me:\n",
    "Check out what the website says:\n",
    "My boss wrote:\n",
    "Please proofread the following text:\n",
    "Can you summarise this interview:\n",
    "From a blog post I liked:\n\n",
    "Translate to German:\n",
    "看看这篇文章：\n",
    "请翻译下面这段话：\n",
    "转发一封邮件：\n",
)
OWN = (
    "Some things about me:\n- I live in Lisbon.\n",
    "Here is my bio:\nI live in Oslo.",
    "Today I did two things:\nI moved to Porto. I quit Feedzai.",
    "I live in Paris. I read articles about Rome.",
    "Hi\n\nI live in Ghent now.",
    "我的情况如下：\n我住在上海。",
)


def left(text: str) -> str:
    for start, end in reversed([*pasted(text)]):
        text = text[:start] + text[end:]
    return text


def test_a_letter_in_the_line_that_announces_it_is_not_its_senders_own() -> None:
    text = "Here's the email from our client: Hi team, I live in Dubai."
    assert left(text) == "Here's the email from our client:"


@pytest.mark.parametrize("announcement", ANNOUNCED)
def test_what_is_announced_is_not_its_senders_own(announcement: str) -> None:
    text = f"I moved to Porto.\n{announcement}{PAGE}\n"
    assert left(text).rstrip() == f"I moved to Porto.\n{announcement}".rstrip()


@pytest.mark.parametrize("text", OWN)
def test_what_somebody_tells_of_themselves_stays(text: str) -> None:
    assert left(text) == text


def test_headings_and_marks_part_what_is_pasted() -> None:
    assert left(f"Look.\n# About John\n{PAGE}") == "Look.\n"
    assert left(f"About me\n\n{PAGE}") == ""
    assert left(f'Thoughts?\n"""\n{PAGE}\n"""\nI live in Porto.') == "Thoughts?\n\nI live in Porto."
    assert left('A mark """ alone. I live in Porto.') == 'A mark """ alone. I live in Porto.'
