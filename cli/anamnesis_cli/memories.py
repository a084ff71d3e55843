"""Reads memories by their ids, as somebody who looks at them and does not use them."""

from collections.abc import Iterable

import grpc

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1.memory_pb2 import Memory
from anamnesis.memory.v1.memory_service_pb2 import READ_PURPOSE_INTERNAL, BatchGetMemoriesRequest
from anamnesis.memory.v1.memory_service_pb2_grpc import MemoryServiceStub
from anamnesis_cli.target import Target

_BATCH_MAX = 500


def read_memories(
    channel: grpc.Channel, target: Target, caller: Caller, memory_ids: Iterable[str]
) -> dict[str, Memory]:
    """Memories that the caller may see, by id."""
    ids = list(dict.fromkeys(memory_ids))
    memories: dict[str, Memory] = {}
    for at in range(0, len(ids), _BATCH_MAX):
        asked = BatchGetMemoriesRequest(
            namespace=target.working_namespace,
            memory_ids=ids[at : at + _BATCH_MAX],
            caller=caller,
            purpose=READ_PURPOSE_INTERNAL,
        )
        found = MemoryServiceStub(channel).BatchGetMemories(asked, timeout=target.timeout_s)
        memories.update((memory.memory_id, memory) for memory in found.memories)
    return memories
