"""Conditions on values and on paths."""

import pytest

from anamnesis_memory.domain.documents.conditions import Condition, Operator, same
from anamnesis_memory.domain.documents.paths import PathMatch, fitting, fixed_prefix


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (1, 1.0, True),
        (1, True, False),
        (0, False, False),
        (None, False, False),
        ("1", 1, False),
        ([1, {"a": 2.0}], [1.0, {"a": 2}], True),
        ([1], [1, 1], False),
        ({"a": 1}, {"a": True}, False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": None}, {}, False),
    ],
)
def test_values_are_the_same_as_json(one: object, other: object, expected: bool) -> None:
    assert same(one, other) is same(other, one) is expected


@pytest.mark.parametrize(
    ("operator", "value", "operand", "expected"),
    [
        (Operator.GREATER, 10, 9, True),
        (Operator.GREATER, 9, 9, False),
        (Operator.GREATER_OR_EQUAL, 9.0, 9, True),
        (Operator.LESS, 2**60, 2**60 + 1, True),
        (Operator.LESS_OR_EQUAL, "a", "b", True),
        (Operator.LESS, "10", 9, False),
        (Operator.GREATER, True, 0, False),
        (Operator.LESS, None, 1, False),
        (Operator.GREATER_OR_EQUAL, [1], [1], False),
    ],
)
def test_numbers_and_texts_have_an_order(
    operator: Operator,
    value: object,
    operand: object,
    expected: bool,
) -> None:
    assert Condition(("a", "b"), operator, operand).holds({"a": {"b": value}}) is expected


def test_what_is_inside_of_no_object_fits_nothing() -> None:
    for operator in Operator:
        assert not Condition(("a", "b"), operator, None).holds({"a": 1})
    assert Condition(("a", "b"), Operator.EQUAL, None).holds({"a": {}})
    assert Condition(("a", "b"), Operator.NOT_EQUAL, 1).holds({"a": {}})


def test_paths_are_cut_behind_their_conditions() -> None:
    paths = [("a", "b", "c"), ("a", "x"), ("b",), ()]
    assert fitting(paths, [PathMatch(suffix=("c",))], 1) == [("a",)]
    assert fitting(paths, [], 1) == [(), ("a",), ("b",)]
    assert fitting(paths, [PathMatch(("a", "*"), ("*", "c"))], 0) == [("a", "b", "c")]


def test_the_fixed_part_of_a_prefix_ends_at_its_first_wildcard() -> None:
    matches = [PathMatch(("a", "*", "c")), PathMatch(("a", "b")), PathMatch(suffix=("z", "z", "z"))]
    assert fixed_prefix(matches) == ("a", "b")
    assert fixed_prefix([]) == ()
