"""What a draft makes of edits that name the same record twice."""

from services.memory.model import Status
from services.memory.ports import Edits, Stamp, Wanted
from services.memory.store.neo4j_draft import Clock, Draft, Loaded
from tests.support.records import lesson

MEMORY = lesson("a lesson")
ID = MEMORY.memory_id
ARCHIVE = Edits(archived_memories=(ID,))
PUT = Edits(memories=(MEMORY,))


def draft(*, known: bool = False) -> Draft:
    """An empty draft over a database that knows the memory, or not."""
    return Draft(Clock(0, 0, 0, 0, 0), Loaded(memories={ID: MEMORY} if known else {}))


def status(over: Draft) -> Status:
    """What the next write would see."""
    return over.seen(Wanted(memories=(ID,))).memories[ID].status


def test_archiving_is_seen_at_once() -> None:
    over = draft(known=True)
    over.take(ARCHIVE, Stamp(1, 10))
    assert status(over) is Status.ARCHIVED
    assert list(over.archived) == [ID]


def test_putting_brings_an_archived_memory_back() -> None:
    over = draft(known=True)
    over.take(ARCHIVE, Stamp(1, 10))
    over.take(PUT, Stamp(2, 20))
    assert status(over) is Status.ACTIVE
    assert over.archived == {}


def test_archiving_twice_counts_once() -> None:
    over = draft(known=True)
    over.take(ARCHIVE, Stamp(1, 10))
    over.take(ARCHIVE, Stamp(2, 20))
    assert over.archived == {ID: Stamp(1, 10)}


def test_archiving_what_was_just_put() -> None:
    over = draft()
    over.take(PUT, Stamp(1, 10))
    over.take(ARCHIVE, Stamp(2, 20))
    assert status(over) is Status.ARCHIVED
    assert over.archived == {ID: Stamp(2, 20)}
