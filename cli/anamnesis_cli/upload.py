"""Streams files to the ingestion service, one after another.

The server numbers the rooms of new sessions as they come: in the order of the files, the same
files have the same pointers wherever they are taken in.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import IO, Protocol, TypeGuard

import grpc

from anamnesis.ingestion.v1.ingestion_service_pb2 import (
    IngestFileHeader,
    IngestFileRequest,
    IngestFileResponse,
)
from anamnesis.ingestion.v1.ingestion_service_pb2_grpc import IngestionServiceStub
from anamnesis.memory.v1.admin_service_pb2 import GetNamespaceRequest
from anamnesis.memory.v1.admin_service_pb2_grpc import AdminServiceStub
from anamnesis_cli.call import error_of
from anamnesis_cli.sources import Source
from anamnesis_cli.target import Target
from anamnesis_libs.errors import (
    AnamnesisError,
    InvalidArgument,
    ResourceExhausted,
    TooLarge,
    Unimplemented,
)

CHUNK_BYTES = 256 * 1024
WAITS_MAX = 60
"""So often a file waits for room on the server."""
_SLOWEST_BYTES_PER_S = 64 * 1024


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """The outcome of one file: a response, or an error."""

    source: Source
    response: IngestFileResponse | None = None
    error: AnamnesisError | OSError | None = None

    @property
    def taken(self) -> IngestFileResponse | None:
        """The response of a file that gave something."""
        return self.response if self.response and self.response.HasField("session") else None

    @property
    def retells(self) -> bool:
        """True if a file only retells a conversation: nothing is missing if it gives nothing."""
        return bool(self.response and not self.taken and self.response.retold)

    @property
    def failed(self) -> bool:
        """True if a file gave nothing, and should have."""
        return not self.taken and not self.retells


@dataclass(frozen=True, slots=True)
class Delivery:
    """The outcome of all files.

    `revision` holds every write, unless it was stopped; it is empty where the server cannot tell.
    `stopped_by` is what kept `left` files from being taken in.
    """

    outcomes: Sequence[FileOutcome] = ()
    revision: str = ""
    stopped_by: AnamnesisError | None = None
    left: int = 0


class Observer(Protocol):
    """The observer of the progress."""

    def sent(self, count_bytes: int) -> None:
        """Take note that so many bytes more were sent."""
        ...

    def done(self, outcome: FileOutcome) -> None:
        """A file is finished."""
        ...


class FileUpload:
    """Files on their way over one channel."""

    def __init__(
        self, header: Callable[[Source], IngestFileHeader], target: Target, observer: Observer
    ) -> None:
        self._header = header
        self._target = target
        self._observer = observer
        self._stopped_by: AnamnesisError | None = None

    def deliver(self, channel: grpc.Channel, sources: Sequence[Source]) -> Delivery:
        """Sends the files; ends early where something is wrong that is not one file's fault."""
        outcomes = list(self._send_all(channel, sources))
        return Delivery(
            outcomes=outcomes,
            revision=self._revision(channel, outcomes),
            stopped_by=self._stopped_by,
            left=len(sources) - len(outcomes),
        )

    def _send_all(self, channel: grpc.Channel, sources: Sequence[Source]) -> Iterator[FileOutcome]:
        threads = ThreadPoolExecutor(1)  # one that an interrupt need not wait for
        try:
            for outcome in threads.map(partial(self._send, channel), sources):
                if outcome is not None:
                    self._observer.done(outcome)
                    yield outcome
        finally:
            # After an interrupt, closing the channel is what ends the call.
            threads.shutdown(wait=False, cancel_futures=True)

    def _send(self, channel: grpc.Channel, source: Source) -> FileOutcome | None:
        if self._stopped_by is not None:
            return None
        for wait in range(WAITS_MAX + 1):
            try:
                return FileOutcome(source, response=self._exchange(channel, source))
            except OSError as unreadable:
                return FileOutcome(source, error=unreadable)
            except grpc.RpcError as failed:
                error = error_of(failed, self._target.server)
            if _is_of_one_file(error):
                return FileOutcome(source, error=error)
            if not _passes(error) or wait == WAITS_MAX:
                self._stopped_by = error
                return None
            time.sleep(error.retry_after_s)
        return None

    def _exchange(self, channel: grpc.Channel, source: Source) -> IngestFileResponse:
        timeout_s = self._target.timeout_s + source.size_bytes / _SLOWEST_BYTES_PER_S
        with source.open() as file:
            requests = _Requests(self._header(source), file, self._observer)
            try:
                return IngestionServiceStub(channel).IngestFile(iter(requests), timeout=timeout_s)
            except grpc.RpcError:
                self._observer.sent(-requests.sent_bytes)
                if requests.unreadable is not None:
                    raise requests.unreadable from None
                raise

    def _revision(self, channel: grpc.Channel, outcomes: Sequence[FileOutcome]) -> str:
        """A revision that holds every write; a file known before answers with an older one."""
        given = [outcome.response.revision for outcome in outcomes if outcome.response]
        if len(given) < 2 or self._stopped_by is not None:
            return given[-1] if given else ""
        request = GetNamespaceRequest(namespace=self._target.working_namespace)
        get_namespace = AdminServiceStub(channel).GetNamespace
        try:
            found = get_namespace(request, timeout=self._target.timeout_s)
        except grpc.RpcError as failed:
            # A server with ingestion alone cannot tell; each file's own revision stands in JSON.
            if isinstance(error_of(failed, self._target.server), Unimplemented):
                return ""
            raise
        return found.namespace.revision


class _Requests:
    """The messages of one file; grpc reads them on a thread of its own and swallows errors."""

    def __init__(self, header: IngestFileHeader, file: IO[bytes], observer: Observer) -> None:
        self._header = header
        self._file = file
        self._observer = observer
        self.unreadable: OSError | None = None
        self.sent_bytes = 0

    def __iter__(self) -> Iterator[IngestFileRequest]:
        yield IngestFileRequest(header=self._header)
        while chunk := self._read():
            yield IngestFileRequest(chunk=chunk)
            self.sent_bytes += len(chunk)
            self._observer.sent(len(chunk))

    def _read(self) -> bytes:
        try:
            return self._file.read(CHUNK_BYTES)
        except OSError as error:
            self.unreadable = error
            raise


def _passes(error: AnamnesisError) -> TypeGuard[ResourceExhausted]:
    """True if the server has no room for the file just now."""
    return isinstance(error, ResourceExhausted) and error.retry_after_s > 0


def _is_of_one_file(error: AnamnesisError) -> bool:
    """True if the error is about this file alone, so that the next one may fare better."""
    if isinstance(error, InvalidArgument):
        return error.reason in ("FILE_NOT_TEXT", "DOCUMENT_UNREADABLE")
    return isinstance(error, TooLarge)
