"""Segments and what was learned from them, as plain values.

A segment's id is made of agent, session and fingerprint, so that cutting the same text
again gives the same segment, with all that was learned from it. Where the same text occurs
twice in one session the second occurrence gets a counter, and teaches nothing: what it says
was learned from the first.
"""

import hashlib
from dataclasses import dataclass
from enum import StrEnum

from anamnesis_memory.model.session import Session

SEGMENT_ID_DIGITS = 32
SEGMENT_TAG_PREFIX = "segment:"
TAG_DIGITS = 8


class SegmentState(StrEnum):
    """The states of a segment, in their order."""

    NEW = "new"
    LABELLED = "labelled"
    EXTRACTED = "extracted"

    @property
    def rank(self) -> int:
        """The place of the state in the order of states."""
        return list(SegmentState).index(self)


@dataclass(frozen=True, slots=True)
class Segment:
    """A contiguous run of events that is one task; `last_index` is inclusive."""

    segment_id: str
    session_id: str
    first_index: int
    last_index: int
    fingerprint: str
    topic: str
    summary: str
    segmenter: str
    create_time_us: int
    update_time_us: int
    revision: int
    state: SegmentState = SegmentState.NEW
    task_type: str = ""
    score: float | None = None
    metrics_json: str = ""
    labeller: str = ""

    @property
    def tag(self) -> str:
        """The tag of the memories that were learned from the segment."""
        return f"{SEGMENT_TAG_PREFIX}{self.segment_id[:TAG_DIGITS]}"


@dataclass(frozen=True, slots=True)
class Activity:
    """One lesson taken: what was learned from which segment; `refusals` counts by reason."""

    time_us: int
    session_id: str
    segment_id: str
    topic: str
    memory_ids: tuple[str, ...]
    facts: int
    lessons: int
    procedures: int
    refusals: tuple[tuple[str, int], ...]
    extractor: str
    revision: int


@dataclass(frozen=True, slots=True)
class TaskTypeStats:
    """The statistics of tasks of one type; `mean_score` is 0 where none is measured."""

    task_type: str
    segments: int
    mean_score: float
    eligible_for_lessons: int
    eligible_for_sft: int
    labelled: int = 0
    extracted: int = 0


def segment_id_of(session: Session, fingerprint: str, again: int) -> str:
    """SHA-256 over agent, session, fingerprint and, where the text occurs again, how often."""
    parts = [session.agent_id, session.session_id, fingerprint, *([str(again)] if again else [])]
    return hashlib.sha256("\x00".join(parts).encode()).hexdigest()[:SEGMENT_ID_DIGITS]
