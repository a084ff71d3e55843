"""Tests of revisions.py."""

import pytest

from anamnesis_libs import errors
from anamnesis_libs.revisions import Revision, parse_revision, reaches

_LIFE = "0123456789abcdef0123"
_OTHER = "f" * 20


@pytest.mark.parametrize(
    ("revision", "asked", "reached"),
    [
        (f"{_LIFE}-a", f"{_LIFE}-9", True),
        (f"{_LIFE}-10", f"{_LIFE}-f", True),
        (f"{_LIFE}-9", f"{_LIFE}-9", True),
        (f"{_LIFE}-9", f"{_LIFE}-a", False),
        (f"{_OTHER}-ff", f"{_LIFE}-1", False),
    ],
)
def test_numbers_are_compared_within_one_life(revision: str, asked: str, reached: bool) -> None:
    assert reaches(revision, asked) is reached


@pytest.mark.parametrize("revision", ["", "ab-1", _LIFE, f"{_LIFE}-", f"{_LIFE}-xyz"])
def test_what_is_no_revision_is_a_fault(revision: str) -> None:
    with pytest.raises(errors.Internal):
        reaches(revision, f"{_LIFE}-1")


def test_a_token_is_read_as_it_was_written() -> None:
    revision = Revision(_LIFE, 4711)
    assert str(revision) == f"{_LIFE}-1267"
    assert parse_revision(str(revision)) == revision
