"""Work in a namespace that is being imported, and the times from which it is due."""

from collections.abc import Iterator, Mapping, Sequence

from anamnesis_memory.model.memory import Kind, Work
from anamnesis_memory.model.segments import Segment
from anamnesis_memory.model.session import Session
from anamnesis_memory.model.work import WorkItem, WorkKey, made_due, moved
from anamnesis_memory.operations.portable import VERSION_WITHOUT_PIPELINE
from anamnesis_memory.ports.upkeep import Cursors, KeptMemory, Record

DueTimes = Mapping[Work, int]
"""From when the first work of each kind is ready, in microseconds; left out where none is."""
_CLUSTER: WorkKey = (Work.CLUSTER, "")


class ImportedWork:
    """Looks at the records as they are put."""

    def __init__(self, now_us: int) -> None:
        self._now_us = now_us
        self._uncut: dict[str, None] = {}
        self._lessons = False
        self._assigned = True
        self._cluster: WorkItem | None = None
        self._last_token = 0
        self._due_us: dict[Work, int] = {}

    @property
    def due_us(self) -> DueTimes:
        """The times from which the work that was put is due, by kind; lessons are consolidated."""
        return {**self._due_us, Work.MERGE: self._now_us} if self._lessons else self._due_us

    def note(self, records: Sequence[Record]) -> None:
        """Look at some records, as they are put."""
        for record in records:
            match record:
                case Session() if record.event_count:
                    self._uncut[record.session_id] = None
                case Segment():
                    self._uncut.pop(record.session_id, None)
                case KeptMemory():
                    self._lessons |= record.memory.kind is Kind.LEARNING
                case Cursors():
                    self._assigned = record.assigned_revision >= record.revision
                case WorkItem():
                    self._take(moved(record))
                case _:
                    continue

    def has(self, item: WorkItem) -> bool:
        """True if the export holds this piece of work, so that it is counted already."""
        return item.key == _CLUSTER and self._cluster is not None

    def missing(self, version: int, replaced_model: str) -> Iterator[WorkItem]:
        """Return the work to be done besides what the export says, when all of it is put.

        An export of a version without work has sessions to be cut. Lessons are to be
        assigned to topics where the export does not say whether they are, or where their topics
        were left out.
        """
        told = version != VERSION_WITHOUT_PIPELINE
        if not told:
            for session_id in self._uncut:
                yield self._due(None, (Work.SEGMENT, session_id))
        if self._lessons and not self._assigned and (replaced_model or not told):
            yield self._due(self._cluster, _CLUSTER)

    def _due(self, item: WorkItem | None, key: WorkKey) -> WorkItem:
        return made_due(item, key, self._now_us, self._now_us, self._last_token + 1)

    def _take(self, item: WorkItem) -> None:
        self._last_token = max(self._last_token, item.token)
        if item.key == _CLUSTER:
            self._cluster = item
        if item.ready_us is not None:
            known_us = self._due_us.get(item.kind, item.ready_us)
            self._due_us[item.kind] = min(known_us, item.ready_us)
