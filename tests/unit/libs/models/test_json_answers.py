"""Tests of models/json_answers.py: what is read, what is not, what breaks a schema."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from referencing.exceptions import Unresolvable

from anamnesis_libs.models.chat import Json, JsonSchema
from anamnesis_libs.models.json_answers import VIOLATIONS_MAX, Unreadable, read, violations

READ = {
    "bare": '{"a": [1, "zwei", null]}',
    "in space": '\ufeff \n{"a": [1, "zwei", null]}\n\n',
    "a fence": '```json\n{"a": [1, "zwei", null]}\n```',
    "a fence without a language": '```\n{"a": [1, "zwei", null]}\n```\n',
    "an unfinished fence behind it": '{"a": [1, "zwei", null]}\n```',
    "prose, a fence, prose": 'Sure!\n\n```json\n{"a": [1, "zwei", null]}\n```\nDone.',
    "prose after it": '{"a": [1, "zwei", null]}\n\nThat is all [1].',
    "thinking": '<think>{"a": 0}</think>{"a": [1, "zwei", null]}',
    "thinking, not opened": 'I see {"a": 0}.\n</think>\n\n{"a": [1, "zwei", null]}',
    "thinking, then a fence": '<thinking>\n```\n1\n```\n</thinking>\n```json\n{"a": [1, "zwei", '
    "null]}\n```",
}
UNREADABLE = {
    "nothing": ("", "does not begin"),
    "prose": ("I cannot do that.", "does not begin"),
    "prose before it": ('The answer is {"a": 1}', "does not begin"),
    "a scalar": ("42", "does not begin"),
    "thinking without an end": ('<think>{"a": 1}', "does not begin"),
    "cut": ('{"a": [1, 2', "line 1, column 12"),
    "cut in a fence": ('```json\n{"a": [1, 2', "does not begin"),
    "a bad escape": (r'{"path": "C:\dir"}', r"Invalid \\escape"),
    "single quotes": ("{'a': 1}", "property name"),
    "a comma too many": ('{"a": 1,}', "line 1"),
    "a line break in a string": ('{"a": "1\n2"}', "control character"),
    "no number": ('{"a": NaN}', "NaN is not JSON"),
    "no end": ('{"a": -Infinity}', "-Infinity is not JSON"),
    "beyond a double": ('{"a": 1e999}', "too large"),
    "five thousand digits": (f'{{"a": {"9" * 5000}}}', "too large"),
    "half a character": (r'{"a": "\ud83d"}', "half a character"),
    "a name twice": ('{"a": [], "a": [1]}', "same name twice"),
    "too deep": ("[" * 100_000, "nested too deeply"),
    "a second thought": ('{"a": []}\nWait: {"a": [1]}', "second document"),
}
SCHEMA: JsonSchema = {
    "type": "object",
    "properties": {"n": {"type": "integer", "minimum": 1}, "who": {"enum": ["ann", "bob"]}},
    "required": ["n", "who"],
    "additionalProperties": False,
}


@pytest.mark.parametrize("text", READ.values(), ids=READ.keys())
def test_a_document_is_found_in_what_is_around_it(text: str) -> None:
    assert read(text) == {"a": [1, "zwei", None]}


@pytest.mark.parametrize(("text", "told"), UNREADABLE.values(), ids=UNREADABLE.keys())
def test_what_is_not_one_whole_document_is_not_guessed_at(text: str, told: str) -> None:
    with pytest.raises(Unreadable, match=told):
        read(text)


def test_marks_inside_strings_are_text() -> None:
    document = {"a": "```json\n{}\n```</think>", "b": "</thinking> {"}
    assert read(json.dumps(document)) == document


def documents_of(inner: st.SearchStrategy[Json]) -> st.SearchStrategy[Json]:
    return st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5)


SCALARS = st.none() | st.booleans() | st.integers(-(10**15), 10**15) | st.text()


@given(documents_of(st.recursive(SCALARS, documents_of, max_leaves=8)))
def test_whatever_is_written_as_json_is_read_back(value: Json) -> None:
    text = json.dumps(value, ensure_ascii=False)
    assert read(text) == value
    assert read(f"<think>hm</think>\n```json\n{text}\n```") == value


@given(st.text(alphabet='{}[]",:\\`0 \nabtu</>hink', max_size=60))
def test_any_text_is_a_document_or_unreadable(text: str) -> None:
    try:
        value = read(text)
    except Unreadable:
        return
    assert json.loads(json.dumps(value)) == value


def test_a_value_that_fits_has_no_violations() -> None:
    assert violations({"n": 1, "who": "ann"}, SCHEMA) == ()


def test_every_violation_is_told_with_its_place() -> None:
    found = violations({"n": 0, "who": "eve", "secret": 1}, SCHEMA)
    assert [each.rule for each in found] == [
        "$.n: minimum",
        "$.who: enum",
        "$: additionalProperties",
    ]
    assert "0 is less than the minimum of 1" in found[0].told
    assert "'eve' is not one of" in found[1].told


def test_no_violation_is_endless_and_there_are_never_too_many() -> None:
    each: JsonSchema = {"type": "array", "items": {"type": "integer"}}
    wrong: list[Json] = ["x" * 10_000, *(f"y{n}" for n in range(100))]
    found = violations(wrong, each)
    assert len(found) == VIOLATIONS_MAX
    assert max(len(one.told) for one in found) < 400


def test_a_schema_is_never_fetched() -> None:
    with pytest.raises(Unresolvable):
        violations({}, {"$ref": "http://127.0.0.1:9/schema.json"})
