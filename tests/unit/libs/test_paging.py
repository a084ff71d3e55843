"""Tests of paging.py: sizes are coerced, tokens go back to their own query only."""

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_libs.errors import InvalidArgument
from anamnesis_libs.paging import SortKey, read_page

QUERY = b"namespace=a;tag=x"

keys = st.lists(
    st.text(max_size=20) | st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=3
).map(tuple)


@pytest.mark.parametrize(("asked", "given_size"), [(0, 50), (1, 1), (500, 500), (501, 500)])
def test_page_size_is_coerced(asked: int, given_size: int) -> None:
    assert read_page(asked, "", QUERY).size == given_size


def test_a_negative_page_size_is_refused() -> None:
    with pytest.raises(InvalidArgument) as refused:
        read_page(-1, "", QUERY)
    assert [v.field for v in refused.value.violations] == ["page_size"]


def test_the_first_page_starts_at_the_beginning() -> None:
    assert read_page(10, "", QUERY).after is None


@given(keys)
def test_a_token_gives_its_key_back(key: SortKey) -> None:
    token = read_page(10, "", QUERY).next_token(key)
    assert read_page(10, token, QUERY, (str,), tuple(map(type, key))).after == key


def test_another_page_size_may_use_the_token() -> None:
    token = read_page(10, "", QUERY).next_token((5,))
    assert read_page(20, token, QUERY, (int,)).after == (5,)


@pytest.mark.parametrize(
    "token",
    [
        "nonsense",
        "%%%%",
        "ü",
        "x" * 5000,
        base64.urlsafe_b64encode(b"[1]").decode(),
        base64.urlsafe_b64encode(b"[" * 3000).decode(),
        base64.urlsafe_b64encode(b'["d",{"a":1}]').decode(),
        base64.urlsafe_b64encode(b'["d",[null]]').decode(),
        base64.urlsafe_b64encode(b"\xff\xfe").decode(),
    ],
)
def test_what_is_no_token_is_refused(token: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        read_page(10, token, QUERY)
    assert refused.value.reason == "PAGE_TOKEN_INVALID"
    assert [v.field for v in refused.value.violations] == ["page_token"]


def test_a_token_of_another_query_is_refused() -> None:
    token = read_page(10, "", QUERY).next_token((5,))
    with pytest.raises(InvalidArgument) as refused:
        read_page(10, token, b"namespace=b")
    assert refused.value.reason == "PAGE_TOKEN_INVALID"
    assert "another query" in refused.value.message


@pytest.mark.parametrize(
    "key",
    [(), (5,), ("a", 5, 1), (5, "a"), ("a", 5.0), ("a", True), ("a", None), ("a", [5]),
     ("a", 2**63), ("a", -(2**63) - 1), ("a", 10**400), ("\ud800", 5)],
)  # fmt: skip
def test_a_key_that_the_list_never_gave_is_refused(key: tuple[object, ...]) -> None:
    page = read_page(10, "", QUERY)
    text = json.dumps([page.digest, [*key]]).encode()
    forged = base64.urlsafe_b64encode(text).decode().rstrip("=")
    with pytest.raises(InvalidArgument) as refused:
        read_page(10, forged, QUERY, (str, int))
    assert refused.value.reason == "PAGE_TOKEN_INVALID"
