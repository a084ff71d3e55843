"""The port to all namespaces: known without opening any, and opened."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from anamnesis_memory.model.memory import Namespace, Work
from anamnesis_memory.ports import Listing, NamespaceStore


@dataclass(frozen=True, slots=True)
class Due:
    """Work of one kind may be ready in a namespace; `version` says when this was noted."""

    name: str
    work: Work
    at_us: int
    version: int


class Catalogue(Protocol):
    """All namespaces, and what is due in them, without opening any."""

    async def get(self, name: str) -> Namespace | None:
        """Read one namespace."""
        ...

    async def create(self, namespace: Namespace) -> Namespace:
        """Make a namespace, or answer the one that was there first."""
        ...

    async def replace(self, namespace: Namespace, incarnation: str) -> bool:
        """Put a namespace in place of this incarnation of its name, or of none (empty).

        Returns:
            Whether it was that incarnation, or none; if not, nothing is changed.
        """
        ...

    async def remove(self, namespace: Namespace) -> bool:
        """Take away a namespace of this incarnation with what is due in it.

        Returns:
            Whether it was there.
        """
        ...

    async def list(self, after: str, limit: int) -> Listing[Namespace]:
        """List namespaces by name."""
        ...

    async def set_due(self, name: str, work: Work, at_us: int) -> None:
        """Note that work may be ready in a namespace from then on; the earliest time counts.

        To be called before and after the commit that makes it ready: a crash between the two
        forgets nothing, and a `reschedule` between the two is made good.
        """
        ...

    async def due(self, works: Sequence[Work], before_us: int, limit: int) -> Sequence[Due]:
        """The namespaces in which work may be ready by a time, the earliest first."""
        ...

    async def reschedule(self, due: Due, at_us: int | None) -> None:
        """Note what was found there: more at a time, or nothing.

        Whoever has set it due since `due` was read is heard: it stays as they said.
        """
        ...

    async def close(self) -> None:
        """Let go of files and connections."""
        ...


@dataclass(frozen=True, slots=True)
class Capabilities:
    """The differences between backends that callers need, so that nobody asks for a backend's name.

    `is_shared`: other processes commit to the same namespaces, whose news is to be asked for.
    `files_max`: files that one open namespace may hold open; 0 if it holds none.
    """

    is_shared: bool
    files_max: int


class Stores(Protocol):
    """Opens namespaces of one backend."""

    @property
    def capabilities(self) -> Capabilities:
        """The capabilities of this backend."""
        ...

    @property
    def catalogue(self) -> Catalogue:
        """All namespaces."""
        ...

    async def open(self, namespace: Namespace) -> NamespaceStore:
        """Open one namespace, making its store on the first time."""
        ...

    async def make_room(self) -> bool:
        """Let go of what is set aside for deletions on a full disk; whether there was any."""
        ...

    async def discard(self, namespace: Namespace) -> None:
        """Remove the store of a closed namespace; one that the catalogue names stays."""
        ...

    async def close(self) -> None:
        """Close the catalogue."""
        ...
