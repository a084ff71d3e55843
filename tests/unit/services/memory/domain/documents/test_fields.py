"""Fields of a value by an expression."""

import pytest

from anamnesis_memory.domain.documents.fields import field_path

VALUE = {
    "title": "T",
    "author": {"name": "N", "a b": 1},
    "parts": [{"text": "p0"}, {"text": "p1"}, "p2"],
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$", [VALUE]),
        ("title", ["T"]),
        ("author.name", ["N"]),
        ("author.a b", [1]),
        ("author.absent", []),
        ("title.name", []),
        ("parts[0].text", ["p0"]),
        ("parts[-1]", ["p2"]),
        ("parts[3]", []),
        ("parts[-4]", []),
        ("parts[*].text", ["p0", "p1"]),
        ("parts.*.text", ["p0", "p1"]),
        ("author.*", ["N", 1]),
        ("author[*]", []),
        ("{title, author.name,absent}", ["T", "N"]),
    ],
)
def test_a_path_leads_to_values(text: str, expected: list[object]) -> None:
    assert list(field_path(text).values_in(VALUE)) == expected


@pytest.mark.parametrize("text", ["a..b", ".a", "a[", "a[x]", "a]", "{a", "{a,}", "a.", "[0"])
def test_what_is_no_path_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="path"):
        field_path(text)
