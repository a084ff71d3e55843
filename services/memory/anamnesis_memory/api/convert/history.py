"""Earlier versions of a memory and the memories it is alike, for the wire."""

from collections.abc import Iterable

from anamnesis.memory.v1 import memory_pb2
from anamnesis_memory.api.convert.enums import ASPECT, COPY_ROLE
from anamnesis_memory.api.convert.memory import from_memory
from anamnesis_memory.api.convert.values import to_timestamp
from anamnesis_memory.dedup.difference import Aspect
from anamnesis_memory.dedup.pair_record import guard_differences, record_of
from anamnesis_memory.model.edges import Edge
from anamnesis_memory.model.memory import Namespace
from anamnesis_memory.model.memory_versions import Copy


def from_copy(copy: Copy, namespace: Namespace) -> memory_pb2.MemoryCopy:
    """A memory as it was once."""
    return memory_pb2.MemoryCopy(
        copy_id=copy.copy_id,
        role=COPY_ROLE.to_pb(copy.role),
        memory=from_memory(copy.memory, namespace),
        create_time=to_timestamp(copy.create_time_us),
        similarity=copy.similarity,
        merged=copy.merged,
        reason=copy.reason,
    )


def from_similar(edge: Edge, of: str = "") -> memory_pb2.SimilarPair:
    """A pair that was kept apart, as seen from one of the two; without, from the edge's source."""
    turned = of == edge.target_id
    record = record_of(edge)
    here, there = (edge.target_id, edge.source_id) if turned else (edge.source_id, edge.target_id)
    return memory_pb2.SimilarPair(
        memory_id=here,
        other_memory_id=there,
        similarity=edge.weight,
        differences=_differences(edge, turned=turned),
        reason=record.reason if record else "",
    )


def _differences(edge: Edge, *, turned: bool) -> Iterable[memory_pb2.Difference]:
    for aspect, source, target in guard_differences(edge):
        here, there = (target, source) if turned else (source, target)
        yield memory_pb2.Difference(
            aspect=ASPECT.to_pb(Aspect(aspect)),
            here=here,
            there=there,
        )
