"""What came, as bytes: the nouns of the archive as ingestion hands them over."""

from dataclasses import dataclass
from enum import StrEnum


class RawForm(StrEnum):
    """How what came was read."""

    JSON_LINES = "json_lines"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Raw:
    """What came, and the session it was read into."""

    namespace: str
    session_id: str
    label: str
    form: RawForm
    content: bytes
