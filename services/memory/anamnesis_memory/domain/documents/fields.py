"""Fields of a JSON value by an expression, e.g. "author.name", "parts[*].text", "{title,tags}"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

WHOLE = "$"
_EVERY = "*"
_STEP = re.compile(r"\[(?P<place>\*|-?\d+)\]|\{(?P<names>[^{}]*)\}|(?P<name>[^.\[\]{}]+)")

Step = str | int | tuple["FieldPath", ...]
"""A name, a place in a list, or several fields side by side; `EVERY` of `_Every` is each."""


@dataclass(frozen=True, slots=True)
class _Every:
    """A step to each item of a list, and where `of_objects` to each value of an object."""

    of_objects: bool


@dataclass(frozen=True, slots=True)
class FieldPath:
    """The steps from a value to those in it that are meant."""

    steps: tuple[Step | _Every, ...]

    def values_in(self, value: object) -> Iterator[object]:
        """The values that the path leads to; none where it leads nowhere."""
        found: list[object] = [value]
        for step in self.steps:
            found = [inner for one in found for inner in _stepped(one, step)]
        yield from found


def field_path(text: str) -> FieldPath:
    """The path that an expression means; "$" is the whole value.

    Raises:
        ValueError: the text is no such expression.
    """
    if text == WHOLE:
        return FieldPath(())
    if not text:
        raise ValueError("is no path of a field: it names none")
    steps: list[Step | _Every] = []
    place = 0
    while place < len(text):
        if steps and text[place] == ".":
            place += 1
        found = _STEP.match(text, place)
        if found is None:
            raise ValueError(f"is no path of a field at its character {place + 1}")
        steps.append(_step(found))
        place = found.end()
    return FieldPath(tuple(steps))


def _step(found: re.Match[str]) -> Step | _Every:
    place, names, name = found["place"], found["names"], found["name"]
    if place is not None:
        return _Every(of_objects=False) if place == _EVERY else int(place)
    if names is not None:
        return tuple(field_path(one.strip()) for one in names.split(","))
    return _Every(of_objects=True) if name == _EVERY else name


def _stepped(value: object, step: Step | _Every) -> Iterator[object]:
    match step, value:
        case str(), dict():
            yield from [value[step]] if step in value else ()
        case int(), list():
            yield from [value[step]] if -len(value) <= step < len(value) else ()
        case _Every(of_objects=True), dict():
            yield from value.values()
        case _Every(), list():
            yield from value
        case tuple(), dict():
            for path in step:
                yield from path.values_in(value)
