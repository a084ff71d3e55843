"""Whose something is where it is several people's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_libs.participants import (
    is_of,
    is_of_several,
    only_user,
    participants,
    several,
    together,
)

NAMES = st.text(st.characters(exclude_characters="␟", codec="utf-8"), min_size=1, max_size=4)


@given(st.lists(NAMES, max_size=5))
def test_whoever_is_among_them_is_found_and_nobody_else(users: list[str]) -> None:
    owner = together(users)
    assert participants(owner) == tuple(sorted(set(users)))
    assert is_of_several(owner) == (len(set(users)) > 1)
    assert all(is_of(owner, user) for user in users)
    assert not is_of(owner, "")
    for other in ("x" + "".join(users), "ad", "a"):
        assert is_of(owner, other) == (other in users)


def test_an_owner_is_one_or_several() -> None:
    assert (only_user("ada"), several("ada")) == ("ada", ())
    assert (only_user("␟ada␟bo␟"), several("␟ada␟bo␟")) == ("", ("ada", "bo"))
    assert together(["bo", "ada", "bo", ""]) == "␟ada␟bo␟"


@pytest.mark.parametrize("users", [[], [""], ["", ""]])
def test_nobody_is_nobody(users: list[str]) -> None:
    assert together(users) == ""
    assert participants("") == ()
