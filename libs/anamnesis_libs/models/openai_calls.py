"""Calls of an OpenAI-compatible server: tried again where that helps, given up where not.

The official client makes the requests, with its own retries off: these here also cover
answers that are cut off or malformed, respect any `Retry-After`, and feed the breaker.
"""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

import openai
from pydantic import ValidationError

from anamnesis_libs.errors import AnamnesisError, ModelUnavailable
from anamnesis_libs.models.breaker import Breaker

Answer = TypeVar("Answer")

_BUSY_OR_BROKEN = frozenset({408, 409, 425, 429})
_TOLD_CHARS_MAX = 500
_KEY_CHARS_MIN = 8
"""The least length of a key that messages hide: own servers are called with some shorter word."""


class MalformedAnswer(Exception):
    """The server answered, but not what was asked; worth another try."""


@dataclass(frozen=True, slots=True)
class Retries:
    """Limits and pauses for trying a failed call again."""

    retries_max: int
    first_s: float = 0.5
    longest_s: float = 8.0
    retry_after_s_max: float = 30.0
    """A server that asks for more patience than this is given up for now."""
    failures_max: int = 5
    """Calls given up in a row that open the breaker."""
    open_s: float = 15.0

    def pause_s(self, failed: int, asked_s: float | None) -> float:
        """Seconds to wait after so many failed tries: as the server asked, or in doubled steps.

        Up to a quarter is taken off, or put on what the server asked, at random, so that
        clients that failed together do not come back together.
        """
        spread = 0.25 * random.random()  # noqa: S311 - no secret hangs on it
        if asked_s is not None:
            return asked_s * (1 + spread)
        doubled = self.first_s * float(2 ** (failed - 1))
        return min(doubled, self.longest_s) * (1 - spread)


@dataclass(frozen=True, slots=True)
class Callee:
    """The called model, as messages name it."""

    what: str
    """The model and the server's address."""
    settings: str
    """The settings to look at when it refuses."""
    key: str = ""
    """The secret that must not stand in a message, should the server repeat it."""


class OpenAICalls:
    """Runs calls of one model of one server under one breaker."""

    def __init__(self, retries: Retries, callee: Callee) -> None:
        self._retries = retries
        self._callee = callee
        self._breaker = Breaker(retries.failures_max, retries.open_s, time.monotonic, callee.what)

    async def run(self, call: Callable[[], Awaitable[Answer]]) -> Answer:
        """Make a call, as often as it is worth.

        An error of ours that `call` raises shows that the server answered; it goes through.

        Raises:
            ModelUnavailable: it failed for good, or the breaker is open.
        """
        self._breaker.check()
        for failed in range(1, self._retries.retries_max + 2):
            try:
                answer = await call()
            except (openai.APIError, MalformedAnswer, ValueError, TimeoutError) as error:
                await self._pause_or_give_up(error, failed)
            except AnamnesisError:
                self._breaker.succeeded()
                raise
            else:
                self._breaker.succeeded()
                return answer
        raise AssertionError("the last failure gives up")

    async def _pause_or_give_up(self, error: Exception, failed: int) -> None:
        """Wait before the next try.

        Raises:
            ModelUnavailable: there is no point in a next try.
        """
        if not _passes(error):
            self._breaker.succeeded()
            raise self._refused(error) from error
        asked_s = _asked_s(error)
        impatient = asked_s is not None and asked_s > self._retries.retry_after_s_max
        if failed > self._retries.retries_max or impatient:
            self._breaker.failed()
            raise self._given_up(error, failed, asked_s) from error
        await asyncio.sleep(self._retries.pause_s(failed, asked_s))

    def _refused(self, error: Exception) -> ModelUnavailable:
        """The server is well and says no: the settings are wrong, or the text is."""
        return ModelUnavailable(
            f"{self._callee.what} refuses the request: {self._told(error)}; "
            f"see {self._callee.settings}",
            retry_after_s=self._retries.open_s,
        )

    def _given_up(self, error: Exception, failed: int, asked_s: float | None) -> ModelUnavailable:
        tries = "once" if failed == 1 else f"{failed} times"
        return ModelUnavailable(
            f"{self._callee.what} does not answer (tried {tries}): {self._told(error)}",
            retry_after_s=asked_s or self._retries.longest_s,
        )

    def _told(self, error: Exception) -> str:
        """The error without the key, and without what the model wrote."""
        text = f"{type(error).__name__}: {_without_input(error)}"
        key = self._callee.key
        hidden = text.replace(key, "***") if len(key) >= _KEY_CHARS_MIN else text
        return hidden[:_TOLD_CHARS_MAX]


def _passes(error: Exception) -> bool:
    """True if the failure may be over at the next try."""
    if isinstance(error, openai.APIStatusError):
        return error.status_code in _BUSY_OR_BROKEN or error.status_code >= 500
    return True


def _asked_s(error: Exception) -> float | None:
    """The `Retry-After` of an answer, where it is a number of seconds."""
    if not isinstance(error, openai.APIStatusError):
        return None
    try:
        return max(0.0, float(error.response.headers.get("retry-after", "")))
    except ValueError:
        return None


def _without_input(error: Exception) -> str:
    if not isinstance(error, ValidationError):
        return str(error)
    found = error.errors(include_input=False, include_url=False)
    return "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in found)
