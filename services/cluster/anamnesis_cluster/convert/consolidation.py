"""Duplicates, decisions and runs of consolidation between the wire and the model."""

from datetime import datetime

from anamnesis.cluster.v1 import cluster_service_pb2
from anamnesis.memory.v1 import duplicate_pb2, memory_pb2, sleep_pb2
from anamnesis_cluster.consolidation.cycle import Told
from anamnesis_cluster.consolidation.model import (
    Decision,
    Duplicate,
    LessonText,
    Looked,
    MergeOutcome,
)
from anamnesis_cluster.convert.runs import from_ended
from anamnesis_cluster.runs import Ended
from anamnesis_libs.rpc.enums import EnumCodec

OUTCOME = EnumCodec(duplicate_pb2.DuplicateOutcome, MergeOutcome)


def to_duplicate(found: duplicate_pb2.Duplicate) -> Duplicate:
    """Two lessons that may be one."""
    return Duplicate(
        known=_to_text(found.known),
        other=_to_text(found.other, is_kept=found.contribution),
        similarity=found.similarity,
        contribution=found.contribution,
        certain=found.certain,
        blocked=found.blocked,
        tries=found.tries,
        reason=found.reason,
    )


def from_told(
    told: Told, start: datetime, end: datetime
) -> cluster_service_pb2.ConsolidateResponse:
    """A message of a run that began at a time, `end` being now."""
    match told:
        case Looked():
            progress = cluster_service_pb2.ConsolidationProgress(
                lessons=told.lessons, decisions=told.decisions
            )
            return cluster_service_pb2.ConsolidateResponse(progress=progress)
        case Decision():
            return cluster_service_pb2.ConsolidateResponse(decision=_from_decision(told))
        case Ended():
            return cluster_service_pb2.ConsolidateResponse(
                run=from_ended(told, sleep_pb2.SLEEP_PHASE_MERGE, start, end)
            )


def _from_decision(decision: Decision) -> cluster_service_pb2.ConsolidationDecision:
    found = decision.duplicate
    return cluster_service_pb2.ConsolidationDecision(
        known_id=found.known.memory_id,
        other_id=found.other.memory_id,
        contribution=found.contribution,
        outcome=OUTCOME.to_pb(decision.outcome),
        reason=decision.reason,
        similarity=found.similarity,
        known_content=found.known.content,
        other_content=found.other.content,
        content=decision.text,
    )


def _to_text(memory: memory_pb2.Memory, *, is_kept: bool = False) -> LessonText:
    return LessonText(memory.memory_id, "" if is_kept else memory.etag, memory.content)
