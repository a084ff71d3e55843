"""Memories that a person names: by id, or by the pointer of a drawer."""

import re
from collections.abc import Sequence

import grpc

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1.memory_pb2 import Memory
from anamnesis.memory.v1.palace_pb2 import POINTER_STATE_GONE
from anamnesis.memory.v1.palace_service_pb2 import ResolvePointerRequest
from anamnesis.memory.v1.palace_service_pb2_grpc import PalaceServiceStub
from anamnesis_cli.failures import Failure, WrongUsage
from anamnesis_cli.memories import read_memories
from anamnesis_cli.target import Target

POINTER = re.compile(r"\s*§.*|\s*W\s*-\s*\d.*", re.IGNORECASE)


def named_memories(
    channel: grpc.Channel, target: Target, caller: Caller, names: Sequence[str]
) -> list[Memory]:
    """The memories in full, in the order in which they are named, each once.

    Raises:
        Failure: one of them is not there, or not to be seen.
        WrongUsage: a pointer leads to a wing or a room.
    """
    ids = [name for name in names if not POINTER.fullmatch(name)]
    found = read_memories(channel, target, caller, ids)
    for name in ids:
        if name not in found:
            raise Failure(f"there is no memory {name}, as far as you may see", _REMEDY)
    memories = [
        found[name] if name in found else _drawer(channel, target, caller, name) for name in names
    ]
    return list({memory.memory_id: memory for memory in memories}.values())


_REMEDY = (
    "`anamnesis search` and `anamnesis facts --wide` show ids and pointers; what is private needs "
    "--user or --as-agent"
)


def _drawer(channel: grpc.Channel, target: Target, caller: Caller, pointer: str) -> Memory:
    request = ResolvePointerRequest(
        namespace=target.working_namespace, caller=caller, pointer=pointer
    )
    found = PalaceServiceStub(channel).ResolvePointer(request, timeout=target.timeout_s)
    if found.state == POINTER_STATE_GONE:
        raise Failure(f"{found.pointer} is gone: what was there was deleted", _REMEDY)
    if not found.HasField("memory"):
        raise WrongUsage(
            f"{found.pointer} is no drawer", f'see what is in it: anamnesis palace "{pointer}"'
        )
    return found.memory
