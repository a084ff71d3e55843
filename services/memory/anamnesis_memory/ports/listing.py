"""One page of records."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Listing(Generic[T]):
    """Some records in order; `next_after` resumes behind the last, None at the end."""

    items: Sequence[T]
    next_after: int | str | None
