"""The palace over a real process: what a context cites can be followed, also after a restart."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.ingestion.v1 import ingestion_service_pb2
from anamnesis.memory.v1 import event_pb2, ledger_service_pb2
from anamnesis.memory.v1 import palace_service_pb2 as pb
from anamnesis.memory.v1.palace_pb2 import (
    POINTER_STATE_FOUND,
    POINTER_STATE_GONE,
    WING_KIND_PROJECT,
)
from anamnesis.retrieval.v1 import retrieval_service_pb2
from tests.support.clients import Clients, clients_of, everywhere
from tests.support.processes import start

SPACE = "orchard"
SETTINGS = {"ANAMNESIS_MODELS__EMBEDDER": "static"}
POINTER = re.compile(r"§ W-\d+/R-\d+/D-\d+")
TALK = (
    "Mara is allergic to peanuts, so the café in Hangzhou cooks without them.",
    "The flour invoice of the harbour café is due on Thursday.",
    "Tom repairs the oven of the café next week.",
)
pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]


async def tell(clients: Clients, session_id: str, **owners: str) -> str:
    """Say the talk in a session; the revision of the write."""
    events = [
        event_pb2.Event(role=event_pb2.ROLE_USER, content=text, event_time=Timestamp(seconds=1))
        for text in TALK
    ]
    request = ingestion_service_pb2.AppendEventsRequest(
        namespace=SPACE,
        session_id=session_id,
        events=events,
        project=owners.get("project", ""),
        user_id=owners.get("user", ""),
    )
    return (await clients.ingestion.AppendEvents(request)).revision


async def cited(clients: Clients, revision: str = "") -> Sequence[tuple[str, str]]:
    """The pointers that stand in a context, and the memories that they are said to be."""
    request = retrieval_service_pb2.BuildContextRequest(
        namespace=SPACE,
        query="what about the café?",
        limit=10,
        pointers=True,
        at_least_revision=revision,
    )
    block = await clients.retrieval.BuildContext(request)
    citations = [(one.pointer, one.memory_id) for one in block.citations]
    assert POINTER.findall(block.text) == [pointer for pointer, _ in citations]
    return citations


async def follow(clients: Clients, pointer: str) -> pb.ResolvePointerResponse:
    return await clients.palace.ResolvePointer(
        pb.ResolvePointerRequest(namespace=SPACE, pointer=pointer)
    )


async def test_what_a_context_cites_can_be_followed(tmp_path: Path) -> None:
    process = start(tmp_path / "data", settings=SETTINGS)
    async with clients_of(everywhere(process.address)) as clients:
        await tell(clients, "s-1", user="mara")
        citations = await cited(clients, await tell(clients, "s-2", project="apollo"))
        assert len(citations) >= 3
        for pointer, memory_id in citations:
            found = await follow(clients, pointer)
            assert (found.state, found.memory.memory_id) == (POINTER_STATE_FOUND, memory_id)
        page = await clients.palace.ListWings(
            pb.ListWingsRequest(namespace=SPACE, kinds=[WING_KIND_PROJECT])
        )
        (wing,) = page.wings
        assert (wing.pointer, wing.name, wing.drawer_count) == ("§ W-002", "apollo", len(TALK))
        await clients.ledger.DeleteSession(
            ledger_service_pb2.DeleteSessionRequest(namespace=SPACE, session_id="s-2")
        )
    assert process.stop() == 0, "".join(process.output)

    process = start(tmp_path / "data", settings=SETTINGS)
    async with clients_of(everywhere(process.address)) as clients:
        await tell(clients, "s-2", project="apollo")
        for pointer, memory_id in citations:
            found = await follow(clients, pointer)
            if pointer.startswith("§ W-001"):
                assert (found.state, found.memory.memory_id) == (POINTER_STATE_FOUND, memory_id)
            else:
                assert (found.state, found.pointer) == (POINTER_STATE_GONE, pointer)
        again = (await follow(clients, "W-003/R-01/D-001")).memory
        assert again.content == TALK[0]
    assert process.stop() == 0, "".join(process.output)
