"""The raw archive: what was ingested is kept as it came, next to the events that were read from it.

It comes after them and never in their way: what is too large, or cannot be archived now, is
ingested all the same, and the answer says why it is not archived.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Self

from anamnesis_ingestion.intake.files.file_sessions import FileHeader
from anamnesis_ingestion.intake.files.ingest_file import IngestedFile
from anamnesis_ingestion.intake.files.room import Room
from anamnesis_ingestion.intake.ingest_text import IngestedText, Text
from anamnesis_ingestion.ports import Archive
from anamnesis_ingestion.raw import Raw, RawForm
from anamnesis_libs.errors import AnamnesisError
from anamnesis_libs.logs import failure_fields, logger

ARCHIVED_BYTES_MAX = 10 * 1024 * 1024
HELD_BYTES_MAX = 8 * ARCHIVED_BYTES_MAX
_TOO_LARGE = f"larger than {ARCHIVED_BYTES_MAX} bytes"
_NO_ROOM = "too many files come at once to hold this one too; send it again to have it archived"
_LOG = logger("ingestion.archiving")


@dataclass(frozen=True, slots=True)
class Archived:
    """The id of an archived upload, or the reason why there is none; one of the two is empty."""

    upload_id: str = ""
    not_archived: str = ""


class Tee:
    """Holds what passes through, and lets go of all of it when it becomes too much.

    `let_go` then says why. What it holds is held until its block ends.
    """

    def __init__(self, room: Room) -> None:
        self.let_go = ""
        self._room = room
        self._held: list[bytes] = []
        self._held_bytes = 0

    def __enter__(self) -> Self:
        """Begin with nothing."""
        return self

    def __exit__(self, *_: object) -> None:
        """Let go of everything."""
        self._clear()

    async def through(self, chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        """The chunks as they come."""
        async for chunk in chunks:
            if not self.let_go:
                self._hold(chunk)
            yield chunk

    @property
    def content(self) -> bytes:
        """All that passed; empty where it was let go of."""
        return b"".join(self._held)

    def _hold(self, chunk: bytes) -> None:
        if self._held_bytes + len(chunk) > ARCHIVED_BYTES_MAX:
            self.let_go = _TOO_LARGE
        elif not self._room.take(len(chunk)):
            self.let_go = _NO_ROOM
        else:
            self._held.append(chunk)
            self._held_bytes += len(chunk)
            return
        self._clear()

    def _clear(self) -> None:
        self._room.give_back(self._held_bytes)
        self._held.clear()
        self._held_bytes = 0


async def archive_file(
    header: FileHeader, file: IngestedFile, tee: Tee, archive: Archive
) -> Archived:
    """Archive a file under its session."""
    if file.session is None:
        return Archived(not_archived="it holds no event")
    if tee.let_go:
        return Archived(not_archived=tee.let_go)
    session_id = file.session.session_id
    raw = Raw(
        header.namespace, session_id, header.label, RawForm.JSON_LINES, tee.content, header.writer
    )
    return await _kept(raw, archive)


async def archive_text(text: Text, done: IngestedText, archive: Archive) -> Archived:
    """Archive a text under its session."""
    content = text.text.encode()
    if len(content) > ARCHIVED_BYTES_MAX:
        return Archived(not_archived=_TOO_LARGE)
    raw = Raw(text.namespace, done.session_id, text.label, RawForm.TEXT, content, text.writer)
    return await _kept(raw, archive)


async def _kept(raw: Raw, archive: Archive) -> Archived:
    """Archive the bytes; a failure is the answer, and never fails the ingestion."""
    try:
        return Archived(upload_id=await archive.put(raw))
    except AnamnesisError as error:
        fields = failure_fields(error, with_text=False)
        _LOG.warning("archiving.failed", namespace=raw.namespace, **fields)
        return Archived(not_archived=f"{error.reason}: {error}")
