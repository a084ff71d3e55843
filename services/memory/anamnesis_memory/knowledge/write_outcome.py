"""The outcomes of creating memories."""

from dataclasses import dataclass
from enum import StrEnum

from anamnesis_memory.domain.facts.versions import FactVersion
from anamnesis_memory.model.memory import Memory


class CreateOutcome(StrEnum):
    """The outcomes for a memory that was sent."""

    CREATED = "created"
    MERGED = "merged"
    KEPT_APART = "kept_apart"
    CANDIDATE = "candidate"


@dataclass(frozen=True, slots=True)
class Created:
    """The memory that holds what was sent, and how that came.

    Of a fact, `version` is what is known of it now, `closed` names the memories of the facts that
    it gave an end, and `closed_by` those of the facts that gave it its own.
    """

    memory: Memory
    outcome: CreateOutcome = CreateOutcome.CREATED
    version: FactVersion | None = None
    closed: tuple[str, ...] = ()
    closed_by: tuple[str, ...] = ()
