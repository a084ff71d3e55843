"""Asking a peer for many things whose size nobody knows before."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from anamnesis_libs.errors import ResourceExhausted

Item = TypeVar("Item")

_TOO_LARGE = "TOO_LARGE"


async def in_parts(
    fetch: Callable[[Sequence[str]], Awaitable[Sequence[Item]]], ids: Sequence[str]
) -> list[Item]:
    """The items of `fetch` for the ids, in order; fetched by halves if one answer is too large.

    Raises:
        ResourceExhausted: one item alone is larger than a message may be.
    """
    try:
        return list(await fetch(ids))
    except ResourceExhausted as error:
        if error.reason != _TOO_LARGE or len(ids) < 2:
            raise
    middle = len(ids) // 2
    return [*await in_parts(fetch, ids[:middle]), *await in_parts(fetch, ids[middle:])]
