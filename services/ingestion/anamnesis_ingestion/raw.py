"""Ingested bytes: the nouns of the archive as ingestion hands them over."""

from dataclasses import dataclass
from enum import StrEnum

from anamnesis_ingestion.ledger import Caller


class RawForm(StrEnum):
    """The form in which ingested bytes were read."""

    JSON_LINES = "json_lines"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Raw:
    """Ingested bytes, the session they were read into, and their writer."""

    namespace: str
    session_id: str
    label: str
    form: RawForm
    content: bytes
    writer: Caller
