"""Identical is what differs in case, spaces, line breaks and width only."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_memory.dedup.normalised import DIGEST_BYTES, content_digest, normal_form


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Warm the  kiln.\n", "warm THE kiln."),
        ("ＡＢＣ １２３", "abc 123"),
        ("先预热，再上釉。", "先预热, 再上釉。"),
        ("重启worker之前", "重启 worker 之前"),
        ("Straße", "STRASSE"),
        ("e\u0301tude", "\u00e9tude"),
    ],
)
def test_writing_does_not_count(a: str, b: str) -> None:
    assert normal_form(a) == normal_form(b)


@pytest.mark.parametrize(("a", "b"), [("a b", "ab"), ("5 ms", "5 s"), ("kiln.", "kiln?")])
def test_words_do(a: str, b: str) -> None:
    assert normal_form(a) != normal_form(b)


@given(st.text())
def test_the_normal_form_of_a_normal_form_is_itself(text: str) -> None:
    assert normal_form(normal_form(text)) == normal_form(text)


def test_a_digest_belongs_to_kind_category_and_scope() -> None:
    digest = content_digest("learning", "error", "shared", "Warm the kiln")
    assert len(digest) == DIGEST_BYTES
    assert digest == content_digest("learning", "error", "shared", " warm  the KILN")
    others = {
        content_digest("semantic", "error", "shared", "Warm the kiln"),
        content_digest("learning", "pattern", "shared", "Warm the kiln"),
        content_digest("learning", "error", "agent:a", "Warm the kiln"),
        content_digest("learning", "errors", "hared", "Warm the kiln"),
    }
    assert len(others) == 4
    assert digest not in others
