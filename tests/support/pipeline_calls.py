"""Calls that tests of the pipeline's rpcs make again and again."""

from collections.abc import Awaitable

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from grpc import aio

from anamnesis.memory.v1 import event_pb2, memory_pb2, memory_service_pb2
from anamnesis.memory.v1 import ledger_service_pb2 as pb
from anamnesis.memory.v1 import work_pb2 as work
from anamnesis_libs.errors import AnamnesisError
from anamnesis_libs.rpc.status import from_rpc_error
from tests.support.memory_service import Served
from tests.support.messages import made

SEGMENT, LABEL = work.WORK_KIND_SEGMENT, work.WORK_KIND_LABEL
EXTRACT, COMPRESS = work.WORK_KIND_EXTRACT, work.WORK_KIND_COMPRESS
CLUSTER = work.WORK_KIND_CLUSTER
SECRET = "sk-abcdefghijklmnopqrstuvwxyz012345"


async def refused(rpc: Awaitable[object]) -> AnamnesisError:
    """The error that a call ends with."""
    with pytest.raises(aio.AioRpcError) as failed:
        await rpc
    return from_rpc_error(failed.value, "memory")


async def talk(
    served: Served, session_id: str = "s", namespace: str = "n", *, end: bool = True
) -> pb.AppendEventsResponse:
    """Two events of a session."""
    events = [
        event_pb2.Event(role=event_pb2.ROLE_USER, content=text, event_time=Timestamp(seconds=1))
        for text in ("how do I sort?", "thanks")
    ]
    request = pb.AppendEventsRequest(
        namespace=namespace, session_id=session_id, events=events, end_session=end
    )
    return await served.ledger.AppendEvents(request)


async def learn(served: Served, namespace: str = "n") -> None:
    """A lesson that a caller states."""
    lesson = memory_service_pb2.NewMemory(
        kind=memory_pb2.MEMORY_KIND_LEARNING, content="wash apples"
    )
    await served.memory.CreateMemory(
        memory_service_pb2.CreateMemoryRequest(namespace=namespace, memory=lesson)
    )


async def claim(served: Served, *kinds: int, **fields: object) -> pb.ClaimWorkResponse:
    """Claim work; of any kind that a session has unless told which."""
    asked = {"kinds": kinds or [SEGMENT], "holder": "w", "limit": 10, **fields}
    return await served.ledger.ClaimWork(made(pb.ClaimWorkRequest, **asked))


def lease(item: work.WorkItem) -> work.Lease:
    """The lease of what was claimed."""
    return work.Lease(kind=item.kind, session_id=item.session_id, token=item.token)


async def listed(served: Served, **fields: object) -> pb.ListWorkResponse:
    """Work of the namespace "n"."""
    return await served.ledger.ListWork(made(pb.ListWorkRequest, namespace="n", **fields))
