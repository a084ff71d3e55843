"""The steps of an operation, which a driver takes: a call to make, a pause to wait.

An operation is a generator. It yields a step and is sent the answer, or has the error thrown in;
what it returns is the result. It does no I/O: the drivers in `sync` and `aio` do.
"""

import inspect
import random
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Generic, TypeVar, get_args

from google.protobuf.message import Message

from anamnesis_client.errors import AnamnesisError, ResourceExhausted, Unavailable

Request = TypeVar("Request", bound=Message)
Answer = TypeVar("Answer", bound=Message)
Result = TypeVar("Result")

_FIRST_PAUSE_S = 0.1
_PAUSE_S_MAX = 3.0
_PASSING = frozenset({"QUEUE_FULL", "QUOTA_EXCEEDED"})
_LASTING = frozenset({"STORE_FULL"})


@dataclass(frozen=True, slots=True)
class Method(Generic[Request, Answer]):
    """An rpc: its path, its messages."""

    path: str
    request: type[Request]
    answer: type[Answer]


@dataclass(frozen=True, slots=True)
class Call:
    """A call to make: the rpc, the request, the seconds that are left for it."""

    path: str
    request: Message
    answer: type[Message]
    timeout_s: float | None


@dataclass(frozen=True, slots=True)
class Pause:
    """Seconds to wait."""

    seconds: float


Step = Call | Pause
Flow = Generator[Step, Message | None, Result]


class Running(Generic[Result]):
    """An operation on its way: the step that it waits for, and in the end its result."""

    def __init__(self, flow: Flow[Result]) -> None:
        """Goes on to the first step."""
        self._flow = flow
        self.step: Step | None = None
        self._results: list[Result] = []
        self._go_on(lambda: next(flow))

    def answered(self, answer: Message | None) -> None:
        """Goes on with the answer of a call, or with nothing after a pause."""
        self._go_on(lambda: self._flow.send(answer))

    def failed(self, error: AnamnesisError) -> None:
        """Goes on with the failure of a call."""
        self._go_on(lambda: self._flow.throw(error))

    @property
    def result(self) -> Result:
        """The result, when there is no step left."""
        (result,) = self._results
        return result

    def _go_on(self, further: Callable[[], Step]) -> None:
        try:
            self.step = further()
        except StopIteration as done:
            self.step = None
            self._results.append(done.value)


@dataclass(frozen=True, slots=True)
class Patience:
    """The time that an operation may take, and the times that a failed call is made again."""

    timeout_s: float
    retries: int
    clock: Callable[[], float] = time.monotonic
    jitter: Callable[[], float] = random.random

    def ask(self, method: Method[Request, Answer], request: Request) -> Flow[Answer]:
        """The answer of a call, which is made again where the failure may pass."""
        ends_s = self.clock() + self.timeout_s
        failures = 0
        while True:
            left_s = ends_s - self.clock()
            try:
                answer = yield Call(method.path, request, method.answer, left_s)
            except AnamnesisError as error:
                failures += 1
                yield Pause(self._pause_s(error, failures, ends_s))
            else:
                assert isinstance(answer, method.answer)
                return answer

    def _pause_s(self, error: AnamnesisError, failures: int, ends_s: float) -> float:
        """The seconds to wait before the next try; raises the error where there is none."""
        pause_s = self.pause_s(error, failures)
        if failures > self.retries or pause_s >= ends_s - self.clock():
            raise error
        return pause_s

    def pause_s(self, error: AnamnesisError, failures: int) -> float:
        """The seconds to wait after so many failures in a row; raises what will not pass."""
        if not _may_pass(error):
            raise error
        drawn_s = _FIRST_PAUSE_S * 2.0 ** (failures - 1) * (0.5 + self.jitter())
        return max(error.retry_after_s, min(drawn_s, _PAUSE_S_MAX))


def told_signature(operation: Callable[..., Flow[Result]]) -> inspect.Signature:
    """The signature of an operation, with its result in place of its steps."""
    signature = inspect.signature(operation)
    *_, result = get_args(signature.return_annotation)
    return signature.replace(return_annotation=result)


def _may_pass(error: AnamnesisError) -> bool:
    if isinstance(error, ResourceExhausted):
        return error.reason in _PASSING
    return isinstance(error, Unavailable) and error.reason not in _LASTING
