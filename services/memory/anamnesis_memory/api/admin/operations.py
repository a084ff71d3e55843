"""The part of AdminService that looks at a whole namespace: long calls, told as they go."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass

from grpc import aio

from anamnesis.memory.v1 import admin_service_pb2 as pb
from anamnesis_libs.errors import invalid_field
from anamnesis_memory.api.convert.operator import (
    from_chunk,
    from_imported,
    from_namespace,
    from_privatised,
    from_progress,
    from_told,
)
from anamnesis_memory.maintenance.handed_out import HandedOut
from anamnesis_memory.maintenance.runner import Sleeper
from anamnesis_memory.memories.policy import ChangePolicy, users_own
from anamnesis_memory.model.memory import Work
from anamnesis_memory.operations.exporting import export_namespace
from anamnesis_memory.operations.importing import Importer
from anamnesis_memory.operations.privatising import Privatising
from anamnesis_memory.operations.reembed import Reembedder
from anamnesis_memory.operations.verify import Verification
from anamnesis_memory.runtime.calls import Calls
from anamnesis_memory.runtime.indexing.snapshots import Snapshots


@dataclass(frozen=True, slots=True)
class Operations:
    """The verbs of operators."""

    snapshots: Snapshots
    importer: Importer
    reembedder: Reembedder
    sleeper: Sleeper
    handed_out: HandedOut


class OperationRpcs:
    """Serves operators; see the proto for what each rpc promises."""

    def __init__(self, calls: Calls, operations: Operations) -> None:
        self._calls = calls
        self._operations = operations

    async def VerifyConsistency(
        self,
        request: pb.VerifyConsistencyRequest,
        context: aio.ServicerContext[pb.VerifyConsistencyRequest, pb.VerifyConsistencyResponse],
    ) -> AsyncIterator[pb.VerifyConsistencyResponse]:
        """Compare everything with everything, and mend what is derived."""
        async with self._calls.reading(request.namespace) as opened:
            run = Verification(opened, self._operations.snapshots, request.repair).run()
            async with aclosing(run) as told:
                async for one in told:
                    yield from_told(one, opened.namespace)
            self._calls.changed(opened)

    async def ExportNamespace(
        self,
        request: pb.ExportNamespaceRequest,
        context: aio.ServicerContext[pb.ExportNamespaceRequest, pb.ExportNamespaceResponse],
    ) -> AsyncIterator[pb.ExportNamespaceResponse]:
        """Stream everything, as of one revision."""
        async with (
            self._calls.reading(request.namespace) as opened,
            aclosing(export_namespace(opened)) as chunks,
        ):
            async for chunk in chunks:
                yield from_chunk(chunk)

    async def ImportNamespace(
        self,
        request_iterator: AsyncIterator[pb.ImportNamespaceRequest],
        context: aio.ServicerContext[pb.ImportNamespaceRequest, pb.ImportNamespaceResponse],
    ) -> pb.ImportNamespaceResponse:
        """Make a namespace of an export."""
        first = await anext(aiter(request_iterator), None)
        if first is None or not first.HasField("header"):
            raise invalid_field("header", "must open the stream")
        name, chunks = first.header.namespace, _chunks(request_iterator)
        return from_imported(await self._operations.importer.run(name, chunks))

    async def Reembed(
        self,
        request: pb.ReembedRequest,
        context: aio.ServicerContext[pb.ReembedRequest, pb.ReembedResponse],
    ) -> AsyncIterator[pb.ReembedResponse]:
        """Bind a namespace to this server's embedding model."""
        async with self._calls.reading(request.namespace) as opened:
            async with aclosing(self._operations.reembedder.run(opened)) as steps:
                async for progress in steps:
                    yield pb.ReembedResponse(progress=from_progress(progress))
            async with self._calls.work_due(opened, ((Work.MERGE, self._calls.now_us()),)):
                self._calls.changed(opened)
            bound = from_namespace(opened.namespace, opened.store.revision)
            yield pb.ReembedResponse(namespace=bound)

    async def MakePrivate(
        self,
        request: pb.MakePrivateRequest,
        context: aio.ServicerContext[pb.MakePrivateRequest, pb.MakePrivateResponse],
    ) -> AsyncIterator[pb.MakePrivateResponse]:
        """Make what is shared each user's own."""
        async with self._calls.changing(request.namespace) as opened:
            opened.policy, _ = await self._calls.apply(opened, ChangePolicy(users_own))
            run = Privatising(opened, self._calls.clock)
            async with aclosing(run.run()) as steps:
                async for progress in steps:
                    yield pb.MakePrivateResponse(progress=from_progress(progress))
                    self._calls.changed(opened)
            yield pb.MakePrivateResponse(done=from_privatised(run.done))


async def _chunks(requests: AsyncIterator[pb.ImportNamespaceRequest]) -> AsyncIterator[bytes]:
    """The bytes behind the header.

    Raises:
        InvalidArgument: there is a second header.
    """
    async for request in requests:
        if request.HasField("header"):
            raise invalid_field("header", "must come once, before the bytes")
        yield request.chunk
