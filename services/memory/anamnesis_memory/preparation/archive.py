"""Archiving what was ingested: redacted, packed, kept once. Computing here is run on a thread."""

import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from anamnesis_libs.errors.not_found import SessionNotFound
from anamnesis_libs.redaction.policy import PERSON
from anamnesis_memory.model.memory_details import Role
from anamnesis_memory.model.uploads import NewUpload, Upload, UploadFormat, upload_id_of
from anamnesis_memory.ports import CommitStamp, Decision, ReadSet, ReadView, WriteSet
from anamnesis_memory.preparation.prepare import Preparer, speakers_of

_BOM = b"\xef\xbb\xbf"
_SPEECHLESS = frozenset(role.value for role in Role if not role.speaks)
_UNPACKED_AT_ONCE_BYTES = 1 << 20
UNPACKED_BYTES_MAX = 64 << 20
"""A call brings 10 MiB, and what is redacted may be longer."""


@dataclass(frozen=True, slots=True)
class PutUpload:
    """The write behind `LedgerService.PutUpload`."""

    new: NewUpload

    def wanted(self) -> ReadSet:
        """The session, and the upload if it is kept already."""
        upload = self.new.upload
        return ReadSet(sessions=(upload.session_id,), uploads=(upload.upload_id,))

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[Upload]:
        """Keep the upload, unless it is kept; takes no revision.

        Raises:
            SessionNotFound: there is no such session.
        """
        upload = self.new.upload
        if upload.session_id not in seen.sessions:
            raise SessionNotFound(upload.session_id)
        if known := seen.uploads.get(upload.upload_id):
            return Decision(known)
        kept = replace(upload, create_time_us=stamp.now_us)
        return Decision(kept, WriteSet(uploads=(replace(self.new, upload=kept),)))


def ready(
    prepare: Preparer, session_id: str, label: str, form: UploadFormat, content: bytes
) -> NewUpload:
    """The upload as it will be kept: redacted and packed."""
    sha256 = hashlib.sha256(content).hexdigest()
    match form:
        case UploadFormat.JSON_LINES:
            kept, left_out = redacted_lines(prepare, content)
        case UploadFormat.TEXT:
            kept, left_out = prepare.clean(content.decode(errors="replace")).encode(), 0
    upload = Upload(
        upload_id=upload_id_of(session_id, sha256),
        session_id=session_id,
        label=prepare.clean(label),
        sha256=sha256,
        size_bytes=len(content),
        format=form,
        lines_left_out=left_out,
        create_time_us=0,
    )
    return NewUpload(upload, zlib.compress(kept))


def redacted_lines(prepare: Preparer, content: bytes) -> tuple[bytes, int]:
    """The lines that are JSON, each redacted; and how many are not, and are left out."""
    kept: list[bytes] = []
    left_out = 0
    lines = [line for line in content.removeprefix(_BOM).split(b"\n") if line.strip()]
    names = speakers_of(_names(lines)) if prepare.policy.covers(PERSON) else ()
    for line in lines:
        try:
            kept.append(prepare.document(line.decode(), names).encode() + b"\n")
        except (ValueError, RecursionError):
            left_out += 1
    return b"".join(kept), left_out


def _names(lines: Iterable[bytes]) -> Iterator[str]:
    """The names of speakers, as far as messages give them."""
    for line in lines:
        with suppress(ValueError, RecursionError):
            row = json.loads(line)
            for message in (row, row.get("message")) if isinstance(row, dict) else ():
                if isinstance(message, dict) and _is_of_speaker(message):
                    yield str(message.get("name", ""))


def _is_of_speaker(message: Mapping[str, object]) -> bool:
    return "role" in message and str(message["role"]).lower() not in _SPEECHLESS


def is_whole(packed: bytes, bytes_max: int = UNPACKED_BYTES_MAX) -> bool:
    """True if a packed upload can be unpacked to its end; little of it is held at a time."""
    reader, size = zlib.decompressobj(), 0
    try:
        while packed and not reader.eof and size <= bytes_max:
            size += len(reader.decompress(packed, _UNPACKED_AT_ONCE_BYTES))
            packed = reader.unconsumed_tail
    except zlib.error:
        return False
    return reader.eof and size <= bytes_max
