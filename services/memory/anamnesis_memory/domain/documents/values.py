"""Values of documents: JSON objects as text, and the texts in them that are searched."""

import json
import math
from collections.abc import Iterator, Mapping
from typing import NoReturn

from anamnesis_memory.domain.documents.fields import FieldPath

DEPTH_MAX = 64


def parsed(text: str) -> object:
    """The JSON value of a text.

    Raises:
        ValueError: the text is no JSON, has a number that is none, or is nested too deeply.
    """
    try:
        value: object = json.loads(text, parse_constant=_refused)
    except RecursionError as error:
        raise ValueError("is nested too deeply") from error
    _check(value, DEPTH_MAX)
    return value


def parsed_object(text: str) -> Mapping[str, object]:
    """The JSON object of a text.

    Raises:
        ValueError: the text is no JSON object, or see `parsed`.
    """
    value = parsed(text)
    if not isinstance(value, dict):
        raise ValueError("is no JSON object")
    return value


def searchable_text(value: object, fields: tuple[FieldPath, ...]) -> str:
    """The text of a value that is searched, a line each of what the fields hold.

    Without fields that is every text in the value, each behind the names that lead to it.
    """
    if not fields:
        return "\n".join(_lines(value, ""))
    found = (one for field in fields for one in field.values_in(value))
    return "\n".join(text for one in found if (text := _as_text(one)))


def _lines(value: object, name: str) -> Iterator[str]:
    match value:
        case dict():
            for key, inner in value.items():
                yield from _lines(inner, f"{name}.{key}" if name else key)
        case list():
            for inner in value:
                yield from _lines(inner, name)
        case _:
            if text := _as_text(value):
                yield f"{name}: {text}"


def _as_text(value: object) -> str:
    match value:
        case None:
            return ""
        case str():
            return value.strip()
        case dict() | list():
            return "\n".join(_lines(value, "")).removeprefix(": ").replace("\n: ", "\n")
        case _:
            return json.dumps(value)


def _refused(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON number")


def _check(value: object, depth: int) -> None:
    """Refuse what is nested too deeply, or a number that is too large to be written again."""
    if depth < 0:
        raise ValueError(f"is nested more than {DEPTH_MAX} deep")
    match value:
        case dict():
            for one in value.values():
                _check(one, depth - 1)
        case list():
            for one in value:
                _check(one, depth - 1)
        case float() if not math.isfinite(value):
            raise ValueError("has a number that is too large")
