"""Stores that count their calls and the seconds they took, by the method of the port.

They are put around a backend's stores where the log is at `debug`; else nothing stands between.
Times are the loop's, so that they stand still where a simulation's clock does.
"""

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import ParamSpec, TypeVar, cast

from anamnesis_memory.model.memory import Namespace
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.catalogue import Capabilities, Catalogue, Stores

P = ParamSpec("P")
R = TypeVar("R")
Part = TypeVar("Part")


@dataclass(slots=True)
class MethodFigures:
    """Calls of one method: how many have ended, how many of them in an error, and their time."""

    count: int = 0
    errors: int = 0
    seconds: float = 0.0


@dataclass(slots=True)
class StoreFigures:
    """Calls of the storage port by method, of all namespaces together."""

    calls: dict[str, MethodFigures] = field(default_factory=dict)

    def measured(self, name: str, call: Callable[P, Awaitable[R]]) -> Callable[P, Awaitable[R]]:
        """A call that is counted under a name."""
        calls = self.calls.setdefault(name, MethodFigures())

        async def counted(*args: P.args, **kwargs: P.kwargs) -> R:
            clock = asyncio.get_running_loop().time
            since = clock()
            ended = False
            try:
                answer = await call(*args, **kwargs)
                ended = True
                return answer
            finally:
                calls.count += 1
                calls.errors += not ended
                calls.seconds += clock() - since

        return counted

    def rows(self) -> list[Mapping[str, object]]:
        """The methods that were called, the one that took most of the time first."""
        made = ((name, calls) for name, calls in self.calls.items() if calls.count)
        return [
            {
                "method": name,
                "count": calls.count,
                "errors": calls.errors,
                "seconds": round(calls.seconds, 3),
            }
            for name, calls in sorted(made, key=lambda each: -each[1].seconds)
        ]


class MeasuredStores:
    """Stores whose catalogue and namespaces are measured; implements `Stores`."""

    def __init__(self, stores: Stores, figures: StoreFigures) -> None:
        self._stores = stores
        self._figures = figures
        self._catalogue = _measured(stores.catalogue, Catalogue, "catalogue", figures)

    @property
    def capabilities(self) -> Capabilities:
        """See `Stores.capabilities`."""
        return self._stores.capabilities

    @property
    def catalogue(self) -> Catalogue:
        """See `Stores.catalogue`."""
        return self._catalogue

    async def open(self, namespace: Namespace) -> NamespaceStore:
        """See `Stores.open`."""
        opened = await self._stores.open(namespace)
        return _measured(opened, NamespaceStore, "namespace", self._figures)

    async def make_room(self) -> bool:
        """See `Stores.make_room`."""
        return await self._stores.make_room()

    async def discard(self, namespace: Namespace) -> None:
        """See `Stores.discard`."""
        await self._stores.discard(namespace)

    async def close(self) -> None:
        """See `Stores.close`."""
        await self._stores.close()


class _Measured:
    """A part of a backend: the calls of its port are counted, all else is handed on."""

    def __init__(self, part: object, port: type, prefix: str, figures: StoreFigures) -> None:
        self._part = part
        for name in _calls_of(port):
            self.__dict__[name] = figures.measured(f"{prefix}.{name}", getattr(part, name))

    def __getattr__(self, name: str) -> object:
        """Return an attribute of the wrapped store that is no call (property, context manager)."""
        found: object = getattr(self._part, name)
        return found


def _measured(part: Part, port: type, prefix: str, figures: StoreFigures) -> Part:
    return cast("Part", _Measured(part, port, prefix, figures))


def _calls_of(port: type) -> Iterator[str]:
    """The names of the methods of a port that are awaited."""
    return (name for name, _ in inspect.getmembers(port, inspect.iscoroutinefunction))
