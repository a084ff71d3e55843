"""Forgetting: what may go, what protects a memory, and what a namespace's policy makes of it.

KEEP: what was observed is never forgotten by itself, retention only ranks, and derived memories
that lie unused are archived. ADAPTIVE: what is forgotten or lies unused is archived, out of every
search but restorable, and removed 30 days later. What is protected is not archived either.
"""

from dataclasses import dataclass
from enum import StrEnum

from anamnesis_memory.domain.lifecycle.days import DAY_US
from anamnesis_memory.domain.lifecycle.tiers import COLD_DAYS, stale
from anamnesis_memory.domain.lifecycle.vitals import Vitals, retention
from anamnesis_memory.model.memory import Kind, Status

RETENTION_MIN = 0.10
CONFIDENCE_FLOOR = 0.1
CENTRALITY_TOP = 0.95
PROVEN_SUCCESS = 0.5
TRUSTED_CONFIDENCE = 0.6
REMOVAL_DAYS = 30


class Forgetting(StrEnum):
    """The policies of a namespace for memories that are no longer used."""

    KEEP = "keep"
    ADAPTIVE = "adaptive"


class Protection(StrEnum):
    """The reasons why a memory is not forgotten."""

    PINNED = "pinned"
    TOP_CENTRALITY = "top_centrality"
    PROVEN_PROCEDURE = "proven_procedure"
    VALIDATED_LESSON = "validated_lesson"
    YOUNG_DRAWER = "young_drawer"
    HOLDS_NOW = "holds_now"
    CALLERS_DOCUMENT = "callers_document"


@dataclass(frozen=True, slots=True)
class ForgettingCandidate:
    """The properties of a memory that the rules of forgetting need.

    Args:
        kind: what it is; the fields below are looked at for their own kind only.
        vitals: how it fares, its tier included.
        status: only what is active can be forgotten.
        confidence: in [0, 1].
        pinned: whether a caller has pinned it.
        procedure_active: a procedure that is to be followed.
        success_rate: of a procedure, in [0, 1].
        validated: a lesson that was applied with success.
        holds_now: a fact whose interval is open or has not ended.
        retention_end_us: when the ledger of a drawer's session goes; None while its pipeline is not
            done and nobody knows; 0 if there is no session.
    """

    kind: Kind
    vitals: Vitals
    status: Status = Status.ACTIVE
    confidence: float = 1.0
    pinned: bool = False
    procedure_active: bool = False
    success_rate: float = 0.0
    validated: bool = False
    holds_now: bool = False
    retention_end_us: int | None = 0


def protection(candidate: ForgettingCandidate, now_us: int) -> Protection | None:
    """The protection of a memory from being forgotten at `now_us`; None if it has none."""
    if candidate.pinned:
        return Protection.PINNED
    if candidate.vitals.centrality >= CENTRALITY_TOP:
        return Protection.TOP_CENTRALITY
    return _protection_of_kind(candidate, now_us)


def _protection_of_kind(candidate: ForgettingCandidate, now_us: int) -> Protection | None:
    match candidate.kind:
        case Kind.PROCEDURAL:
            proven = candidate.procedure_active and candidate.success_rate > PROVEN_SUCCESS
            return Protection.PROVEN_PROCEDURE if proven else None
        case Kind.LEARNING:
            trusted = candidate.validated and candidate.confidence > TRUSTED_CONFIDENCE
            return Protection.VALIDATED_LESSON if trusted else None
        case Kind.EPISODIC:
            return Protection.YOUNG_DRAWER if _young(candidate, now_us) else None
        case Kind.SEMANTIC:
            return Protection.HOLDS_NOW if candidate.holds_now else None
        case Kind.DOCUMENT:
            return Protection.CALLERS_DOCUMENT


def threshold(kind: Kind, confidence: float) -> float:
    """The retention below which a memory is forgotten: 0.10, of doubtful facts sooner."""
    if kind is Kind.SEMANTIC:
        return RETENTION_MIN / max(confidence, CONFIDENCE_FLOOR)
    return RETENTION_MIN


def forgettable(candidate: ForgettingCandidate, now_us: int) -> bool:
    """True if an active memory has faded below its threshold and nothing protects it."""
    if candidate.status is not Status.ACTIVE:
        return False
    if protection(candidate, now_us) is not None:
        return False
    faded_below = threshold(candidate.kind, candidate.confidence)
    return retention(candidate.vitals, now_us) < faded_below


def archivable(
    candidate: ForgettingCandidate, policy: Forgetting, now_us: int, cold_days: float = COLD_DAYS
) -> bool:
    """True if the policy archives an active memory now.

    KEEP archives derived memories (all but drawers) that are stale; ADAPTIVE archives whatever is
    stale or forgettable.
    """
    if candidate.status is not Status.ACTIVE or protection(candidate, now_us) is not None:
        return False
    unused = stale(candidate.vitals, now_us, cold_days)
    if policy is Forgetting.KEEP:
        return unused and candidate.kind is not Kind.EPISODIC
    return unused or forgettable(candidate, now_us)


def due_for_removal(archived_us: int, now_us: int, days: float = REMOVAL_DAYS) -> bool:
    """True if a memory that ADAPTIVE archived at `archived_us` is to be removed by now."""
    return now_us - archived_us >= days * DAY_US


def _young(candidate: ForgettingCandidate, now_us: int) -> bool:
    return candidate.retention_end_us is None or now_us < candidate.retention_end_us
