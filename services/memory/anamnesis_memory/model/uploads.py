"""The raw archive as plain values: files and texts as they came, after redaction.

An upload's id is made of its session and of what came, so that the same again is the same upload.
"""

import hashlib
from dataclasses import dataclass
from enum import StrEnum

UPLOAD_ID_DIGITS = 32


class UploadFormat(StrEnum):
    """The formats of an upload, which decide how it is read and redacted."""

    JSON_LINES = "json_lines"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Upload:
    """The record of an upload; `sha256` (in hex) and `size_bytes` are of the bytes that came."""

    upload_id: str
    session_id: str
    label: str
    sha256: str
    size_bytes: int
    format: UploadFormat
    lines_left_out: int
    create_time_us: int


@dataclass(frozen=True, slots=True)
class NewUpload:
    """An upload with its content; `packed` is what is left after redaction, by zlib."""

    upload: Upload
    packed: bytes


def upload_id_of(session_id: str, sha256: str) -> str:
    """SHA-256 over session and digest, first 32 hex digits."""
    named = f"{session_id}\x00{sha256}"
    return hashlib.sha256(named.encode()).hexdigest()[:UPLOAD_ID_DIGITS]
