"""The set of what is open, least recently used first, and the memory it takes.

Memory is counted one by one, when something is opened and when somebody lets go of it: with
hundreds open, counting all of them would cost more than a small search.
"""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar


class Opened(Protocol):
    """Something that is open and may be held."""

    holders: int

    @property
    def name(self) -> str:
        """The name under which it is found."""
        ...

    @property
    def memory_bytes(self) -> int:
        """Memory that the open one takes, estimated."""
        ...


O = TypeVar("O", bound=Opened)  # noqa: E741  # what is opened


class OpenSet(Generic[O]):
    """Bounded by number and by memory; what is held stays, and so may exceed the bounds."""

    def __init__(self, count_max: int, memory_bytes_max: int) -> None:
        self._count_max = count_max
        self._memory_bytes_max = memory_bytes_max
        self._open: OrderedDict[str, O] = OrderedDict()
        self._counted: dict[str, int] = {}
        self.memory_bytes = 0

    @property
    def all(self) -> Sequence[O]:
        """Everything that is open now, least recently used first."""
        return tuple(self._open.values())

    def get(self, name: str) -> O | None:
        """The one that is open under a name; None if none is."""
        return self._open.get(name)

    def has(self, opened: O) -> bool:
        """True if this one is open, and not a later one of its name."""
        return self._open.get(opened.name) is opened

    def add(self, opened: O) -> None:
        """Take in what was opened."""
        self._open[opened.name] = opened
        self.count(opened)

    def use(self, name: str) -> None:
        """Mark a namespace as the most recently used."""
        self._open.move_to_end(name)

    def drop(self, opened: O) -> None:
        """Leave out what is to be closed."""
        del self._open[opened.name]
        self.memory_bytes -= self._counted.pop(opened.name)

    def count(self, opened: O) -> None:
        """Count the memory of one that is open anew."""
        if self.has(opened):
            taken = opened.memory_bytes
            self.memory_bytes += taken - self._counted.get(opened.name, 0)
            self._counted[opened.name] = taken

    def victim(self) -> O | None:
        """The least recently used that nobody holds, where too much is open."""
        if len(self._open) <= self._count_max and self.memory_bytes <= self._memory_bytes_max:
            return None
        return next((opened for opened in self._open.values() if not opened.holders), None)
