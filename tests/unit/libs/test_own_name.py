"""Whose name on lines of talk a user's id spells."""

import pytest

from anamnesis_libs.own_name import spelled_name

NAMES = ("Maya Lindqvist", "David Chen", "David Okafor", "李静", "Anna", "R2")


@pytest.mark.parametrize(
    ("user_id", "name"),
    [
        ("maya", "Maya Lindqvist"),
        ("Maya Lindqvist", "Maya Lindqvist"),
        ("maya.lindqvist@example.com", "Maya Lindqvist"),
        ("maya_l", "Maya Lindqvist"),
        ("mlindqvist", "Maya Lindqvist"),
        ("davidc", "David Chen"),
        ("david-o", "David Okafor"),
        ("李静", "李静"),
        ("david", ""),
        ("ann", ""),
        ("annabel", ""),
        ("lijing", ""),
        ("u-4711", ""),
        ("", ""),
        ("r", ""),
    ],
)
def test_an_id_spells_one_name_or_none(user_id: str, name: str) -> None:
    assert spelled_name(user_id, NAMES) == name


def test_a_name_as_a_whole_goes_before_one_that_begins_so() -> None:
    assert spelled_name("maya", ("Maya Lindqvist", "Maya")) == "Maya"
    assert spelled_name("maya", ("Maya Lindqvist", "Maya Roth")) == ""
