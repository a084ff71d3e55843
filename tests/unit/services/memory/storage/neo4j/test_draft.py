"""What a draft makes of edits that name the same record twice."""

from dataclasses import replace

from anamnesis_memory.domain.lifecycle.vitals import first_vitals, used
from anamnesis_memory.model.documents import Collection, Document
from anamnesis_memory.model.edges import Edge, EdgeType
from anamnesis_memory.model.memory import Status
from anamnesis_memory.ports import CommitStamp, ReadSet, WriteSet
from anamnesis_memory.storage.neo4j.draft import Clock, Draft, Loaded
from tests.support.records import lesson, rows

MEMORY = lesson("a lesson")
ID = MEMORY.memory_id
ARCHIVE = WriteSet(archived_memories=(ID,))
PUT = WriteSet(memories=(MEMORY,))


def draft(*, known: bool = False) -> Draft:
    """An empty draft over a database that knows the memory, or not."""
    return Draft(Clock(0, 0, 0, 0, 0), Loaded(memories={ID: MEMORY} if known else {}))


def status(over: Draft) -> Status:
    """What the next write would see."""
    return over.seen(ReadSet(memories=(ID,))).memories[ID].status


def test_archiving_is_seen_at_once() -> None:
    over = draft(known=True)
    over.take(ARCHIVE, CommitStamp(1, 10))
    assert status(over) is Status.ARCHIVED
    assert list(over.archived) == [ID]


def test_putting_brings_an_archived_memory_back() -> None:
    over = draft(known=True)
    over.take(ARCHIVE, CommitStamp(1, 10))
    over.take(PUT, CommitStamp(2, 20))
    assert status(over) is Status.ACTIVE
    assert over.archived == {}


def test_archiving_twice_counts_once() -> None:
    over = draft(known=True)
    over.take(ARCHIVE, CommitStamp(1, 10))
    over.take(ARCHIVE, CommitStamp(2, 20))
    assert over.archived == {ID: CommitStamp(1, 10)}


def test_archiving_what_was_just_put() -> None:
    over = draft()
    over.take(PUT, CommitStamp(1, 10))
    over.take(ARCHIVE, CommitStamp(2, 20))
    assert status(over) is Status.ARCHIVED
    assert over.archived == {ID: CommitStamp(2, 20)}


def test_vitals_are_seen_at_once_and_go_with_a_memory_that_is_put_again() -> None:
    over = draft(known=True)
    fares = used(first_vitals(ID, MEMORY.kind, 10), 2, 20)
    over.take(WriteSet(vitals=(fares,)), CommitStamp(1, 20))
    assert over.seen(ReadSet(memories=(ID,))).memories[ID].hit_count == 2
    assert over.life.vitals == {ID: fares}
    over.take(PUT, CommitStamp(2, 30))
    assert over.life.vitals == {}, "what is put brings its own"


def test_an_edge_stays_as_old_as_it_was_unless_it_was_removed() -> None:
    over = draft()
    first = Edge("a", "b", EdgeType.SIMILAR_TO, 0.5, 1, 1)
    later = replace(first, weight=0.9, create_time_us=2, update_time_us=2)
    over.take(WriteSet(edges=(first,)), CommitStamp(1, 1))
    over.take(WriteSet(edges=(later,)), CommitStamp(1, 2))
    assert over.life.edges[first.key] == replace(later, create_time_us=1)
    over.take(WriteSet(removed_edges=(first.key,), edges=(later,)), CommitStamp(1, 3))
    assert over.life.edges[first.key] == later
    assert list(over.life.removed_edges) == [first.key]


def test_a_document_that_was_removed_is_not_seen() -> None:
    over = draft()
    told = Document(Collection.RUN, "r-1", "{}", 1)
    asked = ReadSet(documents=(told.key,))
    over.take(WriteSet(documents=(told,)), CommitStamp(1, 1))
    assert over.seen(asked).documents == {told.key: told}
    over.take(WriteSet(removed_documents=(told.key,)), CommitStamp(1, 2))
    assert over.seen(asked).documents == {}


def test_vectors_without_their_memory_are_to_be_put_before_somebody_looks() -> None:
    over = draft(known=True)
    over.take(WriteSet(embeddings={ID: rows(1.0)}), CommitStamp(1, 1))
    assert over.size == 1
