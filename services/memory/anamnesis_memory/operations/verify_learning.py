"""Verification that segments, what they taught and work agree with sessions and memories."""

from collections.abc import Iterator

from anamnesis_memory.model.memory import Kind, Memory
from anamnesis_memory.model.segments import Activity, Segment
from anamnesis_memory.model.session import Session
from anamnesis_memory.model.work import WorkItem
from anamnesis_memory.operations.findings import Finding, FindingKind


class LearningChecks:
    """Takes records in the order of an export; ids are kept, bodies are not."""

    def __init__(self) -> None:
        self._next_index: dict[str, int] = {}
        self._learned: set[str] = set()
        self._before: Segment | None = None

    def note_session(self, session: Session) -> None:
        """Remember how far a session goes."""
        self._next_index[session.session_id] = session.next_index

    def note_memory(self, memory: Memory) -> None:
        """Remember a memory that may have been learned."""
        if memory.kind is not Kind.EPISODIC:
            self._learned.add(memory.memory_id)

    def check(self, record: Segment | Activity | WorkItem) -> Iterator[Finding]:
        """The findings about one record."""
        match record:
            case Segment():
                kind, name, fault = FindingKind.SEGMENT, record.segment_id, self._segment(record)
            case Activity():
                kind, name, fault = FindingKind.ACTIVITY, record.segment_id, self._activity(record)
            case WorkItem():
                name = f"{record.kind.value} {record.session_id}".rstrip()
                kind, fault = FindingKind.WORK, self._work(record)
        if fault:
            yield Finding(kind, name, fault)

    def _segment(self, segment: Segment) -> str:
        before, self._before = self._before, segment
        first, last = segment.first_index, segment.last_index
        where = f"events {first} to {last} of session {segment.session_id}"
        end = self._next_index.get(segment.session_id)
        if end is None:
            return f"is of session {segment.session_id}, which is not there"
        if not 0 <= first <= last < end:
            return f"is {where}, which has {end}"
        if before and before.session_id == segment.session_id and before.last_index >= first:
            return f"is {where}, and the one before it goes to {before.last_index}"
        return ""

    def _activity(self, activity: Activity) -> str:
        if activity.session_id not in self._next_index:
            return f"was learned from session {activity.session_id}, which is not there"
        missing = [one for one in activity.memory_ids if one not in self._learned]
        return f"names memories that are not there: {', '.join(missing)}" if missing else ""

    def _work(self, item: WorkItem) -> str:
        if not item.session_id or item.session_id in self._next_index:
            return ""
        return f"is about session {item.session_id}, which is not there"
