"""Tests of rpc/parts.py: a large answer is asked for in parts, other errors are not."""

from collections.abc import Sequence

import pytest

from anamnesis_libs import errors
from anamnesis_libs.errors import not_found
from anamnesis_libs.rpc.parts import in_parts

IDS = ["a", "b", "c", "d", "e"]


async def test_parts_are_joined_in_order() -> None:
    asked: list[int] = []

    async def fetch(ids: Sequence[str]) -> Sequence[str]:
        asked.append(len(ids))
        if len(ids) > 2:
            raise errors.TooLarge("the answer", 10)
        return [each.upper() for each in ids]

    assert await in_parts(fetch, IDS) == ["A", "B", "C", "D", "E"]
    assert asked == [5, 2, 3, 1, 2]


@pytest.mark.parametrize(
    ("ids", "failure"),
    [
        (["a"], errors.TooLarge("the answer", 10)),
        (IDS, errors.ResourceExhausted("busy")),
        (IDS, not_found.NamespaceNotFound("n")),
    ],
)
async def test_what_halves_do_not_mend_is_raised_at_once(
    ids: list[str], failure: errors.AnamnesisError
) -> None:
    calls = 0

    async def fetch(_: Sequence[str]) -> Sequence[str]:
        nonlocal calls
        calls += 1
        raise failure

    with pytest.raises(type(failure)):
        await in_parts(fetch, ids)
    assert calls == 1
