"""All that a namespace keeps of one person, as lines of JSON for that person.

    {"type": "session", ...}    each of their sessions, also those with others
    {"type": "event", ...}      all that was said in it, by whomever
    {"type": "memory", ...}     their memories: drawers, facts, lessons, procedures, documents

It is read as the person may see it: nothing of others comes along but what they said to them.
"""

from collections.abc import Iterable, Iterator

import grpc
from google.protobuf.message import Message

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1.filter_pb2 import MemoryFilter
from anamnesis.memory.v1.ledger_service_pb2 import ListEventsRequest, ListSessionsRequest
from anamnesis.memory.v1.ledger_service_pb2_grpc import LedgerServiceStub
from anamnesis.memory.v1.memory_pb2 import MemoryKind
from anamnesis.memory.v1.memory_service_pb2 import ListMemoriesRequest
from anamnesis.memory.v1.memory_service_pb2_grpc import MemoryServiceStub
from anamnesis_cli.output import as_dict, json_text
from anamnesis_cli.target import Target
from anamnesis_libs.paging import PAGE_SIZE_MAX

EVERY_KIND = [kind for kind in MemoryKind.values() if kind]


def lines_of(channel: grpc.Channel, target: Target, user_id: str) -> Iterator[bytes]:
    """The lines, in order: each session with its events, then the memories."""
    caller, space = Caller(user_id=user_id), target.working_namespace
    ledger, timeout_s = LedgerServiceStub(channel), target.timeout_s
    sessions = ListSessionsRequest(
        namespace=space, caller=caller, user_id=user_id, page_size=PAGE_SIZE_MAX
    )
    while True:
        page = ledger.ListSessions(sessions, timeout=timeout_s)
        for session in page.sessions:
            yield _line("session", session)
            yield from _events(ledger, space, caller, session.session_id, timeout_s)
        if not page.next_page_token:
            break
        sessions.page_token = page.next_page_token
    yield from _memories(MemoryServiceStub(channel), space, caller, timeout_s)


def _events(
    ledger: LedgerServiceStub, space: str, caller: Caller, session_id: str, timeout_s: float
) -> Iterator[bytes]:
    request = ListEventsRequest(
        namespace=space, caller=caller, session_id=session_id, page_size=PAGE_SIZE_MAX
    )
    while True:
        page = ledger.ListEvents(request, timeout=timeout_s)
        yield from _lines("event", page.events, session_id=session_id)
        if not page.next_page_token:
            return
        request.page_token = page.next_page_token


def _memories(
    memory: MemoryServiceStub, space: str, caller: Caller, timeout_s: float
) -> Iterator[bytes]:
    own = MemoryFilter(user_id=caller.user_id, kinds=EVERY_KIND, include_archived=True)
    request = ListMemoriesRequest(
        namespace=space, caller=caller, filter=own, page_size=PAGE_SIZE_MAX
    )
    while True:
        page = memory.ListMemories(request, timeout=timeout_s)
        yield from _lines("memory", page.memories)
        if not page.next_page_token:
            return
        request.page_token = page.next_page_token


def _lines(kind: str, messages: Iterable[Message], **beside: str) -> Iterator[bytes]:
    return (_line(kind, one, **beside) for one in messages)


def _line(kind: str, message: Message, **beside: str) -> bytes:
    return f"{json_text({'type': kind, **beside, **as_dict(message)})}\n".encode()
