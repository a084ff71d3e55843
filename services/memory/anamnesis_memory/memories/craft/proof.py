"""Writes that put a procedure or a lesson to the test."""

from dataclasses import dataclass, replace

from anamnesis_libs.errors import invalid_field
from anamnesis_memory.domain.lifecycle.proving import recorded, status_after, validated
from anamnesis_memory.model.access import check_etag, visible
from anamnesis_memory.model.edges import derived_from
from anamnesis_memory.model.memory import Caller, Kind, Memory, Status, Visibility
from anamnesis_memory.model.memory_details import Lesson, Part, Procedure, ProcedureStatus
from anamnesis_memory.model.scopes import scope_of
from anamnesis_memory.ports import CommitStamp, Decision, ReadSet, ReadView, WriteSet

EVIDENCE_MAX = 100


@dataclass(frozen=True, slots=True)
class _OfOne:
    """A write about one memory that the caller may see."""

    memory_id: str
    caller: Caller

    def wanted(self) -> ReadSet:
        """The memory."""
        return ReadSet(memories=(self.memory_id,))

    def seen_by_caller(self, seen: ReadView, kind: Kind) -> Memory:
        """The memory.

        Raises:
            MemoryNotFound: there is no such memory that the caller may see.
            InvalidArgument: the memory is of another kind.
        """
        memory = visible(seen.memories, self.memory_id, self.caller)
        if memory.kind is not kind:
            raise invalid_field(
                "memory_id", f"must name a {kind.name} memory, not {memory.kind.name}"
            )
        return memory


@dataclass(frozen=True, slots=True)
class RecordRun(_OfOne):
    """The write behind `ProcedureService.RecordRun`."""

    success: bool

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[Memory]:
        """Add the run to the mean; the status follows it."""
        memory = self.seen_by_caller(seen, Kind.PROCEDURAL)
        part = memory.part if isinstance(memory.part, Procedure) else Procedure(memory.summary)
        runs, rate = recorded(part.runs, part.success_rate, self.success)
        status = status_after(part.status, runs, rate)
        after = _with(memory, replace(part, runs=runs, success_rate=rate, status=status), stamp)
        return Decision(after, WriteSet(memories=(after,)))


@dataclass(frozen=True, slots=True)
class ReviewProcedure(_OfOne):
    """The write behind `ProcedureService.ReviewProcedure`."""

    status: ProcedureStatus
    note: str
    etag: str = ""

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[Memory]:
        """Set where the procedure stands; what is out of use is archived, and back with its use.

        Raises:
            Conflict: the procedure has changed since the reviewer saw it.
        """
        memory = self.seen_by_caller(seen, Kind.PROCEDURAL)
        check_etag(memory, self.etag)
        part = memory.part if isinstance(memory.part, Procedure) else Procedure(memory.summary)
        out_of_use = self.status is ProcedureStatus.DEPRECATED
        since_us = memory.archive_time_us or stamp.now_us
        after = replace(
            _with(memory, replace(part, status=self.status, review_note=self.note), stamp),
            status=Status.ARCHIVED if out_of_use else Status.ACTIVE,
            archive_time_us=since_us if out_of_use else None,
        )
        return Decision(after, WriteSet(memories=(after,)))


@dataclass(frozen=True, slots=True)
class ValidateLesson(_OfOne):
    """The write behind `LessonService.ValidateLesson`."""

    success: bool
    evidence: tuple[str, ...] = ()

    def wanted(self) -> ReadSet:
        """The lesson, and what shows that it held."""
        return ReadSet(memories=(self.memory_id, *self.evidence))

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[Memory]:
        """Move the lesson's confidence.

        Raises:
            MemoryNotFound: it, or some evidence, is not there or not to be seen.
            InvalidArgument: the memory is no lesson, or some evidence is visible to fewer callers.
        """
        memory = self.seen_by_caller(seen, Kind.LEARNING)
        for evidence_id in self.evidence:
            self._check_evidence(evidence_id, memory, seen)
        part = memory.part if isinstance(memory.part, Lesson) else Lesson()
        confidence, proven = validated(memory.confidence, part.validated, self.success)
        united = tuple(dict.fromkeys((*part.evidence_memory_ids, *self.evidence)))
        part = replace(part, validated=proven, evidence_memory_ids=united[:EVIDENCE_MAX])
        after = replace(_with(memory, part, stamp), confidence=confidence)
        edges = derived_from(after, stamp.now_us)
        shown_by = tuple(edge for edge in edges if edge.target_id in self.evidence)
        return Decision(after, WriteSet(memories=(after,), edges=shown_by))

    def _check_evidence(self, evidence_id: str, lesson: Memory, seen: ReadView) -> None:
        shown = visible(seen.memories, evidence_id, self.caller)
        if shown.visibility is not Visibility.SHARED and scope_of(shown) != scope_of(lesson):
            raise invalid_field(
                "evidence_memory_ids",
                f"{evidence_id!r} is visible to fewer callers than the lesson; leave it out, or "
                "create a lesson of your own",
            )


@dataclass(frozen=True, slots=True)
class ApplyLesson(_OfOne):
    """The write behind `LessonService.ApplyLesson`."""

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[Memory]:
        """Count that it was applied."""
        memory = self.seen_by_caller(seen, Kind.LEARNING)
        part = memory.part if isinstance(memory.part, Lesson) else Lesson()
        after = _with(memory, replace(part, applications=part.applications + 1), stamp)
        return Decision(after, WriteSet(memories=(after,)))


def _with(memory: Memory, part: Part, stamp: CommitStamp) -> Memory:
    return replace(memory, part=part, update_time_us=stamp.now_us, revision=stamp.revision)
