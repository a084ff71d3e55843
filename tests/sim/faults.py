"""Faults of the parts behind the memory service's ports, wrapped around the real ones.

A call to a store may fail before anything happens, or after everything happened with its
answer lost; it may be slow. A model may be away or slow. A snapshot may meet a full disk.
Logic is never replaced: what answers is the real part.
"""

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from inspect import iscoroutinefunction
from pathlib import Path
from typing import TypeVar, cast

from anamnesis_libs.clock import Clock
from anamnesis_libs.errors import ModelUnavailable, StoreUnavailable
from anamnesis_libs.index.memory_index import MemoryIndex
from anamnesis_libs.models.ports import Matrix
from anamnesis_memory.model.memory import Namespace
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.catalogue import Capabilities, Catalogue, Stores
from anamnesis_memory.runtime.indexing.snapshots import Snapshots
from tests.sim.disk import Disk
from tests.support.embedders import SwitchedEmbedder

T = TypeVar("T")

SLOW_S = 3.0
_NEVER_FAIL = ("close",)


@dataclass(slots=True)
class Attempt:
    """How far one request got: whether its commit was begun."""

    commit_begun: bool = False


ATTEMPT: ContextVar[Attempt | None] = ContextVar("ATTEMPT", default=None)
"""The request that this task serves."""


@dataclass(slots=True)
class Faults:
    """How often calls fail, by chance; nothing fails while `on` is not set."""

    generator: random.Random
    before: float = 0.0
    after: float = 0.0
    slow: float = 0.0
    model_away: float = 0.0
    snapshot: float = 0.0
    on: bool = True
    happened: Counter[str] = field(default_factory=Counter)

    def happens(self, chance: float, what: str) -> bool:
        """Whether it happens now."""
        if not self.on or self.generator.random() >= chance:
            return False
        self.happened[what] += 1
        return True

    async def around(self, name: str, work: Callable[[], Awaitable[T]]) -> T:
        """Do a piece of work as a store in trouble would.

        Raises:
            StoreUnavailable: before the work, or with its answer lost.
        """
        if self.happens(self.slow, "slow store"):
            await asyncio.sleep(self.generator.random() * SLOW_S)
        if self.happens(self.before, "store failed before"):
            raise StoreUnavailable(f"{name} failed, as the simulation planned")
        attempt = ATTEMPT.get()
        if attempt is not None and name == "commit":
            attempt.commit_begun = True
        done = await work()
        if self.happens(self.after, "answer of the store lost"):
            raise StoreUnavailable(f"the answer of {name} was lost, as the simulation planned")
        return done


class _Faulty:
    """Any port of the store: its coroutines may fail, its values are passed on."""

    def __init__(self, part: object, faults: Faults) -> None:
        self.part = part
        self._faults = faults

    def __getattr__(self, name: str) -> object:
        """The part's own, in trouble."""
        found = getattr(self.part, name)
        if name in _NEVER_FAIL or not iscoroutinefunction(found):
            return found
        call = cast("Callable[..., Coroutine[object, object, object]]", found)

        async def troubled(*args: object, **kwargs: object) -> object:
            return await self._faults.around(name, lambda: call(*args, **kwargs))

        return troubled


class FaultyStores:
    """Stores whose catalogue and namespaces may fail; implements `Stores`."""

    def __init__(self, stores: Stores, faults: Faults) -> None:
        self._stores = stores
        self._faults = faults
        self._catalogue = cast("Catalogue", _Faulty(stores.catalogue, faults))

    @property
    def capabilities(self) -> Capabilities:
        """How the backend differs from others."""
        return self._stores.capabilities

    @property
    def catalogue(self) -> Catalogue:
        """All namespaces."""
        return self._catalogue

    async def open(self, namespace: Namespace) -> NamespaceStore:
        """Open one namespace."""
        if self._faults.happens(self._faults.before, "store not opened"):
            raise StoreUnavailable("open failed, as the simulation planned")
        opened = await self._stores.open(namespace)
        return cast("NamespaceStore", _Faulty(opened, self._faults))

    async def make_room(self) -> bool:
        """Let go of what is set aside for deletions on a full disk."""
        return await self._stores.make_room()

    async def discard(self, namespace: Namespace) -> None:
        """Remove the store of a closed namespace that the catalogue does not name."""
        await self._stores.discard(namespace)

    async def close(self) -> None:
        """Close the catalogue."""
        await self._stores.close()


def real(store: NamespaceStore) -> NamespaceStore:
    """The store without its faults."""
    return cast("NamespaceStore", cast("_Faulty", store).part)


class FaultyEmbedder(SwitchedEmbedder):
    """A model that is away or slow at times."""

    def __init__(self, faults: Faults) -> None:
        super().__init__()
        self._faults = faults

    async def embed(self, texts: Sequence[str]) -> Matrix:
        """One unit row a text.

        Raises:
            ModelUnavailable: it is away.
        """
        if self._faults.happens(self._faults.slow, "slow model"):
            await asyncio.sleep(self._faults.generator.random() * SLOW_S)
        if self._faults.happens(self._faults.model_away, "model away"):
            raise ModelUnavailable("the model is away, as the simulation planned")
        return await super().embed(texts)


class FaultyIndex(MemoryIndex):
    """An index whose snapshots may meet a full disk or the end of a life."""

    def __init__(self, dimension: int, disk: Disk, faults: Faults) -> None:
        super().__init__(dimension)
        self._disk = disk
        self._faults = faults

    def save(self, path: Path) -> None:
        """Write everything to a file.

        Raises:
            OSError: the disk is full; half of the file is there.
        """
        super().save(path)
        self._disk.step()
        if self._faults.happens(self._faults.snapshot, "snapshot not written"):
            content = path.read_bytes()
            path.write_bytes(content[: len(content) // 2])
            raise OSError(28, "no space left, as the simulation planned")


class FaultySnapshots(Snapshots):
    """Snapshots that a life may end around, one step before and one after they count."""

    def __init__(self, directory: Path, disk: Disk, faults: Faults, clock: Clock) -> None:
        super().__init__(directory, lambda dimension: FaultyIndex(dimension, disk, faults), clock)
        self._disk = disk

    def keep(self, written: Path) -> None:
        """Make a written snapshot the one that counts."""
        self._disk.step()
        super().keep(written)
        self._disk.step()


def damage_snapshots(directory: Path, generator: random.Random, chance: float) -> int:
    """Cut, flip, empty or remove snapshots by chance.

    Returns:
        How many were damaged.
    """
    damaged = 0
    for path in sorted(directory.glob("*.idx")):
        body = bytearray(path.read_bytes())
        if not body or generator.random() >= chance:
            continue
        damaged += 1
        match generator.choice(("cut", "flip", "empty", "gone")):
            case "cut":
                path.write_bytes(body[: generator.randrange(len(body))])
            case "flip":
                body[generator.randrange(len(body))] ^= 0xFF
                path.write_bytes(body)
            case "empty":
                path.write_bytes(b"")
            case _:
                path.unlink()
    return damaged
