"""`anamnesis get`: memories in full, by id or pointer."""

import click
import grpc

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1.memory_service_pb2 import (
    READ_PURPOSE_INTERNAL,
    GetMemoryRequest,
    GetMemoryResponse,
)
from anamnesis.memory.v1.memory_service_pb2_grpc import MemoryServiceStub
from anamnesis_cli.call import run
from anamnesis_cli.memory_rows import print_memory
from anamnesis_cli.named_memories import named_memories
from anamnesis_cli.output import as_dict, console, print_json
from anamnesis_cli.scope import caller_of, caller_options
from anamnesis_cli.target import ClientCommand, Target, pass_target, target_options

_EPILOG = """\
\b
Examples:
  anamnesis get 01a201b99e4c9b8e4c9028cf76a4dd8b
  anamnesis get "§ W-001/R-02/D-007" "§ W-001/R-02/D-008"
  anamnesis get 01a201b99e4c9b8e4c9028cf76a4dd8b --history
"""


@click.command(cls=ClientCommand, epilog=_EPILOG)
@click.argument("names", nargs=-1, required=True, metavar="ID|POINTER...")
@click.option("--history", is_flag=True, help="What it was, and what was merged into it, too.")
@caller_options
@target_options
@pass_target
def get(
    target: Target, names: tuple[str, ...], history: bool, as_agent: str, as_session: str
) -> None:
    """Show memories in full: their text, where they are from, who sees them, how they are used.

    A memory of any kind has an id; a drawer has a pointer too, whose "§" and spaces may be left
    out. To look is not to use: it does not count. `anamnesis palace POINTER` shows what stands
    around a drawer.
    """
    caller = caller_of(target, as_agent, as_session)
    found = run(target, lambda channel: _read(channel, target, caller, names, history=history))
    if target.as_json:
        print_json({"memories": [as_dict(one) for one in found]})
        return
    for place, one in enumerate(found):
        if place:
            console().print()
        print_memory(one.memory, one.copies)


def _read(
    channel: grpc.Channel, target: Target, caller: Caller, names: tuple[str, ...], *, history: bool
) -> list[GetMemoryResponse]:
    memories = named_memories(channel, target, caller, names)
    if not history:
        return [GetMemoryResponse(memory=memory) for memory in memories]
    stub = MemoryServiceStub(channel)
    requests = (
        GetMemoryRequest(
            namespace=target.working_namespace,
            memory_id=memory.memory_id,
            caller=caller,
            purpose=READ_PURPOSE_INTERNAL,
            include_history=True,
        )
        for memory in memories
    )
    return [stub.GetMemory(request, timeout=target.timeout_s) for request in requests]
