"""A circuit breaker: after failures in a row, calls fail at once for a while."""

from collections.abc import Callable

from anamnesis_libs.errors import ModelUnavailable


class Breaker:
    """Counts failures of one model's server.

    Closed, it lets every call through. Open, it refuses them until its time is over; then one
    call goes through to try, and its outcome closes the breaker or opens it for another while.
    """

    def __init__(
        self, failures_max: int, open_s: float, monotonic_s: Callable[[], float], what: str
    ) -> None:
        """Open after `failures_max` failures in a row, for `open_s`; `what` is for the message."""
        self._failures_max = failures_max
        self._open_s = open_s
        self._monotonic_s = monotonic_s
        self._what = what
        self._failures = 0
        self._open_until_s = 0.0

    def check(self) -> None:
        """Let a call through, or not.

        Raises:
            ModelUnavailable: not now; says when.
        """
        if self._failures < self._failures_max:
            return
        left_s = self._open_until_s - self._monotonic_s()
        if left_s > 0:
            raise ModelUnavailable(
                f"{self._what} failed {self._failures} times in a row and is left alone for "
                f"another {left_s:.1f} s",
                retry_after_s=left_s,
            )
        self._open_until_s = self._monotonic_s() + self._open_s

    def succeeded(self) -> None:
        """Note that a call was answered."""
        self._failures = 0

    def failed(self) -> None:
        """Note that a call was not answered."""
        self._failures += 1
        self._open_until_s = self._monotonic_s() + self._open_s
