"""Labels name the matter of a lesson, short and on one line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_libs.topic_labels import LABEL_CHARS_MAX, topic_label


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
        (
            "It crashes. Yesterday two people could not pay.",
            "The payment form crashes where the card has expired.",
            "crashes yesterday payment expired",
        ),
    ],
)
def test_a_label_names_the_matter(title: str, text: str, label: str) -> None:
    assert topic_label(title, text) == label


@given(title=st.text(max_size=300), text=st.text(max_size=300))
def test_a_label_is_short_and_on_one_line(title: str, text: str) -> None:
    label = topic_label(title, text)
    assert len(label) <= LABEL_CHARS_MAX
    assert "\n" not in label
    assert label == topic_label(title, text)
