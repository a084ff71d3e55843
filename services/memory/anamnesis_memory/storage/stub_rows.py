"""Rows of stubs to values and back; shared by the databases."""

from anamnesis_memory.model.stubs import EventStub, stub_mark
from anamnesis_memory.storage import rows


def stub_row(stub: EventStub) -> rows.Bindings:
    """A stub as stored."""
    return {
        "session_id": stub.session_id,
        "event_index": stub.index,
        "memory_id": stub.memory_id,
        "mark": stub.mark,
    }


def stub_of(row: rows.Record) -> EventStub:
    """A row of stubs."""
    return EventStub(
        session_id=rows.text(row["session_id"]),
        index=rows.number(row["event_index"]),
        memory_id=rows.text(row["memory_id"]),
        mark=rows.blob(row["mark"]),
    )


def stub_of_event(secret: bytes, session_id: str, event: rows.Record) -> EventStub:
    """The stub of a row of events: its place, its drawer, and a mark of its digest."""
    index = rows.number(event["event_index"])
    mark = stub_mark(secret, session_id, index, rows.blob(event["digest"]))
    return EventStub(session_id, index, rows.text(event["memory_id"]), mark)
