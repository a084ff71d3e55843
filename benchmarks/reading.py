"""Reading a namespace to its end: every event of its sessions, every memory, by their texts."""

from collections import Counter
from collections.abc import Iterable

from anamnesis.memory.v1.ledger_service_pb2 import ListEventsRequest, ListSessionsRequest
from anamnesis.memory.v1.memory_service_pb2 import ListMemoriesRequest
from benchmarks.stubs import CALL_S_MAX, Stubs

PAGE = 500


async def event_texts(stubs: Stubs, namespace: str) -> Counter[str]:
    """Number of times that each text stands in a session."""
    found: Counter[str] = Counter()
    for session_id in await _sessions(stubs, namespace):
        token = ""
        while True:
            page = await stubs.ledger.ListEvents(
                ListEventsRequest(
                    namespace=namespace, session_id=session_id, page_size=PAGE, page_token=token
                ),
                timeout=CALL_S_MAX,
            )
            found.update(event.content for event in page.events)
            token = page.next_page_token
            if not token:
                break
    return found


async def memory_texts(stubs: Stubs, namespace: str) -> Counter[str]:
    """Number of times that each text is a memory."""
    found: Counter[str] = Counter()
    token = ""
    while True:
        page = await stubs.memory.ListMemories(
            ListMemoriesRequest(namespace=namespace, page_size=PAGE, page_token=token),
            timeout=CALL_S_MAX,
        )
        found.update(memory.content for memory in page.memories)
        token = page.next_page_token
        if not token:
            return found


async def _sessions(stubs: Stubs, namespace: str) -> Iterable[str]:
    names: list[str] = []
    token = ""
    while True:
        page = await stubs.ledger.ListSessions(
            ListSessionsRequest(namespace=namespace, page_size=PAGE, page_token=token),
            timeout=CALL_S_MAX,
        )
        names += [session.session_id for session in page.sessions]
        token = page.next_page_token
        if not token:
            return names
