"""Faults of one namespace, kept to it: told in the log, and its background work paused.

A damaged page or a disk that refuses a write is no reason to stop the work of all others, nor to
call the service unhealthy: it answers for everything else.
"""

import asyncio
import logging
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import TypeVar

from anamnesis_libs.errors import StoreUnavailable
from anamnesis_libs.logs import failure_fields, logger

PAUSE_S = 1.0
PAUSE_S_MAX = 300.0
STORE_PAUSE_S_MAX = 2.0
"""A store that is away comes back for everybody at once: its return must be noticed soon."""
_DOUBLINGS_MAX = 16
_LOG = logger("memory.faults")

T = TypeVar("T")


@dataclass(slots=True)
class Faults:
    """The failures in a row of one namespace's background work, and the end of its pause."""

    in_a_row: int = 0
    until_s: float = 0.0

    def resting(self, now_s: float) -> bool:
        """True if the background work is not to be tried yet."""
        return now_s < self.until_s

    def note(self, error: Exception, namespace: str, now_s: float) -> None:
        """Count a failure, tell it, and rest for longer each time."""
        longest_s = STORE_PAUSE_S_MAX if isinstance(error, StoreUnavailable) else PAUSE_S_MAX
        pause_s = min(PAUSE_S * 2.0 ** min(self.in_a_row, _DOUBLINGS_MAX), longest_s)
        self.in_a_row += 1
        self.until_s = now_s + pause_s
        _LOG.error(
            "namespace.failed",
            namespace=namespace,
            failures_in_a_row=self.in_a_row,
            pause_s=pause_s,
            **failure_fields(error, with_text=_LOG.is_enabled_for(logging.DEBUG)),
        )

    def clear(self) -> None:
        """Forget the failures, after work that succeeded."""
        self.in_a_row, self.until_s = 0, 0.0


async def outcome_of(work: Awaitable[T]) -> T | Exception:
    """The result of some work, or the error that ended it; a cancellation is raised."""
    (outcome,) = await asyncio.gather(work, return_exceptions=True)
    if isinstance(outcome, BaseException) and not isinstance(outcome, Exception):
        raise outcome
    return outcome
