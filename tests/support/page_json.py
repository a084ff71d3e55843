"""Compares an answer in JSON with a sample of it in which `...` stands for what is left out."""

import json
import re
from collections.abc import Callable
from typing import TypeAlias

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"

_REST = "..."
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]]|\.\.\.')


def is_json(sample: str) -> bool:
    """The sample is an object."""
    return sample.startswith("{")


def is_so(sample: str, printed: str, same: Callable[[str, str], bool]) -> bool:
    """What is printed has all of the sample, and no more where the sample has no gap."""
    try:
        answer: Json = json.loads(printed)
    except json.JSONDecodeError:
        return False
    return _fits(json.loads(_gaps_named(sample)), answer, same)


def _gaps_named(sample: str) -> str:
    """The sample with a member, or an element, named for each gap."""
    open_: list[str] = []

    def named(token: re.Match[str]) -> str:
        text = token[0]
        if text in "{[":
            open_.append(text)
        elif text in "}]":
            open_.pop()
        elif text == _REST:
            return f'"{_REST}": 0' if open_[-1] == "{" else f'"{_REST}"'
        return text

    return _TOKEN.sub(named, sample)


def _fits(sample: Json, answer: Json, same: Callable[[str, str], bool]) -> bool:
    if isinstance(sample, dict) and isinstance(answer, dict):
        told = {key: value for key, value in sample.items() if key != _REST}
        all_told = len(told) < len(sample) or told.keys() == answer.keys()
        return all_told and all(
            key in answer and _fits(value, answer[key], same) for key, value in told.items()
        )
    if isinstance(sample, list) and isinstance(answer, list):
        return _list_fits(sample, answer, same)
    if isinstance(sample, str) and isinstance(answer, str):
        return same(sample, answer)
    return sample == answer


def _list_fits(sample: list[Json], answer: list[Json], same: Callable[[str, str], bool]) -> bool:
    if sample and sample[-1] == _REST:
        sample, answer = sample[:-1], answer[: len(sample) - 1]
    return len(sample) == len(answer) and all(
        _fits(told, got, same) for told, got in zip(sample, answer, strict=True)
    )
