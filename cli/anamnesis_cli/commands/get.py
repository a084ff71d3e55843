"""`anamnesis get`: memories in full, by id or pointer."""

from collections.abc import Sequence
from dataclasses import dataclass

import click
import grpc

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1.knowledge_pb2 import GraphNode
from anamnesis.memory.v1.memory_pb2 import Memory
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
from anamnesis_cli.told_links import linked, print_links

_EPILOG = """\
\b
Examples:
  anamnesis get 01a201b99e4c9b8e4c9028cf76a4dd8b
  anamnesis get "§ W-001/R-02/D-007" "§ W-001/R-02/D-008"
  anamnesis get 01a201b99e4c9b8e4c9028cf76a4dd8b --history
  anamnesis get 01a201b99e4c9b8e4c9028cf76a4dd8b --links
"""


@dataclass(frozen=True, slots=True)
class _Found:
    """A memory with what it was, and what it is tied to, where that was asked for."""

    told: GetMemoryResponse
    links: Sequence[GraphNode] = ()


@click.command(cls=ClientCommand, epilog=_EPILOG)
@click.argument("names", nargs=-1, required=True, metavar="ID|POINTER...")
@click.option("--history", is_flag=True, help="What it was, and what was merged into it, too.")
@click.option("--links", is_flag=True, help="What led to it, and what came before and after, too.")
@caller_options
@target_options
@pass_target
def get(
    target: Target,
    names: tuple[str, ...],
    history: bool,
    links: bool,
    as_agent: str,
    as_session: str,
) -> None:
    """Show memories in full: their text, where they are from, who sees them, how they are used.

    A memory of any kind has an id; a drawer has a pointer too, whose "§" and spaces may be left
    out. To look is not to use: it does not count. `anamnesis palace POINTER` shows what stands
    around a drawer, `--links` what a session shows: the failure behind a lesson, the call that was
    made again, the task asked for next.
    """
    caller = caller_of(target, as_agent, as_session)
    found = run(
        target,
        lambda channel: [
            _Found(
                _with_history(channel, target, caller, memory) if history else _alone(memory),
                linked(channel, target, caller, memory.memory_id) if links else (),
            )
            for memory in named_memories(channel, target, caller, names)
        ],
    )
    if target.as_json:
        print_json({"memories": [_as_json(one, links=links) for one in found]})
        return
    for place, one in enumerate(found):
        if place:
            console().print()
        print_memory(one.told.memory, one.told.copies)
        print_links(one.told.memory.memory_id, one.links)


def _alone(memory: Memory) -> GetMemoryResponse:
    return GetMemoryResponse(memory=memory)


def _with_history(
    channel: grpc.Channel, target: Target, caller: Caller, memory: Memory
) -> GetMemoryResponse:
    request = GetMemoryRequest(
        namespace=target.working_namespace,
        memory_id=memory.memory_id,
        caller=caller,
        purpose=READ_PURPOSE_INTERNAL,
        include_history=True,
    )
    return MemoryServiceStub(channel).GetMemory(request, timeout=target.timeout_s)


def _as_json(one: _Found, *, links: bool) -> dict[str, object]:
    told: dict[str, object] = {**as_dict(one.told)}
    return {**told, "links": [as_dict(each) for each in one.links]} if links else told
