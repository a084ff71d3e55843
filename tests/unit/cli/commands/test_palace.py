"""`anamnesis palace` against a scripted server."""

import json

from anamnesis.memory.v1.event_pb2 import ROLE_FILE, ROLE_USER
from anamnesis.memory.v1.memory_pb2 import MEMORY_STATUS_ARCHIVED, Episode, Memory
from anamnesis.memory.v1.palace_pb2 import (
    POINTER_STATE_FOUND,
    POINTER_STATE_GONE,
    WING_KIND_ENTITY,
    WING_KIND_TOPIC,
    WING_KIND_USER,
    Closet,
    Room,
    Wing,
)
from anamnesis.memory.v1.palace_service_pb2 import (
    ListClosetsRequest,
    ListClosetsResponse,
    ListDrawersRequest,
    ListDrawersResponse,
    ListRoomsRequest,
    ListRoomsResponse,
    ListWingsRequest,
    ListWingsResponse,
    ResolvePointerRequest,
    ResolvePointerResponse,
)
from anamnesis_libs.errors.not_found import PointerNotFound
from tests.support.scripted_suite import Script
from tests.unit.cli.answers import at
from tests.unit.cli.conftest import Run

_MARA = Wing(
    wing_id="W-001",
    kind=WING_KIND_USER,
    name="mara",
    pointer="§ W-001",
    room_count=3,
    drawer_count=21,
    last_activity_time=at("2026-03-14T09:15:00"),
)
_CAFE = Wing(wing_id="E-e-7", kind=WING_KIND_ENTITY, name="Harbour Café", room_count=1)
_ROOM = Room(
    pointer="§ W-001/R-02",
    session_id="s-1",
    label="/home/mara/chat.jsonl",
    closet_count=1,
    drawer_count=4,
    last_activity_time=at("2026-03-14T09:15:00"),
)
_CLOSET = Closet(
    segment_id="g", session_id="s-1", topic="Dinner", first_index=0, last_index=1, drawer_count=2
)


def _drawer(number: int, index: int, text: str, name: str = "") -> Memory:
    return Memory(
        memory_id=f"m-{number}",
        content=text,
        session_id="s-1",
        event_index=index,
        event_time=at("2026-03-02T09:15:00"),
        pointer=f"§ W-001/R-02/D-{number:03d}",
        episode=Episode(role=ROLE_USER, name=name),
    )


_DRAWERS = (
    _drawer(1, 0, "I cannot eat [peanuts].\x1b[2J\nSecond line", "Mara"),
    _drawer(2, 1, "x" * 300),
    _drawer(3, 2, "uncut"),
)
_DRAWERS[1].status = MEMORY_STATUS_ARCHIVED


def _script(script: Script, *wings: Wing) -> None:
    script.answer("ListWings", ListWingsResponse(wings=wings or (_MARA, _CAFE)))
    script.answer("ListRooms", ListRoomsResponse(rooms=[_ROOM], next_page_token="t"))
    script.answer("ListClosets", ListClosetsResponse(closets=[_CLOSET]))
    script.answer("ListDrawers", ListDrawersResponse(memories=_DRAWERS, next_page_token="t"))


def test_wings_and_rooms_with_what_is_in_them(run: Run, script: Script) -> None:
    _script(script)
    answer = run("palace", "-n", "team-a", "--user", "mara")
    assert answer.exit_code == 0
    head, wing, room, rest, cafe = answer.stdout.splitlines()
    assert head == "palace of namespace team-a"
    assert "§ W-001  user mara  3 rooms, 21 drawers, last 2026-03-14 09:15 UTC" in wing
    assert "§ W-001/R-02  chat.jsonl  1 closet, 4 drawers, last 2026-" in room
    assert rest.endswith("2 rooms more")
    assert cafe.endswith("entity Harbour Café  1 room, 0 drawers  E-e-7")
    (asked,) = script.asked(ListRoomsRequest)
    assert (asked.wing_id, asked.page_size, asked.caller.user_id) == ("W-001", 20, "mara")


def test_all_the_way_down(run: Run, script: Script) -> None:
    _script(script, _MARA)
    told = run("palace", "--depth", "drawers", "--limit", "7").stdout
    lines = told.splitlines()
    (closet,) = (n for n, line in enumerate(lines) if "Dinner  events 0-1, 2 drawers" in line)
    assert lines[closet + 1].endswith("§ W-001/R-02/D-001  Mara: I cannot eat [peanuts].␛[2J")
    assert "§ W-001/R-02/D-002 archived  user: xxx" in lines[closet + 2]
    assert "x…" in told
    assert "Second line" not in told
    assert lines[closet + 3].index("§") < lines[closet + 1].index("§")
    assert lines[closet + 4].endswith("1 drawer more")
    (asked,) = script.asked(ListDrawersRequest)
    assert (asked.session_id, asked.entity_id, asked.page_size) == ("s-1", "", 7)


def test_only_wings(run: Run, script: Script) -> None:
    _script(script)
    lines = run("palace", "--depth", "wings", "--kind", "user", "--kind", "topic").stdout
    assert len(lines.splitlines()) == 3
    assert script.asked(ListRoomsRequest) == []
    (asked,) = script.asked(ListWingsRequest)
    assert list(asked.kinds) == [WING_KIND_USER, WING_KIND_TOPIC]


def test_more_wings_than_the_limit_are_told(run: Run, script: Script) -> None:
    _script(script)
    told = run("palace", "--limit", "1").stdout
    assert "Harbour" not in told
    assert "more wings" in told


def test_a_wing_by_name_on_any_page(run: Run, script: Script) -> None:
    _script(script)
    pages = [
        ListWingsResponse(wings=[_MARA], next_page_token="t"),
        ListWingsResponse(wings=[_CAFE]),
    ]
    script.answer("ListWings", *pages)
    told = run("palace", "harbour CAFÉ", "--depth", "drawers").stdout
    assert "E-e-7" in told
    assert "W-001  user" not in told
    (asked,) = script.asked(ListDrawersRequest)
    assert asked.entity_id == "e-7"
    assert [one.page_token for one in script.asked(ListWingsRequest)] == ["", "t"]


def test_a_name_that_is_none(run: Run, script: Script) -> None:
    _script(script)
    answer = run("palace", "nobody")
    assert (answer.exit_code, answer.stdout) == (0, "")
    assert "no wing is called 'nobody' in namespace default" in answer.stderr


def test_an_empty_palace(run: Run, script: Script) -> None:
    script.answer("ListWings", ListWingsResponse())
    assert "nothing is kept yet in namespace default" in run("palace").stderr
    of_kinds = run("palace", "--kind", "topic", "--kind", "user").stderr
    assert "there are no wings of topic, user in namespace default" in of_kinds


def test_the_pointer_of_a_wing_shows_its_closets(run: Run, script: Script) -> None:
    _script(script)
    found = ResolvePointerResponse(state=POINTER_STATE_FOUND, pointer="§ W-001", wing=_MARA)
    script.answer("ResolvePointer", found)
    told = run("palace", "w-1").stdout
    assert "Dinner" in told
    assert script.asked(ListDrawersRequest) == []
    (asked,) = script.asked(ResolvePointerRequest)
    assert asked.pointer == "w-1"


def test_the_pointer_of_a_room_shows_its_drawers(run: Run, script: Script) -> None:
    _script(script)
    found = ResolvePointerResponse(
        state=POINTER_STATE_FOUND, pointer="§ W-001/R-02", wing=_MARA, room=_ROOM
    )
    script.answer("ResolvePointer", found)
    told = run("palace", "§ W-001/R-02").stdout
    assert "D-001" in told
    assert "rooms more" not in told
    assert script.asked(ListRoomsRequest) == []


def test_a_drawer_in_full_with_where_it_stands(run: Run, script: Script) -> None:
    _script(script)
    found = ResolvePointerResponse(
        state=POINTER_STATE_FOUND,
        pointer="§ W-001/R-02/D-001",
        wing=_MARA,
        room=_ROOM,
        memory=_DRAWERS[0],
    )
    script.answer("ResolvePointer", found)
    answer = run("palace", "W-001/R-02/D-001")
    assert answer.stdout.splitlines()[0] == "§ W-001/R-02/D-001"
    for said in (
        "user mara",
        "chat.jsonl",
        "Dinner  events 0-1",
        "session s-1, from /home/mara/chat.jsonl",
        "event   0, 2026-03-02 09:15 UTC",
    ):
        assert said in answer.stdout
    assert answer.stdout.endswith("\n\nI cannot eat [peanuts].␛[2J\nSecond line\n")
    assert script.asked(ListClosetsRequest)[0].session_id == "s-1"


def test_a_drawer_of_a_file_is_from_its_headings(run: Run, script: Script) -> None:
    _script(script)
    drawer = Memory()
    drawer.CopyFrom(_DRAWERS[0])
    drawer.episode.CopyFrom(Episode(role=ROLE_FILE, name="facts.md › Two times"))
    found = ResolvePointerResponse(
        state=POINTER_STATE_FOUND, pointer=drawer.pointer, wing=_MARA, room=_ROOM, memory=drawer
    )
    script.answer("ResolvePointer", found)
    told = run("palace", "W-001/R-02/D-001").stdout
    assert "2026-03-02 09:15 UTC, from facts.md › Two times" in told


def test_what_is_gone_is_told_so(run: Run, script: Script) -> None:
    gone = ResolvePointerResponse(state=POINTER_STATE_GONE, pointer="§ W-001/R-02/D-001")
    script.answer("ResolvePointer", gone)
    answer = run("palace", "§ W-1/R-2/D-1")
    assert answer.exit_code == 0
    assert answer.stdout == "§ W-001/R-02/D-001 is gone: what was there was deleted\n"


def test_a_pointer_that_leads_nowhere_says_what_to_do(run: Run, script: Script) -> None:
    script.answer("ResolvePointer", PointerNotFound("§ W-009"))
    answer = run("palace", "W-009")
    assert answer.exit_code == 1
    assert "leads nowhere" in answer.stderr
    assert "`anamnesis palace` shows what is there" in answer.stderr


def test_json_is_the_tree(run: Run, script: Script) -> None:
    _script(script, _MARA)
    tree = json.loads(run("palace", "--depth", "drawers", "--json").stdout)
    (wing,) = tree["wings"]
    (room,) = wing["rooms"]
    (closet,) = room["closets"]
    assert (wing["name"], room["session_id"], closet["topic"]) == ("mara", "s-1", "Dinner")
    assert [one["memory_id"] for one in closet["drawers"]] == ["m-1", "m-2"]
    assert [one["memory_id"] for one in room["drawers"]] == ["m-3"]
    assert tree["more_wings"] is False
