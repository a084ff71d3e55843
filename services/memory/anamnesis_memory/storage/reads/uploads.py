"""Reads of the raw archive: which uploads there are, without what is kept of them."""

from collections.abc import Sequence

from anamnesis_memory.model.memory import Caller
from anamnesis_memory.model.uploads import Upload
from anamnesis_memory.storage.pipeline_rows import caller_row
from anamnesis_memory.storage.reads.source import RowSource
from anamnesis_memory.storage.upload_rows import upload_of


class UploadReader(RowSource):
    """Implements `UploadReads`, but for an upload's bytes."""

    async def list_uploads(
        self, session_id: str, caller: Caller, after: tuple[str, str] | None, limit: int
    ) -> Sequence[Upload]:
        """See `UploadReads.list_uploads`."""
        after_session, after_upload = after or (session_id, "")
        found = await self._rows(
            "list_uploads_of_session" if session_id else "list_uploads",
            **caller_row(caller),
            session_id=session_id,
            after_session=after_session,
            after_upload=after_upload,
            limit=limit,
        )
        return [upload_of(row) for row in found]

    async def upload(self, upload_id: str) -> Upload | None:
        """See `UploadReads.upload`."""
        found = await self._rows("get_uploads", ids=[upload_id])
        return upload_of(found[0]) if found else None
