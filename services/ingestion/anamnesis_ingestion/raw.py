"""What came, as bytes: the nouns of the archive as ingestion hands them over."""

from dataclasses import dataclass
from enum import StrEnum

from anamnesis_ingestion.ledger import Caller


class RawForm(StrEnum):
    """How what came was read."""

    JSON_LINES = "json_lines"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Raw:
    """What came, the session it was read into, and for whom."""

    namespace: str
    session_id: str
    label: str
    form: RawForm
    content: bytes
    writer: Caller
