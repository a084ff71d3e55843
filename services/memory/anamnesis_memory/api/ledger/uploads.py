"""The part of LedgerService that keeps the raw archive."""

import asyncio
import hashlib
from collections.abc import AsyncIterator

from grpc import aio

from anamnesis.memory.v1 import ledger_service_pb2 as pb
from anamnesis_libs.errors.not_found import SessionNotFound, UploadNotFound
from anamnesis_memory.api.convert.enums import UPLOAD_FORMAT
from anamnesis_memory.api.convert.upload import from_upload
from anamnesis_memory.api.convert.values import to_caller
from anamnesis_memory.model.memory import Caller
from anamnesis_memory.model.uploads import Upload, upload_id_of
from anamnesis_memory.preparation.archive import PutUpload, ready
from anamnesis_memory.preparation.prepare import Preparer
from anamnesis_memory.runtime.calls import Calls, page_of
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from anamnesis_memory.storage.unpacking import unpacked

REDACTED_AT_ONCE_MAX = 2
CHUNK_BYTES = 256 * 1024


class UploadRpcs:
    """Serves the archive; see the proto for what each rpc promises."""

    def __init__(self, calls: Calls, prepare: Preparer) -> None:
        self._calls = calls
        self._prepare = prepare
        self._redacting = asyncio.Semaphore(REDACTED_AT_ONCE_MAX)

    async def PutUpload(
        self,
        request: pb.PutUploadRequest,
        context: aio.ServicerContext[pb.PutUploadRequest, pb.PutUploadResponse],
    ) -> pb.PutUploadResponse:
        """Archive what came; what is archived already is not redacted again."""
        async with self._calls.reading(request.namespace) as opened:
            await _check_session(opened, request.session_id, to_caller(request.caller))
            known = await _known(opened, request)
            upload = known or await self._put(opened, request)
            return pb.PutUploadResponse(upload=from_upload(upload))

    async def ListUploads(
        self,
        request: pb.ListUploadsRequest,
        context: aio.ServicerContext[pb.ListUploadsRequest, pb.ListUploadsResponse],
    ) -> pb.ListUploadsResponse:
        """List uploads by session and id."""
        page = page_of(request, (str, str))
        after = (str(page.after[0]), str(page.after[1])) if page.after else None
        async with self._calls.reading(request.namespace) as opened:
            found = await opened.store.list_uploads(
                request.session_id, to_caller(request.caller), after, page.size + 1
            )
        uploads, token = page.take(found, lambda one: (one.session_id, one.upload_id))
        return pb.ListUploadsResponse(uploads=map(from_upload, uploads), next_page_token=token)

    async def GetUpload(
        self,
        request: pb.GetUploadRequest,
        context: aio.ServicerContext[pb.GetUploadRequest, pb.GetUploadResponse],
    ) -> AsyncIterator[pb.GetUploadResponse]:
        """Stream one upload."""
        async with self._calls.reading(request.namespace) as opened:
            upload = await _visible(opened, request.upload_id, to_caller(request.caller))
            packed = await opened.store.upload_content(upload.upload_id)
        yield pb.GetUploadResponse(upload=from_upload(upload))
        kept = await asyncio.to_thread(unpacked, packed)
        for start in range(0, len(kept), CHUNK_BYTES):
            yield pb.GetUploadResponse(chunk=kept[start : start + CHUNK_BYTES])

    async def _put(self, opened: OpenNamespace, request: pb.PutUploadRequest) -> Upload:
        form = UPLOAD_FORMAT.from_pb(request.format)
        async with self._redacting:
            new = await asyncio.to_thread(
                ready,
                self._prepare.asking(opened.policy.redaction),
                request.session_id,
                request.label,
                form,
                request.content,
            )
        upload, _ = await self._calls.apply(opened, PutUpload(new))
        return upload


async def _check_session(opened: OpenNamespace, session_id: str, caller: Caller) -> None:
    """Check that the session is there and that the caller may see it.

    Raises:
        SessionNotFound: the session is not there, or may not be seen.
    """
    if await opened.store.session(session_id, caller) is None:
        raise SessionNotFound(session_id)


async def _known(opened: OpenNamespace, request: pb.PutUploadRequest) -> Upload | None:
    digest = await asyncio.to_thread(hashlib.sha256, request.content)
    return await opened.store.upload(upload_id_of(request.session_id, digest.hexdigest()))


async def _visible(opened: OpenNamespace, upload_id: str, caller: Caller) -> Upload:
    """An upload that the caller may see.

    Raises:
        UploadNotFound: there is no such upload.
    """
    upload = await opened.store.upload(upload_id)
    if upload is None or await opened.store.session(upload.session_id, caller) is None:
        raise UploadNotFound(upload_id)
    return upload
