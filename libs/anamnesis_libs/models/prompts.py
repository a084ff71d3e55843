"""Prompts are files: `name.md` says what is asked, `name.schema.json` what the answer must fit.

The name begins with the purpose: `extract_facts`, `merge`. In `name.md`, what stands before the
line `---` is the system prompt, what stands behind it the user's. Two kinds of place are filled:

    {{now}}           the value as it is: for our own words, numbers and dates
    {{fenced turns}}  text of users, between marks that it cannot write itself:
                      <turns 5c1f90ab> ... </turns 5c1f90ab>

Values are never looked at for places of their own. The mark follows from the values, so that the
same prompt is the same text, and is one that occurs in none of them.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from anamnesis_libs.errors import SetupInvalid
from anamnesis_libs.models.chat import ChatRequest, Json, JsonSchema, Purpose

SEPARATOR = "---"
_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")
_PLACE = re.compile(r"\{\{(fenced )?([a-z][a-z0-9_]*)\}\}")
_MARK_CHARS = 8


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt as read; `request` fills it."""

    name: str
    purpose: Purpose
    system: str
    user: str
    schema: JsonSchema

    @classmethod
    def load(cls, directory: Path, name: str) -> "Prompt":
        """Read `name.md` and `name.schema.json`.

        Raises:
            SetupInvalid: a file is missing or is not as this module's head says, or the schema
                is not one that strict servers take.
        """
        words = _read(directory / f"{name}.md")
        parts = re.split(rf"^{SEPARATOR}[ \t]*\n", words, flags=re.MULTILINE)
        if len(parts) != 2:
            raise SetupInvalid(f"prompt {name}: one line {SEPARATOR} must part system and user")
        if "{{" in _PLACE.sub("", words) or "{{output_tokens_max}}" in words:
            raise SetupInvalid(f"prompt {name}: a place is not {{{{name}}}} or {{{{fenced name}}}}")
        schema = _schema(directory / f"{name}.schema.json")
        system, user = (part.strip() for part in parts)
        return cls(name, _purpose(name), system, user, schema)

    @property
    def places(self) -> frozenset[str]:
        """Names of the values that the prompt wants."""
        return frozenset(name for _, name in _PLACE.findall(f"{self.system}\n{self.user}"))

    def request(self, *, output_tokens_max: int, **values: str) -> ChatRequest:
        """The prompt with these values in its places.

        Raises:
            TypeError: a value is missing, or the prompt has no place for it.
        """
        if values.keys() != self.places:
            missing = sorted(self.places - values.keys())
            unknown = sorted(values.keys() - self.places)
            raise TypeError(f"prompt {self.name}: missing {missing}, unknown {unknown}")
        mark = _mark(values.values())
        return ChatRequest(
            purpose=self.purpose,
            system=_filled(self.system, values, mark),
            user=_filled(self.user, values, mark),
            schema_name=self.name,
            schema=self.schema,
            output_tokens_max=output_tokens_max,
        )


def _filled(template: str, values: Mapping[str, str], mark: str) -> str:
    def value(place: re.Match[str]) -> str:
        fenced, name = place.groups()
        return f"<{name} {mark}>\n{values[name]}\n</{name} {mark}>" if fenced else values[name]

    return _PLACE.sub(value, template)


def _mark(values: Iterable[str]) -> str:
    """Hexadecimal digits that occur in no value: who knows how they are made gains nothing."""
    joined = "\0".join(values)
    seed = hashlib.blake2b(joined.encode("utf-8", "surrogatepass"))
    while True:
        mark = seed.hexdigest()[:_MARK_CHARS]
        if mark not in joined.lower():
            return mark
        seed.update(b"again")


def _purpose(name: str) -> Purpose:
    try:
        return Purpose(name.partition("_")[0])
    except ValueError:
        known = ", ".join(Purpose)
        raise SetupInvalid(f"prompt {name}: its name must begin with one of {known}") from None


def _read(path: Path) -> str:
    if not _NAME.fullmatch(path.name.partition(".")[0]):
        raise SetupInvalid(f"prompt {path.name}: small letters, digits and _, at most 64")
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SetupInvalid(f"cannot read the prompt file {path}: {error}") from error


def _schema(path: Path) -> JsonSchema:
    try:
        schema = json.loads(_read(path))
        Draft202012Validator.check_schema(schema)
    except (json.JSONDecodeError, SchemaError) as error:
        raise SetupInvalid(f"{path.name} is not a JSON Schema: {error.args[0]}") from error
    if not isinstance(schema, dict) or schema.get("type") != "object":
        raise SetupInvalid(f"{path.name}: the answer must be an object, servers take no other")
    for at, part in _objects(schema, "$"):
        if part.get("additionalProperties") is not False or _required(part) != _named(part):
            raise SetupInvalid(
                f"{path.name}: {at} needs additionalProperties false and every property required "
                "(one that may be absent is null), or strict servers refuse it"
            )
    return schema


def _objects(part: Json, at: str) -> Iterable[tuple[str, dict[str, Json]]]:
    """Every schema of an object with named properties, and where it stands."""
    if isinstance(part, dict) and isinstance(part.get("properties"), dict):
        yield at, part
    if isinstance(part, dict | list):
        items = part.items() if isinstance(part, dict) else enumerate(part)
        for name, inner in items:
            yield from _objects(inner, f"{at}.{name}")


def _required(part: dict[str, Json]) -> set[str]:
    return set(cast("list[str]", part.get("required", [])))


def _named(part: dict[str, Json]) -> set[str]:
    return set(cast("dict[str, Json]", part["properties"]))
