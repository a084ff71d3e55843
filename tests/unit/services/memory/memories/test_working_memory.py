"""Working memories as a namespace keeps them."""

from anamnesis_memory.domain.lifecycle.working import WorkingBoard, WorkingItem, Zone
from anamnesis_memory.memories.working_memory import (
    ClearZones,
    Owner,
    PutItems,
    StartSession,
    board_of,
    without_recalled,
)
from anamnesis_memory.model.documents import Document
from anamnesis_memory.ports import CommitStamp, ReadView

STAMP = CommitStamp(9, 1_000)
OWNER = Owner("planner", "ada")


def item(item_id: str, zone: Zone, memory_id: str = "") -> WorkingItem:
    """Ten tokens."""
    return WorkingItem(item_id, zone, f"text of {item_id}", 0.5, 0, 10, memory_id)


def kept(write: PutItems | ClearZones | StartSession, held: Document | None) -> Document:
    """The document after a write."""
    seen = ReadView(documents={OWNER.key: held} if held else {})
    (document,) = write.decide(seen, STAMP).edits.documents
    return document


def test_a_board_is_kept_and_read_back_with_the_time_of_its_commit() -> None:
    started = kept(StartSession(OWNER, "s-1"), None)
    document = kept(PutItems(OWNER, [item("a", Zone.ACTIVE)]), started)
    assert (document.agent_id, document.user_id, document.session_id) == ("planner", "ada", "s-1")
    board = board_of(OWNER, document)
    (found,) = board.items
    assert (board.session_id, found.item_id, found.zone) == ("s-1", "a", Zone.ACTIVE)
    assert found.create_us == 1_000


def test_agents_and_users_have_boards_of_their_own() -> None:
    owners = [Owner("a", "b"), Owner("a,b", ""), Owner("b", "a"), Owner('a", "b', "")]
    assert len({owner.key for owner in owners}) == len(owners)


def test_what_changes_nothing_is_not_written() -> None:
    held = kept(StartSession(OWNER, "s-1"), None)
    seen = ReadView(documents={OWNER.key: held})
    for write in (StartSession(OWNER, "s-1"), ClearZones(OWNER, (Zone.ACTIVE,))):
        assert not write.decide(seen, STAMP).edits.documents


def test_recall_goes_in_place_of_what_recall_brought() -> None:
    first = [item("rules", Zone.SYSTEM), item("old", Zone.STAGING, "old")]
    held = kept(PutItems(OWNER, first), None)
    write = PutItems(OWNER, [item("new", Zone.STAGING, "new")], instead_of=Zone.STAGING)
    board = board_of(OWNER, kept(write, held))
    assert [one.item_id for one in board.items] == ["rules", "new"]


def test_what_may_not_be_seen_any_more_is_out_of_staging_alone() -> None:
    items = (item("a", Zone.ACTIVE, "m"), item("b", Zone.STAGING, "m"), item("c", Zone.STAGING))
    left = without_recalled(WorkingBoard("board", "s", items), frozenset(["m"]))
    assert [one.item_id for one in left.items] == ["a", "c"]
