"""Tests of labels.py."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_cluster.labels import LABEL_CHARS_MAX, label_of
from anamnesis_cluster.model import Lesson


@pytest.mark.parametrize(
    ("title", "text", "label"),
    [
        ("  Pin the\nversions ", "Anything.", "Pin the versions"),
        (
            "",
            "When the migration fails, run the migration again with a longer lock timeout.",
            "migration fails longer timeout",
        ),
        ("", "部署失敗時，先檢查設定檔。", "部署失敗時"),
        ("", "42 !!", "42 !!"),
        ("x" * 200, "", "x" * 79 + "…"),
    ],
)
def test_a_label_names_the_matter(title: str, text: str, label: str) -> None:
    assert label_of(Lesson("m", "shared", text, title=title)) == label


@given(title=st.text(max_size=300), text=st.text(max_size=300))
def test_a_label_is_short_and_on_one_line(title: str, text: str) -> None:
    label = label_of(Lesson("m", "shared", text, title=title))
    assert len(label) <= LABEL_CHARS_MAX
    assert "\n" not in label
    assert label == label_of(Lesson("m", "shared", text, title=title))
