"""The port for reads of the raw archive; commits fill it. Part of `NamespaceStore`."""

from collections.abc import Sequence
from typing import Protocol

from anamnesis_memory.model.memory import Caller
from anamnesis_memory.model.uploads import Upload


class UploadReads(Protocol):
    """The part of `NamespaceStore` that reads the archive."""

    async def list_uploads(
        self, session_id: str, caller: Caller, after: tuple[str, str] | None, limit: int
    ) -> Sequence[Upload]:
        """List uploads by session and id; empty as session means all."""
        ...

    async def upload(self, upload_id: str) -> Upload | None:
        """Read what is known of one."""
        ...

    async def upload_content(self, upload_id: str) -> bytes:
        """Read one as it is kept, packed; empty where there is none."""
        ...
