"""Calls as raw bytes: what any client could send, and what came back."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import grpc
from grpc import aio

from benchmarks.hostile.contracts import Rpc

HANG_S = 10.0
HANG = "HANG"
WATCHED_S = 0.2
FAULTS = frozenset(("INTERNAL", "UNKNOWN", HANG))
_OPTIONS = [("grpc.max_receive_message_length", 64 << 20), ("grpc.enable_retries", 0)]
_SENT_CHARS_SHOWN = 300
_ANSWER_BYTES_MAX = 8 << 20


@dataclass(frozen=True, slots=True)
class Answer:
    """The end of a call: its code, its message, and the messages that came before."""

    code: str
    message: str
    received: Sequence[bytes]

    @property
    def is_fault(self) -> bool:
        """True if the answer is one that no input may cause."""
        return self.code in FAULTS


@dataclass(frozen=True, slots=True)
class Fault:
    """An answer that must not occur, and the request that caused it."""

    kind: str
    rpc: str
    code: str
    message: str
    sent: str


@dataclass(slots=True)
class Tally:
    """Answers by kind of input and code, and every fault."""

    codes: Counter[tuple[str, str]] = field(default_factory=Counter)
    faults: list[Fault] = field(default_factory=list)

    def note(self, kind: str, rpc: Rpc, answer: Answer, sent: str) -> None:
        """Count an answer; keep it where it is a fault."""
        self.codes[kind, answer.code] += 1
        if answer.is_fault:
            shown = sent[:_SENT_CHARS_SHOWN]
            self.faults.append(Fault(kind, rpc.label, answer.code, answer.message, shown))


class Wire:
    """One connection to a suite."""

    def __init__(self, address: str) -> None:
        self._channel = aio.insecure_channel(address, options=_OPTIONS)

    async def close(self) -> None:
        """Close the connection."""
        await self._channel.close()

    async def send(self, rpc: Rpc, *parts: bytes, within_s: float = HANG_S) -> Answer:
        """Send messages, whatever the arity of the rpc, and read until it ends or hangs."""
        method: aio.StreamStreamMultiCallable[bytes, bytes] = self._channel.stream_stream(rpc.path)
        call = method(iter(parts))
        received: list[bytes] = []
        try:
            async with asyncio.timeout(WATCHED_S if rpc.waits else within_s):
                await _read(call, received)
        except aio.AioRpcError as failed:
            return Answer(failed.code().name, failed.details() or "", received)
        except TimeoutError:
            call.cancel()
            code = grpc.StatusCode.OK.name if rpc.waits else HANG
            return Answer(code, f"no end after {within_s:g} s", received)
        return Answer(grpc.StatusCode.OK.name, "", received)


async def _read(call: "aio.StreamStreamCall[bytes, bytes]", received: list[bytes]) -> None:
    """Read to the end; what is beyond the bound is read and not kept."""
    size = 0
    async for message in call:
        size += len(message)
        if size <= _ANSWER_BYTES_MAX:
            received.append(message)
