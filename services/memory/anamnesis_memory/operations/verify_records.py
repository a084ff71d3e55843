"""Verification that the records of a store agree; one pass, ids kept, bodies not."""

from collections.abc import Iterator, Sequence

import numpy as np

from anamnesis_memory.domain.entities.names import KnownEntity, Mention
from anamnesis_memory.domain.facts.review import ReviewReason
from anamnesis_memory.domain.facts.versions import FactVersion, Telling
from anamnesis_memory.model.edges import Edge
from anamnesis_memory.model.memory import Kind, Memory, Status, Vectors
from anamnesis_memory.model.memory_versions import Copy
from anamnesis_memory.model.segments import Activity, Segment
from anamnesis_memory.model.session import Event, Session
from anamnesis_memory.model.stubs import EventStub
from anamnesis_memory.model.uploads import NewUpload
from anamnesis_memory.model.work import WorkItem
from anamnesis_memory.operations.findings import Finding, FindingKind
from anamnesis_memory.operations.portable import ExportTally
from anamnesis_memory.operations.verify_knowledge import KnowledgeChecks
from anamnesis_memory.operations.verify_learning import LearningChecks
from anamnesis_memory.operations.verify_life import LifeChecks
from anamnesis_memory.ports.upkeep import Counts, Kept, KeptMemory, Record
from anamnesis_memory.preparation.archive import is_whole
from anamnesis_memory.runtime.indexing.texts import pieces_of

NORM_TOLERANCE = 1e-3
"""The most by which the length of a float32 vector may differ from 1."""

_Place = tuple[str, int | None]


class RecordChecks:
    """Takes the records of an export in their order."""

    def __init__(self, revision: int, dimension: int) -> None:
        self._revision = revision
        self._dimension = dimension
        self._tally = ExportTally()
        self._sessions: dict[str, int] = {}
        self._expired: dict[str, int] = {}
        # Drawers that no event has named so far: their place, and whether they are active.
        self._drawers: dict[str, tuple[_Place, bool]] = {}
        self._learning = LearningChecks()
        self._life = LifeChecks()
        self.knowledge = KnowledgeChecks()

    @property
    def counts(self) -> Counts:
        """Records seen."""
        return self._tally.counts

    def check(self, records: Sequence[Record]) -> list[Finding]:
        """The findings about some records, as far as they can be told by now."""
        self._tally.add(records)
        return [finding for record in records for finding in self._of(record)]

    def close(self, counts: Counts) -> Iterator[Finding]:
        """The findings that need all records to be seen; `counts` is what the store counts."""
        for memory_id, ((session_id, _), active) in self._drawers.items():
            # a session that is gone as a whole let its drawers stay
            if active and session_id in self._sessions:
                yield Finding(FindingKind.LEDGER, memory_id, "no event has this drawer")
        for session_id, missing in self._sessions.items():
            if missing:
                told = f"counts {missing:+d} events more than it has"
                yield Finding(FindingKind.SESSION, session_id, told)
        yield from self.knowledge.close()
        for kind, count in counts.items():
            if count != self.counts[kind]:
                told = f"the store counts {count}, its records are {self.counts[kind]}"
                yield Finding(FindingKind.COUNT, kind.value, told)

    def _of(self, record: Record) -> Iterator[Finding]:
        match record:
            case Session():
                self._sessions[record.session_id] = record.event_count
                self._expired[record.session_id] = record.expired_before_index
                self._learning.note_session(record)
                yield from self._stamped(record.session_id, record.revision)
            case KeptMemory():
                yield from self._memory(record)
            case Event():
                yield from self._event(record)
            case EventStub() | NewUpload() | Edge() | Copy():
                yield from self._kept(record)
            case Segment() | Activity():
                yield from self._stamped(record.segment_id, record.revision)
                yield from self._learning.check(record)
            case WorkItem():
                yield from self._learning.check(record)
            case KnownEntity() | Mention() | Telling() | FactVersion() | ReviewReason():
                yield from self.knowledge.check(record)
            case _:
                return

    def _memory(self, kept: KeptMemory) -> Iterator[Finding]:
        memory = kept.memory
        self._learning.note_memory(memory)
        self._life.note_memory(memory)
        yield from self.knowledge.note_memory(memory)
        yield from self._stamped(memory.memory_id, memory.revision)
        if memory.kind is Kind.EPISODIC:
            place = (memory.session_id, memory.event_index)
            self._drawers[memory.memory_id] = (place, memory.status is Status.ACTIVE)
        if kept.vectors is not None:
            fault = fault_of_vectors(memory, kept.vectors, self._dimension)
            if fault:
                yield Finding(FindingKind.VECTOR, memory.memory_id, fault)
        elif not kept.pending:
            told = "has no vector and does not wait for one"
            yield Finding(FindingKind.NOT_PENDING, memory.memory_id, told)

    def _event(self, event: Event) -> Iterator[Finding]:
        if event.session_id in self._sessions:
            self._sessions[event.session_id] -= 1
        else:
            told = f"has event {event.index} but is not there itself"
            yield Finding(FindingKind.SESSION, event.session_id, told)
        yield from self._drawer(event)

    def _kept(self, record: Kept) -> Iterator[Finding]:
        match record:
            case Edge() | Copy():
                yield from self._life.check(record)
            case EventStub():
                yield from self._stub(record)
            case NewUpload(upload, packed):
                if upload.session_id not in self._sessions:
                    told = f"is of session {upload.session_id}, which is not there"
                    yield Finding(FindingKind.UPLOAD, upload.upload_id, told)
                if not is_whole(packed):
                    told = "what is kept of it cannot be unpacked"
                    yield Finding(FindingKind.UPLOAD, upload.upload_id, told)

    def _stub(self, stub: EventStub) -> Iterator[Finding]:
        before = self._expired.get(stub.session_id)
        if before is None:
            told = f"has a stub of event {stub.index} but is not there itself"
            yield Finding(FindingKind.SESSION, stub.session_id, told)
        elif stub.index >= before:
            told = f"has a stub of event {stub.index}, and has expired before {before} alone"
            yield Finding(FindingKind.SESSION, stub.session_id, told)
        yield from self._drawer(stub)

    def _drawer(self, held: Event | EventStub) -> Iterator[Finding]:
        """A finding if the drawer that an event or stub names is missing, or another event's."""
        if not held.memory_id:
            return
        place, _ = self._drawers.pop(held.memory_id, (None, False))
        if place != (held.session_id, held.index):
            what = "is of another event" if place else "is not there"
            told = f"the drawer of event {held.index} of session {held.session_id} {what}"
            yield Finding(FindingKind.LEDGER, held.memory_id, told)

    def _stamped(self, record_id: str, revision: int) -> Iterator[Finding]:
        if revision > self._revision:
            told = f"is of revision {revision}, the namespace is at {self._revision}"
            yield Finding(FindingKind.REVISION, record_id, told)


def fault_of_vectors(memory: Memory, vectors: Vectors, dimension: int) -> str:
    """The fault in the vectors of a memory; empty where there is none."""
    pieces = len(pieces_of(memory))
    if vectors.shape != (pieces, dimension):
        return f"has vectors of shape {vectors.shape}, its text makes {(pieces, dimension)}"
    norms = np.linalg.norm(vectors, axis=1)
    if not np.allclose(norms, 1.0, rtol=0, atol=NORM_TOLERANCE):
        return f"has a vector of length {norms[np.argmax(np.abs(norms - 1))]:.4f}"
    return ""


def is_mean(centroid: Vectors, dimension: int) -> bool:
    """True if a centroid may be the mean of a model's vectors."""
    return centroid.shape == (dimension,) and float(np.linalg.norm(centroid)) <= 1 + NORM_TOLERANCE
