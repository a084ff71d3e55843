"""The time that one call has for all the calls it makes itself."""

import asyncio


class Deadline:
    """A moment of the running loop's clock, so many seconds from now."""

    def __init__(self, timeout_s: float) -> None:
        self._at_s = asyncio.get_running_loop().time() + timeout_s

    @property
    def left_s(self) -> float:
        """Seconds left until the deadline."""
        return max(0.0, self._at_s - asyncio.get_running_loop().time())
