"""Values of documents, and the text that is searched of them."""

import pytest

from anamnesis_memory.domain.documents.fields import field_path
from anamnesis_memory.domain.documents.values import parsed, parsed_object, searchable_text


@pytest.mark.parametrize(
    "text", ["", "{", "NaN", "[Infinity]", "1e999", "[" * 70 + "]" * 70, "[" * 9999, '{"a":-1e999}']
)
def test_what_cannot_be_kept_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parsed(text)


def test_a_document_is_an_object() -> None:
    assert parsed_object('{"a": [1, 2.5, null, true, "x"]}') == {"a": [1, 2.5, None, True, "x"]}
    for text in ("[]", "null", '"a"', "1"):
        with pytest.raises(ValueError, match="object"):
            parsed_object(text)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ((), "food: pizza\nn: 3\nlist: a\nlist: b\nin.deep: c\nyes: true"),
        (("food", "list[*]", "absent"), "pizza\na\nb"),
        (("in",), "deep: c"),
        (("list",), "a\nb"),
        (("none", "blank"), ""),
        (("$",), "food: pizza\nn: 3\nlist: a\nlist: b\nin.deep: c\nyes: true"),
    ],
)
def test_the_text_is_what_the_fields_hold(fields: tuple[str, ...], expected: str) -> None:
    value = {
        "food": "pizza",
        "n": 3,
        "list": ["a", "b"],
        "in": {"deep": "c"},
        "yes": True,
        "none": None,
        "blank": " ",
    }
    assert searchable_text(value, tuple(map(field_path, fields))) == expected
