"""Tests of revisions.py."""

import pytest

from anamnesis_cluster.revisions import reaches
from anamnesis_libs import errors


@pytest.mark.parametrize(
    ("revision", "asked", "reached"),
    [
        ("ab-a", "ab-9", True),
        ("ab-10", "ab-f", True),
        ("ab-9", "ab-9", True),
        ("ab-9", "ab-a", False),
        ("cd-ff", "ab-1", False),
    ],
)
def test_numbers_are_compared_within_one_life(revision: str, asked: str, reached: bool) -> None:
    assert reaches(revision, asked) is reached


@pytest.mark.parametrize("revision", ["", "ab", "ab-", "ab-xyz"])
def test_what_is_no_revision_is_a_fault(revision: str) -> None:
    with pytest.raises(errors.Internal):
        reaches(revision, "ab-1")
