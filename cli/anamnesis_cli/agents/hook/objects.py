"""Objects of JSON: their fields, where these are of the type that is wanted."""

import json
import os

JsonObject = dict[str, object]


def text_of(held: JsonObject, name: str) -> str:
    """A field that is a text; else ""."""
    value = held.get(name)
    return value if isinstance(value, str) else ""


def number_of(held: JsonObject, name: str) -> int:
    """A field that is a whole number; else 0."""
    value = held.get(name)
    return value if isinstance(value, int) else 0


def object_of(held: JsonObject, name: str) -> JsonObject:
    """A field that is an object; else an empty one."""
    return as_object(held.get(name))


def as_object(value: object) -> JsonObject:
    """The value, where it is an object; else an empty one."""
    return value if isinstance(value, dict) else {}


def read_object(path: str) -> JsonObject:
    """The object in a file; empty where there is no file."""
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return as_object(json.load(file))
