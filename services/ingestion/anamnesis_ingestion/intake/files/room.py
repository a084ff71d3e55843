"""The room that all files being read share."""

from types import TracebackType
from typing import Self

from anamnesis_libs.errors import ResourceExhausted

_RETRY_S = 5.0


class Room:
    """A number of bytes that all files share."""

    def __init__(self, bytes_max: int) -> None:
        self.bytes_max = bytes_max
        self._left_bytes = bytes_max

    def take(self, size_bytes: int) -> bool:
        """Take some of it, if there is so much left."""
        if size_bytes > self._left_bytes:
            return False
        self._left_bytes -= size_bytes
        return True

    def give_back(self, size_bytes: int) -> None:
        """Free bytes that were taken."""
        self._left_bytes += size_bytes


class Share:
    """The part of a room that one file has taken; given back when its block ends."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._bytes = 0

    def __enter__(self) -> Self:
        """Begin with nothing."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        """Give everything back."""
        self.become(0)

    def become(self, size_bytes: int) -> None:
        """Hold so much from now on.

        Raises:
            ResourceExhausted: the files of others leave no room; it passes.
        """
        if not self._room.take(size_bytes - self._bytes):
            raise ResourceExhausted(
                "the files that are being read leave no room for this one now (ingestion."
                f"held_bytes_max: {self._room.bytes_max} bytes in all); send it again",
                retry_after_s=_RETRY_S,
            )
        self._bytes = size_bytes
