"""JSON documents in what models write, and whether they fit their schema.

Read is what real models send: a document, alone, behind its thinking, in a fence, or with
prose after it. What is broken is not mended here: that is for the model, which knows what it
meant.
"""

import json
import re
from dataclasses import dataclass
from typing import NoReturn, cast

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from referencing import Registry

from anamnesis_libs.models.chat import Json, JsonSchema

VIOLATIONS_MAX = 10
_TOLD_CHARS_MAX = 300
_TOO_DEEP = "the document is nested too deeply"
_THINKING_ENDS = re.compile(r"</think(?:ing)?>")
_FENCED = re.compile(r"^[ \t]*```\w*[ \t]*\n(.*?)^[ \t]*```", re.DOTALL | re.MULTILINE)


class Unreadable(ValueError):
    """The answer is no JSON document, or not a whole and sound one; its text is never quoted."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One way in which an answer breaks its schema."""

    rule: str
    """Path and rule, without a word of the answer: `$.facts[0].kind: enum`."""
    told: str
    """The violation for the model, with the text that broke the rule."""


def read(text: str) -> Json:
    """The first JSON document, an object or an array, of a model's answer.

    Raises:
        Unreadable: none stands where one may, it is broken or holds what JSON does not know
            (NaN, a name twice, half a surrogate pair), or another object follows it.
    """
    document = _unwrapped(text)
    try:
        value, end = _DECODER.raw_decode(document)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except Unreadable:
        raise
    except json.JSONDecodeError as error:
        raise Unreadable(f"{error.msg} at line {error.lineno}, column {error.colno}") from None
    except ValueError:
        raise Unreadable("a number is too large, or a string holds half a character") from None
    except RecursionError:
        raise Unreadable(_TOO_DEEP) from None
    if "{" in document[end:]:
        raise Unreadable("something like a second document follows the first")
    return cast("Json", value)


def violations(value: Json, schema: JsonSchema) -> tuple[Violation, ...]:
    """Violations of the schema by the value, at most ten; none if it fits."""
    validator = Draft202012Validator(dict(schema), registry=Registry())
    try:
        found = {_violation(error) for error in validator.iter_errors(value)}
    except RecursionError:
        return (Violation(f"$: {_TOO_DEEP}", f"$: {_TOO_DEEP}"),)
    return tuple(sorted(found, key=lambda each: (each.rule, each.told))[:VIOLATIONS_MAX])


def _violation(error: ValidationError) -> Violation:
    rule = f"{error.json_path}: {error.validator}"
    return Violation(rule, f"{error.json_path}: {error.message[:_TOLD_CHARS_MAX]}")


def _unwrapped(text: str) -> str:
    """The text from where the document should begin."""
    text = _after_thinking(text.lstrip("\ufeff \t\r\n"))
    if not text.startswith(("{", "[")):
        fenced = _FENCED.search(text)
        text = fenced[1].strip() if fenced else text
    if not text.startswith(("{", "[")):
        raise Unreadable("the answer does not begin with a JSON document")
    return text


def _after_thinking(text: str) -> str:
    """The text behind the closing tag of thinking; some servers leave out the opening tag."""
    if text.startswith(("{", "[", "```")):
        return text
    ends = _THINKING_ENDS.search(text)
    return text[ends.end() :].lstrip() if ends else text


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    named = dict(pairs)
    if len(named) < len(pairs):
        raise Unreadable("an object has the same name twice")
    return named


def _no_constant(name: str) -> NoReturn:
    raise Unreadable(f"{name} is not JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant)
