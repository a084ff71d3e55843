"""Waking those who wait for a namespace to change, without holding it open."""

import asyncio
import weakref


class Bell:
    """Rings once for everybody who waits."""

    def __init__(self) -> None:
        self._next = asyncio.Event()

    def next(self) -> asyncio.Event:
        """The next ring; take it before looking, so that nothing is missed between."""
        return self._next

    def ring(self) -> None:
        """Wake everybody who waits now."""
        rung, self._next = self._next, asyncio.Event()
        rung.set()


class Bells:
    """One bell a namespace, for as long as somebody listens."""

    def __init__(self) -> None:
        self._bells: weakref.WeakValueDictionary[str, Bell] = weakref.WeakValueDictionary()

    def of(self, name: str) -> Bell:
        """The bell of a namespace."""
        bell = self._bells.get(name)
        if bell is None:
            bell = self._bells[name] = Bell()
        return bell

    def ring(self, name: str) -> None:
        """Ring, if anybody listens."""
        bell = self._bells.get(name)
        if bell is not None:
            bell.ring()
