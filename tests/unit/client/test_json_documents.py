"""Documents as values: changes and conditions."""

from datetime import timedelta

import pytest

from anamnesis_client import DocumentPut, InvalidArgument
from anamnesis_client.json_documents import Json, change_of, conditions_of


def told(where: Json) -> list[tuple[str, int, str]]:
    return [(".".join(one.field), one.operator, one.value) for one in conditions_of(where)]


def test_a_filter_is_conditions() -> None:
    where = {"a": 1, "b": {"$gt": 2, "$lte": 3.5}, "c": {"d": {"e": "x"}}, "f": [1], "g": {}}
    assert told(where) == [
        ("a", 1, "1"),
        ("b", 3, "2"),
        ("b", 6, "3.5"),
        ("c.d.e", 1, '"x"'),
        ("f", 1, "[1]"),
        ("g", 1, "{}"),
    ]
    assert told({}) == []


@pytest.mark.parametrize(
    "where", [{"a": {"$in": [1]}}, {"$gt": 1}, {"a": {"$gt": 1, "b": 2}}, {"a": {1, 2}}]
)
def test_what_is_no_filter_is_refused(where: Json) -> None:
    with pytest.raises(InvalidArgument, match="where"):
        conditions_of(where)


def test_what_a_put_says() -> None:
    assert change_of(DocumentPut(("p",), "k", None)).delete
    every = change_of(DocumentPut(["p", "q"], "k", {"a": "ü"}, ttl=timedelta(minutes=1.5)))
    assert (list(every.name.path), every.value, every.ttl.seconds) == (["p", "q"], '{"a": "ü"}', 90)
    assert (list(every.search_fields), every.unsearchable) == ([], False)
    some = change_of(DocumentPut((), "k", {}, search=["a"]))
    assert (list(some.search_fields), some.unsearchable) == (["a"], False)
    assert change_of(DocumentPut((), "k", {}, search=[])).unsearchable
    for value in ({"a": float("nan")}, {"a": object()}):
        with pytest.raises(InvalidArgument, match="value"):
            change_of(DocumentPut((), "k", value))
