"""Traces of erased drawers in the ledger of a session that stays. Pure.

The event keeps its place and its digest, so that the same event sent again is known and not
stored; text, name, tool calls and reasoning go. Topic, summary and measures of a segment that had
the event are emptied too, for they may quote any event of the segment.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from anamnesis_memory.model.memory import Kind, Memory
from anamnesis_memory.model.segments import Segment
from anamnesis_memory.model.session import Event
from anamnesis_memory.ports import CommitStamp, ReadView


def places_of(memories: Iterable[Memory]) -> tuple[tuple[str, int], ...]:
    """The places of the drawers among these memories: sessions and event indices."""
    return tuple(
        (memory.session_id, memory.event_index)
        for memory in memories
        if memory.kind is Kind.EPISODIC and memory.session_id and memory.event_index is not None
    )


def emptied_events(seen: ReadView, drawers: Iterable[Memory]) -> Iterator[Event]:
    """The events of drawers, without what was said, called and thought."""
    for memory in drawers:
        for place in places_of([memory]):
            event = seen.events.get(place)
            if event is not None and event.memory_id == memory.memory_id:
                yield Event(
                    session_id=event.session_id,
                    index=event.index,
                    role=event.role,
                    content="",
                    digest=event.digest,
                    event_time_us=event.event_time_us,
                    source_line=event.source_line,
                    utc_offset_minutes=event.utc_offset_minutes,
                )


def emptied_segments(
    seen: ReadView, drawers: Iterable[Memory], stamp: CommitStamp
) -> Iterator[Segment]:
    """The segments that had the drawers, without what was said about those drawers."""
    places = places_of(drawers)
    for session_id in dict.fromkeys(session_id for session_id, _ in places):
        for segment in seen.segments.get(session_id, ()):
            touched = any(
                session_id == place[0] and segment.first_index <= place[1] <= segment.last_index
                for place in places
            )
            if touched and (segment.topic or segment.summary or segment.metrics_json):
                yield replace(
                    segment,
                    topic="",
                    summary="",
                    metrics_json="",
                    update_time_us=stamp.now_us,
                    revision=stamp.revision,
                )
