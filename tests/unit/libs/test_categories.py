"""The category of a lesson follows from its words; the graver one wins."""

import pytest

from anamnesis_libs.categories import category_of, is_security


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("CVE-2024-1 in the parser", "security"),
        ("cve-2023-44487 needs a newer proxy", "security"),
        ("an XSS hole", "security"),
        ("发现一个漏洞", "security"),
        ("Traceback of the job", "error"),
        ("TRACEBACK (most recent call last)", "error"),
        ("启动就报错", "error"),
        ("KeyError in the loader", "error"),
        ("a NullPointerException at start", "error"),
        ("Traceback after the XSS fix", "security"),
        ("修复漏洞之后又报错", "security"),
        ("warm the kiln", "pattern"),
        ("先预热再上釉", "pattern"),
        ("", "pattern"),
        ("the client prefers blue", "preference"),
        ("客户喜欢蓝色", "preference"),
        ("不对，是周五", "correction"),
        ("That's wrong, it is on Friday", "correction"),
        ("the kids have swimming on Monday", "life"),
        ("孩子周一游泳", "life"),
    ],
)
def test_the_category_follows_from_the_words(text: str, category: str) -> None:
    assert category_of(text) == category


@pytest.mark.parametrize("text", ["the maxssize option", "the terror of flying", "likewise"])
def test_a_part_of_a_word_decides_nothing(text: str) -> None:
    assert category_of(text) == "pattern"


def test_security_is_told_apart() -> None:
    assert is_security("the leaked token must be rotated")
    assert not is_security("the token ring")
