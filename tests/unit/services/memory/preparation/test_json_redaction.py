"""Redaction of what JSON says, however it is written."""

import json

import pytest

from anamnesis_libs.redaction.redactor import PolicyRedactor
from anamnesis_memory.preparation.json_redaction import TAG, JsonRedaction, written

SECRET = "sk-proj-" + "a1B2" * 10
REDACTION = JsonRedaction(lambda text: PolicyRedactor().redact(text).text)


@pytest.mark.parametrize(
    "value",
    [
        f"line\n{SECRET}",
        {"a": [{"b": f"tab\t{SECRET}"}]},
        {f"x\n{SECRET}": 1},
        {"arguments": json.dumps({"command": f"export KEY=\n{SECRET}"})},
        {"content": json.dumps({"inner": json.dumps([f"\r{SECRET}"])})},
    ],
)
def test_a_secret_behind_an_escape_is_found(value: object) -> None:
    assert SECRET not in written(REDACTION.value(json.loads(json.dumps(value))))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"password": "hunter two"}, {"password": TAG}),
        ({"password": 'odd"quote'}, {"password": TAG}),
        ({"password": 12345678}, {"password": TAG}),
        ({"token": 512}, {"token": 512}),
        ({"password": True, "secret": None}, {"password": True, "secret": None}),
        ({"passwords": ["fine"]}, {"passwords": ["fine"]}),
        ({"Authorization": "Bearer abcd"}, {"Authorization": "Bearer <REDACTED_TOKEN>"}),
    ],
)
def test_a_value_is_read_behind_its_key(value: object, expected: object) -> None:
    assert REDACTION.value(value) == expected


def test_what_holds_no_secret_stays_as_it_is_written() -> None:
    text = '{ "path":  "src/main.py",\n "lines": [1, 2.50, true, null] }'
    assert REDACTION.text(text) == text


def test_text_that_only_looks_like_json_is_cleaned_as_text() -> None:
    assert REDACTION.text("[see] " + SECRET) == "[see] <LLM_API_KEY>"
    assert REDACTION.text("[" * 100_000 + SECRET).endswith("<LLM_API_KEY>")


def test_half_a_pair_of_surrogates_is_written_as_an_escape() -> None:
    line = '{"text":"\\ud83d cut"}'
    assert written(REDACTION.value(json.loads(line))) == line
