"""The findings of a verification, and its summary."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from anamnesis_memory.ports.upkeep import RecordType


class FindingKind(StrEnum):
    """The kinds of disagreement; see anamnesis.memory.v1.FindingKind for each."""

    LEDGER = "ledger"
    SESSION = "session"
    REVISION = "revision"
    NOT_PENDING = "not_pending"
    VECTOR = "vector"
    INDEX_MISSING = "index_missing"
    INDEX_DIFFERS = "index_differs"
    INDEX_SURPLUS = "index_surplus"
    TOPIC = "topic"
    SNAPSHOT = "snapshot"
    COUNT = "count"
    SEGMENT = "segment"
    ACTIVITY = "activity"
    WORK = "work"
    UPLOAD = "upload"
    EDGE = "edge"
    COPY = "copy"
    FACT = "fact"
    ENTITY = "entity"
    REVIEW = "review"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that does not agree, and whether it is mended."""

    kind: FindingKind
    id: str
    description: str
    repaired: bool = False


@dataclass(frozen=True, slots=True)
class Summary:
    """The end of a verification."""

    revision: int
    records: Mapping[RecordType, int]
    findings: int
    repaired: int
    index_rebuilt: bool
