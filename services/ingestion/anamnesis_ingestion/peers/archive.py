"""The archive behind its port: the memory service, over a channel."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from anamnesis.memory.v1.ledger_service_pb2 import PutUploadRequest
from anamnesis_ingestion.convert.enums import UPLOAD_FORMAT
from anamnesis_ingestion.convert.ledger import from_caller
from anamnesis_ingestion.raw import Raw
from anamnesis_libs.rpc.peers import call

if TYPE_CHECKING:  # a name of the type stubs only
    from anamnesis.memory.v1.ledger_service_pb2_grpc import LedgerServiceAsyncStub

_SHARE_OF_TIME = 0.5


class MemoryArchive:
    """An Archive for the length of one call; it takes at most half of the time that is left.

    So the answer about the events reaches its caller, however long the archive takes.
    """

    def __init__(self, stub: "LedgerServiceAsyncStub", remaining_s: Callable[[], float]) -> None:
        self._stub = stub
        self._remaining_s = remaining_s

    async def put(self, raw: Raw) -> str:
        """Archive the bytes; equal bytes are archived once."""
        request = PutUploadRequest(
            namespace=raw.namespace,
            session_id=raw.session_id,
            label=raw.label,
            format=UPLOAD_FORMAT.to_pb(raw.form),
            content=raw.content,
            caller=from_caller(raw.writer),
        )
        timeout_s = self._remaining_s() * _SHARE_OF_TIME
        answer = await call(self._stub.PutUpload, request, timeout_s=timeout_s)
        return answer.upload.upload_id
