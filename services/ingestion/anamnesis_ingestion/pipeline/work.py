"""The nouns of the pipeline: stages, claims, and what a stage came to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class PipelineStage(StrEnum):
    """The stages of work on a session, in this order."""

    SEGMENT = "segment"
    LABEL = "label"
    EXTRACT = "extract"
    COMPRESS = "compress"


LEARNING_STAGES = (PipelineStage.SEGMENT, PipelineStage.LABEL, PipelineStage.EXTRACT)
"""Stages that are due as soon as a session ends; COMPRESS is due two days later."""


class StageState(StrEnum):
    """The state of one stage's work on one session."""

    PENDING = "pending"
    CLAIMED = "claimed"
    FAILED = "failed"
    DEAD = "dead"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class StageClaim:
    """A stage of one session that is ours as long as the lease lasts.

    `session_etag` is the session's at the time of the claim: it is what is worked on.
    """

    namespace: str
    stage: PipelineStage
    session_id: str
    token: int
    session_etag: str
    attempts: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """The claims to make; an empty namespace means any, `even_if_early` takes work not yet due."""

    stages: Sequence[PipelineStage]
    limit: int
    namespace: str = ""
    session_id: str = ""
    even_if_early: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkItem:
    """The work of one stage on one session, as operators see it."""

    stage: PipelineStage
    session_id: str
    state: StageState
    attempts: int
    reason: str
    holder: str
    due_time: datetime | None
    update_time: datetime | None


Counts = Mapping[tuple[PipelineStage, StageState], int]
"""Number of sessions in each state of each stage."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A segment as the ledger has it; event indices are inclusive, `score` None if unmeasured."""

    segment_id: str
    session_id: str
    first_index: int
    last_index: int
    fingerprint: str
    topic: str
    summary: str
    measured: bool
    taught: bool
    task_type: str = ""
    score: float | None = None


@dataclass(frozen=True, slots=True)
class StageOutcome:
    """The result of a stage: numbers of what it stored and refused."""

    segments: int = 0
    facts: int = 0
    lessons: int = 0
    procedures: int = 0
    refused: int = 0
    promoted: int = 0


@dataclass(frozen=True, slots=True)
class Finished:
    """One claim that was worked on; `failure` is empty where the stage is done.

    A claim that somebody else took over is neither done nor failed: `lost`.
    """

    claim: StageClaim
    outcome: StageOutcome = field(default_factory=StageOutcome)
    failure: str = ""
    lost: bool = False
