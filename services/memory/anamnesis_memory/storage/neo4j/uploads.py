"""The raw archive in Neo4j: a node an upload, and what is kept of it in nodes of 256 KiB."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace

from anamnesis_libs.storage.neo4j import Row
from anamnesis_memory.model.uploads import NewUpload
from anamnesis_memory.ports import ReadSet, ReadView
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.neo4j.rows import node
from anamnesis_memory.storage.neo4j.scope import ScopedTransaction
from anamnesis_memory.storage.neo4j.source import Neo4jSource
from anamnesis_memory.storage.reads.uploads import UploadReader
from anamnesis_memory.storage.upload_rows import upload_of, upload_row

PIECE_BYTES = 256 * 1024
UPLOADS_AT_ONCE = 500
"""Of which is told what is known, without what is kept."""


class Neo4jUploads(UploadReader, Neo4jSource):
    """Implements `UploadReads`; a part of `Neo4jNamespace`."""

    async def upload_content(self, upload_id: str) -> bytes:
        """See `UploadReads.upload_content`."""
        return await _packed(self._scope.read, upload_id)


async def see_uploads(tx: ScopedTransaction, wanted: ReadSet, seen: ReadView) -> ReadView:
    """The view, with the uploads that a write wants to see too."""
    if not wanted.uploads:
        return seen
    found = map(upload_of, map(node, await tx.each("get_uploads", wanted.uploads)))
    return replace(seen, uploads={one.upload_id: one for one in found})


async def stream_uploads(tx: ScopedTransaction) -> AsyncIterator[Row]:
    """Every upload with what is kept of it, by session and id; one is held at a time."""
    after: tuple[str, str] = ("", "")
    while found := await tx.run(
        "some_uploads", after_session=after[0], after_upload=after[1], limit=UPLOADS_AT_ONCE
    ):
        for row in found:
            upload = upload_of(node(row))
            yield {**row, "packed": await _packed(tx.run, upload.upload_id)}
            after = (upload.session_id, upload.upload_id)


async def _packed(run: Callable[..., Awaitable[list[Row]]], upload_id: str) -> bytes:
    pieces: list[bytes] = []
    while found := await run("get_upload_piece", upload_id=upload_id, place=len(pieces)):
        pieces.append(rows.blob(node(found[0])["packed"]))
    return b"".join(pieces)


async def put_upload(tx: ScopedTransaction, new: NewUpload) -> None:
    """Keep an upload, piece by piece; without its session it is passed over."""
    upload_id = new.upload.upload_id
    await tx.run("put_upload", row=dict(upload_row(new.upload)))
    for place, start in enumerate(range(0, len(new.packed), PIECE_BYTES)):
        packed = new.packed[start : start + PIECE_BYTES]
        row: Row = {"upload_id": upload_id, "place": place, "packed": packed}
        await tx.run("put_upload_piece", row=row)
