"""Causes and effects of a memory, and its place in a session, in words."""

from collections.abc import Sequence

import grpc

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1.event_pb2 import ROLE_TOOL
from anamnesis.memory.v1.knowledge_pb2 import (
    EDGE_TYPE_CAUSED_BY,
    EDGE_TYPE_FOLLOWED_BY,
    GraphNode,
)
from anamnesis.memory.v1.knowledge_service_pb2 import TraverseRequest
from anamnesis.memory.v1.knowledge_service_pb2_grpc import KnowledgeServiceStub
from anamnesis.memory.v1.memory_pb2 import Memory
from anamnesis_cli.output import console, one_line
from anamnesis_cli.target import Target

_WORDS = {
    (EDGE_TYPE_CAUSED_BY, True): "because of",
    (EDGE_TYPE_CAUSED_BY, False): "led to",
    (EDGE_TYPE_FOLLOWED_BY, False): "came after",
    (EDGE_TYPE_FOLLOWED_BY, True): "then came",
}
"""By type, and whether the edge leads away from the memory; in the order in which they are told."""
_WORD_CHARS = 12


def linked(
    channel: grpc.Channel, target: Target, caller: Caller, memory_id: str
) -> list[GraphNode]:
    """The memories that causes and order tie to one, the surest first."""
    request = TraverseRequest(
        namespace=target.working_namespace,
        caller=caller,
        start_ids=[memory_id],
        types=[EDGE_TYPE_CAUSED_BY, EDGE_TYPE_FOLLOWED_BY],
        hops_max=1,
    )
    return list(KnowledgeServiceStub(channel).Traverse(request, timeout=target.timeout_s).nodes)


def _said(memory: Memory) -> str:
    """A memory in short; of a tool's answer first what was called."""
    called = memory.episode.name if memory.episode.role == ROLE_TOOL else ""
    return ": ".join(filter(None, (called, memory.summary)))


def print_links(memory_id: str, nodes: Sequence[GraphNode]) -> None:
    """Prints a line for each memory that is tied to one: causes, effects, before, after."""
    to = console()
    if nodes:
        to.print()
    for (type_, away), word in _WORDS.items():
        for node in nodes:
            (edge,) = node.path
            if (edge.type, edge.source_id == memory_id) == (type_, away):
                name = one_line(node.memory.pointer or node.node_id)
                said = one_line(_said(node.memory))
                to.print(f"  [dim]{word:<{_WORD_CHARS}}[/][cyan]{name}[/] {said}", soft_wrap=True)
