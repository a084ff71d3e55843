"""The graph of memories and entities between the wire and the model."""

from collections.abc import Iterable

from anamnesis.memory.v1 import knowledge_pb2, knowledge_service_pb2, ledger_service_pb2
from anamnesis_libs.rpc.enums import enum_value, enum_word
from anamnesis_memory.api.convert.entity import from_group
from anamnesis_memory.api.convert.enums import DIRECTION, EDGE_TYPE
from anamnesis_memory.api.convert.memory import from_memory
from anamnesis_memory.api.convert.values import to_caller, to_timestamp
from anamnesis_memory.knowledge.graph.around import Neighbourhood, Node
from anamnesis_memory.knowledge.graph.traverse import TYPES, WalkBounds, Way
from anamnesis_memory.memories.shown_edges import EdgeEnd, ShownEdge
from anamnesis_memory.model.edge_evidence import events_of
from anamnesis_memory.model.edges import Edge, EdgeType
from anamnesis_memory.model.memory import Memory, Namespace
from anamnesis_memory.model.scopes import scopes_of
from anamnesis_memory.ports.knowledge import Link

HOPS = 2
NODES = 100
TIME_MS = 1_000


def to_edge_type(type_: "knowledge_pb2.EdgeType.ValueType") -> EdgeType:
    """A type of edges between memories; validation has refused all others."""
    return EDGE_TYPE.from_pb(type_)


def to_shown_edges(edges: Iterable[ledger_service_pb2.LearnedEdge]) -> tuple[ShownEdge, ...]:
    """Edges that a session shows."""
    return tuple(
        ShownEdge(
            _to_end(one.source),
            _to_end(one.target),
            to_edge_type(one.type),
            one.weight,
            tuple(one.event_indices),
        )
        for one in edges
    )


def _to_end(end: ledger_service_pb2.LearnedEnd) -> EdgeEnd:
    return end.place if end.WhichOneof("end") == "place" else end.drawer_id


def to_way(request: knowledge_service_pb2.TraverseRequest) -> Way:
    """The edges that a walk may follow."""
    return Way(
        tuple(dict.fromkeys(map(_type_name, request.types))) or TYPES,
        DIRECTION.from_pb(request.direction),
        request.weight_min,
        tuple(scopes_of(to_caller(request.caller))),
    )


def to_bounds(request: knowledge_service_pb2.TraverseRequest) -> WalkBounds:
    """The bounds of a walk: hops, nodes and time."""
    return WalkBounds(
        request.hops_max or HOPS,
        request.nodes_max or NODES,
        (request.time_ms_max or TIME_MS) / 1000,
    )


def from_neighbourhood(
    found: Neighbourhood, namespace: Namespace, revision: str, now_us: int
) -> knowledge_service_pb2.TraverseResponse:
    """The nodes that a walk reached."""
    return knowledge_service_pb2.TraverseResponse(
        nodes=[_from_node(node, namespace, now_us) for node in found.nodes],
        truncated=found.cut.value,
        revision=revision,
    )


def from_edge(edge: Edge | Link) -> knowledge_pb2.MemoryEdge:
    """An edge."""
    return knowledge_pb2.MemoryEdge(
        source_id=edge.source_id,
        target_id=edge.target_id,
        type=enum_value(knowledge_pb2.EdgeType, edge.type),
        weight=edge.weight,
        create_time=to_timestamp(edge.create_time_us),
        event_indices=events_of(edge.detail),
    )


def _from_node(node: Node, namespace: Namespace, now_us: int) -> knowledge_pb2.GraphNode:
    """A memory in short, or an entity."""
    message = knowledge_pb2.GraphNode(
        node_id=node.reached.node_id,
        hops=node.reached.hops,
        weight=node.reached.weight,
        path=map(from_edge, node.reached.path),
    )
    if isinstance(node.is_, Memory):
        message.memory.CopyFrom(from_memory(node.is_, namespace, None, now_us))
        message.memory.ClearField("content")
        message.memory.ClearField("overview")
    else:
        message.entity.CopyFrom(from_group(node.is_))
    return message


def _type_name(type_: "knowledge_pb2.EdgeType.ValueType") -> str:
    return enum_word(knowledge_pb2.EdgeType, type_)
