"""The raw archive: what was ingested is kept as it came, next to the events that were read from it.

It comes after them and never in their way: what is too large, or cannot be archived now, is
ingested all the same, and the answer says why it is not archived.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from libs.errors import AnamnesisError
from libs.logs import failure_fields, logger
from services.ingestion.file_sessions import FileHeader
from services.ingestion.ingest_file import IngestedFile
from services.ingestion.ingest_text import IngestedText, Text
from services.ingestion.ports import Archive
from services.ingestion.raw import Raw, RawForm

ARCHIVED_BYTES_MAX = 10 * 1024 * 1024
_TOO_LARGE = f"larger than {ARCHIVED_BYTES_MAX} bytes"
_LOG = logger("ingestion.archiving")


@dataclass(frozen=True, slots=True)
class Archived:
    """Where it is archived, or why it is not; one of the two is empty."""

    upload_id: str = ""
    not_archived: str = ""


class Tee:
    """Holds what passes through, and lets go of all of it when it becomes too large."""

    def __init__(self) -> None:
        self._held: list[bytes] = []
        self._size_bytes = 0

    async def through(self, chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        """The chunks as they come."""
        async for chunk in chunks:
            self._hold(chunk)
            yield chunk

    @property
    def content(self) -> bytes | None:
        """All that passed; None where it was too large."""
        return None if self._size_bytes > ARCHIVED_BYTES_MAX else b"".join(self._held)

    def _hold(self, chunk: bytes) -> None:
        self._size_bytes += len(chunk)
        if self._size_bytes > ARCHIVED_BYTES_MAX:
            self._held.clear()
        else:
            self._held.append(chunk)


async def archive_file(
    header: FileHeader, file: IngestedFile, content: bytes | None, archive: Archive
) -> Archived:
    """Archive a file under its session."""
    if file.session is None:
        return Archived(not_archived="it holds no event")
    if content is None:
        return Archived(not_archived=_TOO_LARGE)
    session_id = file.session.session_id
    raw = Raw(header.namespace, session_id, header.label, RawForm.JSON_LINES, content)
    return await _kept(raw, archive)


async def archive_text(text: Text, done: IngestedText, archive: Archive) -> Archived:
    """Archive a text under its session."""
    content = text.text.encode()
    if len(content) > ARCHIVED_BYTES_MAX:
        return Archived(not_archived=_TOO_LARGE)
    raw = Raw(text.namespace, done.session_id, text.label, RawForm.TEXT, content)
    return await _kept(raw, archive)


async def _kept(raw: Raw, archive: Archive) -> Archived:
    """A failing archive never fails what has been ingested."""
    try:
        return Archived(upload_id=await archive.put(raw))
    except AnamnesisError as error:
        fields = failure_fields(error, with_text=False)
        _LOG.warning("archiving.failed", namespace=raw.namespace, **fields)
        return Archived(not_archived=f"{error.reason}: {error}")
