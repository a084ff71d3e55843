"""What the fake store tells of the archive, from plain dicts."""

from collections.abc import Sequence

from anamnesis_memory.model.memory import Caller
from anamnesis_memory.model.uploads import Upload
from tests.support.fake_records import Records


class FakeUploads:
    """Implements `UploadReads`; a part of `FakeNamespace`."""

    _records: Records

    async def list_uploads(
        self, session_id: str, caller: Caller, after: tuple[str, str] | None, limit: int
    ) -> Sequence[Upload]:
        """See `UploadReads.list_uploads`."""
        found = [
            new.upload
            for new in self._records.uploads.values()
            if session_id in ("", new.upload.session_id)
            and self._sees_upload(caller, new.upload)
            and (after is None or (new.upload.session_id, new.upload.upload_id) > after)
        ]
        return sorted(found, key=lambda one: (one.session_id, one.upload_id))[:limit]

    async def upload(self, upload_id: str) -> Upload | None:
        """See `UploadReads.upload`."""
        new = self._records.uploads.get(upload_id)
        return new.upload if new else None

    async def upload_content(self, upload_id: str) -> bytes:
        """See `UploadReads.upload_content`."""
        new = self._records.uploads.get(upload_id)
        return new.packed if new else b""

    def _sees_upload(self, caller: Caller, upload: Upload) -> bool:
        session = self._records.sessions[upload.session_id]
        return caller.sees(session.visibility, session.agent_id, session.user_id)
