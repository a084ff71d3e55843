"""Tests of ranking/language.py: Latin names in a Chinese question leave it Chinese."""

import pytest

from anamnesis_retrieval.ranking.language import is_cjk


@pytest.mark.parametrize(
    ("text", "chinese"),
    [
        ("React的useEffect怎么用", True),
        ("我们后端用的是FastAPI吗", True),
        ("我家的猫叫什么", True),
        ("What does 你好 mean in the docs?", False),
        ("How does useEffect work?", False),
        ("", False),
    ],
)
def test_a_question_is_chinese_by_its_signs(text: str, chinese: bool) -> None:
    assert is_cjk(text) is chinese
