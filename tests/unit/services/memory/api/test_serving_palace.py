"""Tests of the palace over real channels and SQLite: its lists, its pointers, its notes."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import entity_pb2, event_pb2, ledger_service_pb2, memory_pb2, palace_pb2
from anamnesis.memory.v1 import palace_service_pb2 as pb
from anamnesis_libs.errors import InvalidArgument, PermissionDenied
from anamnesis_libs.errors.not_found import (
    NamespaceNotFound,
    PointerNotFound,
    SessionNotFound,
    WingNotFound,
)
from tests.support.memory_service import IDLE_S, Served, serving
from tests.support.messages import made
from tests.support.pipeline_calls import (
    EXTRACT,
    LABEL,
    SECRET,
    SEGMENT,
    claim,
    lease,
    refused,
    talk,
)

pytestmark = pytest.mark.slow

MARA = Caller(user_id="mara")
PRIVATE = event_pb2.VISIBILITY_PRIVATE_TO_USER
SHARED = event_pb2.VISIBILITY_SHARED


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    """A memory service."""
    async with serving(tmp_path) as running:
        yield running


async def note(served: Served, content: str, **fields: object) -> memory_pb2.Memory:
    """The drawer of a note."""
    request = made(pb.SaveNoteRequest, namespace="n", content=content, **fields)
    return (await served.palace.SaveNote(request)).memory


async def wings(served: Served, caller: Caller | None = None) -> list[palace_pb2.Wing]:
    return list(
        (await served.palace.ListWings(pb.ListWingsRequest(namespace="n", caller=caller))).wings
    )


async def followed(
    served: Served, pointer: str, caller: Caller | None = None
) -> pb.ResolvePointerResponse:
    request = pb.ResolvePointerRequest(namespace="n", pointer=pointer, caller=caller)
    return await served.palace.ResolvePointer(request)


async def drawers(served: Served, **fields: object) -> list[str]:
    """The texts of a room, page by page."""
    request, texts = made(pb.ListDrawersRequest, namespace="n", page_size=2, **fields), []
    while True:
        page = await served.palace.ListDrawers(request)
        texts += [one.content for one in page.memories]
        request.page_token = page.next_page_token
        if not page.next_page_token:
            return texts


async def test_a_note_makes_its_wing_and_its_room(served: Served) -> None:
    first = await note(served, "the key is next door", user_id="mara")
    second = await note(served, "and the spare one too", user_id="mara")
    assert (first.pointer, second.pointer) == ("§ W-001/R-01/D-001", "§ W-001/R-01/D-002")
    assert first.kind == memory_pb2.MEMORY_KIND_EPISODIC
    assert first.episode.role == event_pb2.ROLE_USER
    assert first.event_time.seconds == int(served.clock.now().timestamp())
    assert first.provenance.origin == memory_pb2.ORIGIN_OBSERVED
    (wing,) = await wings(served, MARA)
    assert (wing.wing_id, wing.kind, wing.name) == ("W-001", palace_pb2.WING_KIND_USER, "mara")
    assert (wing.room_count, wing.drawer_count, wing.pointer) == (1, 2, "§ W-001")
    found = await followed(served, second.pointer, MARA)
    assert (found.state, found.memory) == (palace_pb2.POINTER_STATE_FOUND, second)
    assert (found.room.label, found.room.session_id) == ("notes", first.session_id)


async def test_a_note_is_redacted_like_anything(served: Served) -> None:
    kept = await note(served, f"the key is {SECRET}", project=f"apollo {SECRET}")
    assert kept.content == "the key is <LLM_API_KEY>"
    assert [wing.name for wing in await wings(served)] == ["apollo <LLM_API_KEY>"]


async def test_a_note_is_mined_when_its_room_rests(served: Served) -> None:
    kept = await note(served, "the key is next door", agent_id="scribe")
    assert not (await claim(served, SEGMENT)).items
    served.clock.move(seconds=IDLE_S + 1)
    (item,) = (await claim(served, SEGMENT)).items
    assert item.session_id == kept.session_id


async def test_a_note_that_is_sent_twice_is_kept_once(served: Served) -> None:
    first = await note(served, "once", user_id="mara", request_id="r")
    assert await note(served, "once", user_id="mara", request_id="r") == first
    error = await refused(note(served, "another", user_id="mara", request_id="r"))
    assert error.reason == "REQUEST_ID_REUSED"
    assert await drawers(served, session_id=first.session_id, caller=MARA) == ["once"]


async def test_a_private_note_never_stands_in_a_room_that_others_see(served: Served) -> None:
    shared = await note(served, "for all", user_id="mara", visibility=SHARED)
    private = await note(served, "for me", user_id="mara", visibility=PRIVATE)
    assert private.session_id != shared.session_id
    assert (await wings(served))[0].drawer_count == 1
    assert (await wings(served, MARA))[0].drawer_count == 2
    error = await refused(followed(served, private.pointer))
    assert isinstance(error, PointerNotFound)
    assert (await followed(served, private.pointer, MARA)).memory == private
    listed = drawers(served, session_id=private.session_id, caller=Caller(user_id="tom"))
    assert isinstance(await refused(listed), SessionNotFound)


async def test_a_note_goes_into_a_session_of_its_owners(served: Served) -> None:
    await talk(served)
    kept = await note(
        served,
        "by the way",
        session_id="s",
        role=event_pb2.ROLE_ASSISTANT,
        event_time=Timestamp(seconds=7),
    )
    assert (kept.pointer, kept.event_index) == ("§ W-001/R-01/D-003", 2)
    assert (kept.episode.role, kept.event_time.seconds) == (event_pb2.ROLE_ASSISTANT, 7)
    error = await refused(note(served, "hers", session_id="s", user_id="mara"))
    assert isinstance(error, InvalidArgument)
    assert error.violations[0].field == "session_id"
    await note(served, "mine", user_id="mara", session_id="p", visibility=PRIVATE)
    other = await refused(note(served, "x", user_id="tom", session_id="p"))
    assert isinstance(other, PermissionDenied)


async def test_a_note_that_says_nothing_is_refused(served: Served) -> None:
    error = await refused(note(served, " \n "))
    assert isinstance(error, InvalidArgument)
    assert error.violations[0].field == "content"


async def test_lists_come_in_pages_with_their_revision(served: Served) -> None:
    for number in range(5):
        kept = await note(
            served,
            f"note {number}",
            user_id=f"u-{number % 3}",
            visibility=SHARED,
            session_id=f"{number}",
        )
    request, names = pb.ListWingsRequest(namespace="n", page_size=2), []
    while True:
        page = await served.palace.ListWings(request)
        names += [wing.name for wing in page.wings]
        assert page.revision == kept.revision
        request.page_token = page.next_page_token
        if not page.next_page_token:
            break
    assert names == ["u-0", "u-1", "u-2"]
    rooms = await served.palace.ListRooms(
        pb.ListRoomsRequest(namespace="n", wing_id="§ W-002", page_size=1)
    )
    following = await served.palace.ListRooms(
        pb.ListRoomsRequest(
            namespace="n", wing_id="§ W-002", page_size=1, page_token=rooms.next_page_token
        )
    )
    assert [room.session_id for room in (*rooms.rooms, *following.rooms)] == ["1", "4"]
    assert [room.pointer for room in (*rooms.rooms, *following.rooms)] == [
        "§ W-002/R-01",
        "§ W-002/R-02",
    ]
    assert not following.next_page_token


async def test_closets_are_the_segments_of_a_room(served: Served) -> None:
    await talk(served)
    asked = pb.ListClosetsRequest(namespace="n", session_id="s", page_size=1)
    assert not (await served.palace.ListClosets(asked)).closets
    await mined(served)
    page = await served.palace.ListClosets(asked)
    (first,) = page.closets
    asked.page_token = page.next_page_token
    (second,) = (await served.palace.ListClosets(asked)).closets
    assert [(c.topic, c.first_index, c.drawer_count) for c in (first, second)] == [
        ("sorting", 0, 1),
        ("thanks", 1, 1),
    ]
    assert await drawers(served, session_id="s", segment_id=second.segment_id) == ["thanks"]


async def mined(served: Served) -> memory_pb2.Memory:
    """Cut the session in two and learn that its first drawer names Mara."""
    (item,) = (await claim(served, SEGMENT)).items
    pieces = [
        {"first_event_index": n, "last_event_index": n, "fingerprint": f"{n}" * 16, "topic": topic}
        for n, topic in enumerate(("sorting", "thanks"))
    ]
    cut = await served.ledger.ReplaceSegments(
        made(
            ledger_service_pb2.ReplaceSegmentsRequest,
            namespace="n",
            lease=lease(item),
            session_etag=item.session_etag,
            segments=pieces,
            segmenter="test",
        )
    )
    (item,) = (await claim(served, LABEL)).items
    for segment in cut.segments:
        await served.ledger.UpdateSegment(
            ledger_service_pb2.UpdateSegmentRequest(
                namespace="n",
                lease=lease(item),
                segment_id=segment.segment_id,
                task_type="chat",
                score=0.5,
                metrics_json="{}",
                labeller="test",
            )
        )
    await served.ledger.CompleteWork(
        ledger_service_pb2.CompleteWorkRequest(namespace="n", lease=lease(item))
    )
    (item,) = (await claim(served, EXTRACT)).items
    (drawer, _) = (
        await served.palace.ListDrawers(pb.ListDrawersRequest(namespace="n", session_id="s"))
    ).memories
    named = [
        entity_pb2.NamedEntity(name="Mara", kind=entity_pb2.ENTITY_KIND_PERSON),
        entity_pb2.NamedEntity(name="Sorting", kind=entity_pb2.ENTITY_KIND_TOPIC),
    ]
    await served.ledger.RecordLearned(
        ledger_service_pb2.RecordLearnedRequest(
            namespace="n",
            lease=lease(item),
            segment_id=cut.segments[0].segment_id,
            extractor="test",
            mentions=[
                ledger_service_pb2.DrawerMention(memory_id=drawer.memory_id, entity=one)
                for one in named
            ],
        )
    )
    return drawer


async def test_what_drawers_mention_has_wings_of_its_own(served: Served) -> None:
    await talk(served)
    drawer = await mined(served)
    home, *rest = await wings(served)
    assert home.kind == palace_pb2.WING_KIND_NAMESPACE
    by_name = {wing.name: wing for wing in rest}
    person, topic = by_name["Mara"], by_name["Sorting"]
    assert (person.kind, topic.kind) == (palace_pb2.WING_KIND_ENTITY, palace_pb2.WING_KIND_TOPIC)
    assert (person.pointer, person.room_count, person.drawer_count) == ("", 1, 1)
    request = pb.ListRoomsRequest(namespace="n", wing_id=person.wing_id)
    (room,) = (await served.palace.ListRooms(request)).rooms
    assert (room.session_id, room.pointer, room.drawer_count) == ("s", "§ W-001/R-01", 1)
    entity_id = person.wing_id.removeprefix("E-")
    assert await drawers(served, session_id="s", entity_id=entity_id) == [drawer.content]
    only = pb.ListWingsRequest(namespace="n", kinds=[palace_pb2.WING_KIND_TOPIC])
    assert [wing.name for wing in (await served.palace.ListWings(only)).wings] == ["Sorting"]


async def test_what_is_not_there_is_named(served: Served) -> None:
    absent = pb.ListWingsRequest(namespace="none")
    assert isinstance(await refused(served.palace.ListWings(absent)), NamespaceNotFound)
    await note(served, "x", user_id="mara")
    rooms = pb.ListRoomsRequest(namespace="n", wing_id="W-002")
    error = await refused(served.palace.ListRooms(rooms))
    assert isinstance(error, WingNotFound)
    assert error.metadata == {"wing_id": "W-002"}
    error = await refused(followed(served, "w-1/r-7"))
    assert isinstance(error, PointerNotFound)
    assert error.metadata == {"pointer": "§ W-001/R-07"}
    error = await refused(followed(served, "W-1; DROP TABLE wings"))
    assert isinstance(error, InvalidArgument)
    assert error.violations[0].field == "pointer"


async def test_what_is_erased_is_gone(served: Served) -> None:
    kept = await note(served, "x", user_id="mara")
    await served.ledger.DeleteSession(
        ledger_service_pb2.DeleteSessionRequest(
            namespace="n", session_id=kept.session_id, caller=MARA
        )
    )
    found = await followed(served, kept.pointer)
    assert (found.state, found.pointer) == (palace_pb2.POINTER_STATE_GONE, kept.pointer)
    assert not any(found.HasField(name) for name in ("memory", "room", "wing"))
    again = await note(served, "y", user_id="mara")
    assert again.pointer == "§ W-001/R-02/D-001"
    assert again.session_id == kept.session_id
