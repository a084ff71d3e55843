"""The ledger behind its port: the memory service, over a channel."""

import uuid
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from anamnesis.memory.v1.ledger_service_pb2 import GetSessionRequest
from anamnesis_ingestion.convert.ledger import from_append, from_caller, to_appended, to_session
from anamnesis_ingestion.ledger import Append, Appended, Caller, Session
from anamnesis_libs.rpc.peers import call

if TYPE_CHECKING:  # a name of the type stubs only
    from anamnesis.memory.v1.ledger_service_pb2_grpc import LedgerServiceAsyncStub


class MemoryLedger:
    """A Ledger for the length of one call, whose remaining time bounds each of its own."""

    def __init__(self, stub: "LedgerServiceAsyncStub", remaining_s: Callable[[], float]) -> None:
        self._stub = stub
        self._remaining_s = remaining_s

    async def append(self, write: Append) -> Appended:
        """Store the events; a write that the channel repeats is stored once."""
        request = from_append(_repeatable(write))
        return to_appended(
            await call(self._stub.AppendEvents, request, timeout_s=self._remaining_s())
        )

    async def session(self, namespace: str, session_id: str, caller: Caller) -> Session:
        """Return a session."""
        request = GetSessionRequest(
            namespace=namespace, session_id=session_id, caller=from_caller(caller)
        )
        answer = await call(self._stub.GetSession, request, timeout_s=self._remaining_s())
        return to_session(answer.session)


def _repeatable(write: Append) -> Append:
    """Give a request id to a write that would append anew when it is sent again.

    A channel repeats what was UNAVAILABLE, and cannot know whether it was committed before the
    connection broke. Events with an index are safe by themselves.
    """
    if write.request_id or all(event.index is not None for event in write.events):
        return write
    return replace(write, request_id=uuid.uuid4().hex)
