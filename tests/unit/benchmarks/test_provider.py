"""A runner's documents on their way: sessions of users apart, and no request too large."""

from anamnesis.memory.v1.event_pb2 import Event
from benchmarks.provider import (
    BYTES_AT_ONCE_MAX,
    EVENTS_AT_ONCE_MAX,
    Document,
    _batches,
    _session_of,
)


def test_requests_hold_few_events_or_few_bytes() -> None:
    many = [Event(index=index) for index in range(2 * EVENTS_AT_ONCE_MAX + 1)]
    assert [len(batch) for batch in _batches(many)] == [EVENTS_AT_ONCE_MAX] * 2 + [1]
    long = Event(content="x" * (BYTES_AT_ONCE_MAX // 2 + 1))
    assert [len(batch) for batch in _batches([long, long, Event()])] == [1, 2]
    assert list(_batches([])) == []


def test_a_session_is_of_its_user_and_a_document_without_one_is_alone() -> None:
    documents = [
        Document("1", "a", "ann", session="s"),
        Document("2", "b", "ann", session="s"),
        Document("1", "c", "bob", session="s"),
        Document("s", "d", "ann"),
        Document("1", "e", "ann"),
    ]
    sessions = [_session_of(document) for document in documents]
    assert sessions[0] == sessions[1]
    assert len({session_id for _, session_id in sessions}) == 4
