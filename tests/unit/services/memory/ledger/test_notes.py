"""Notes as writes: where they go, whose they are, and what is refused."""

from dataclasses import replace

import pytest

from anamnesis_libs.errors import InvalidArgument, PermissionDenied
from anamnesis_memory.ledger.append import AppendEvents
from anamnesis_memory.ledger.notes import NOTES_LABEL, WriteNote, in_notes
from anamnesis_memory.model.memory import Memory, Visibility
from anamnesis_memory.model.session import Session, Wing
from anamnesis_memory.ports import CommitStamp, ReadView
from tests.support.records import BASE_US, new_event

STAMP = CommitStamp(7, BASE_US)


def note(text: str = "the key is next door", **fields: str | Visibility) -> AppendEvents:
    stated = AppendEvents(session_id="", events=(new_event(text),))
    return in_notes(replace(stated, **fields))  # type: ignore[arg-type]


def decided(append: AppendEvents, seen: ReadView | None = None) -> Memory:
    return WriteNote(append).decide(seen or ReadView(), STAMP).result


def room(session_id: str, **fields: str | Visibility) -> ReadView:
    held = Session(session_id, 0, 0, 1, wing=1, room=1, next_drawer=4)
    return ReadView(sessions={session_id: replace(held, **fields)})  # type: ignore[arg-type]


def test_owners_have_one_room_for_their_notes() -> None:
    assert note(user_id="mara").session_id == note("another", user_id="mara").session_id
    assert note(user_id="mara").label == NOTES_LABEL
    rooms = [
        note(),
        note(user_id="mara"),
        note(project="mara"),
        note(agent_id="mara"),
        note(user_id="mara", agent_id="scribe"),
        note(user_id="mara", visibility=Visibility.PRIVATE_TO_USER),
    ]
    assert len({one.session_id for one in rooms}) == len(rooms)


def test_a_session_that_is_named_is_the_room() -> None:
    stated = note(user_id="mara", session_id="s-1", label="a call")
    assert (stated.session_id, stated.label) == ("s-1", "a call")


def test_wing_and_room_are_made_in_the_same_write() -> None:
    edits = WriteNote(note(project="apollo")).decide(ReadView(next_wing=3), STAMP).edits
    assert edits.wings == (Wing(3, "project:apollo", next_room=2),)
    (session,) = edits.sessions
    (drawer,) = edits.memories
    assert (session.wing, session.room, session.project) == (3, 1, "apollo")
    assert (drawer.pointer, drawer.content) == ("§ W-003/R-01/D-001", "the key is next door")
    assert [item.kind for item in edits.work] == ["segment"]


def test_it_follows_what_is_in_the_room() -> None:
    seen = room("s-1", user_id="mara")
    assert decided(note(user_id="mara", session_id="s-1"), seen).pointer == "§ W-001/R-01/D-004"
    assert decided(note(session_id="s-1"), seen).user_id == "mara"


@pytest.mark.parametrize(
    ("stated", "owners"),
    [
        ({"user_id": "mara"}, {"user_id": "tom"}),
        ({"user_id": "mara"}, {"agent_id": "scribe"}),
        ({"project": "apollo"}, {"project": "gemini"}),
        ({"project": "apollo"}, {"user_id": "mara"}),
        ({"agent_id": "scribe"}, {"agent_id": "other"}),
    ],
)
def test_it_does_not_go_into_the_room_of_another(
    stated: dict[str, str], owners: dict[str, str]
) -> None:
    with pytest.raises(InvalidArgument, match="session_id"):
        decided(note(session_id="s-1", **stated), room("s-1", **owners))


def test_a_room_that_may_not_be_seen_is_not_told_apart() -> None:
    hidden = room("s-1", user_id="tom", visibility=Visibility.PRIVATE_TO_USER)
    with pytest.raises(PermissionDenied):
        decided(note(session_id="s-1", user_id="mara"), hidden)


def test_a_private_note_needs_somebody_who_may_see_it() -> None:
    with pytest.raises(InvalidArgument, match="user_id"):
        decided(note(project="apollo", visibility=Visibility.PRIVATE_TO_USER))


def test_it_has_to_say_something() -> None:
    with pytest.raises(InvalidArgument, match="content"):
        WriteNote(note(" \n\t"))
