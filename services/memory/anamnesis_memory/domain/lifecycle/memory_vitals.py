"""The vitals of a memory as it is kept: what was never written down is that of its first day."""

from dataclasses import replace

from anamnesis_memory.domain.lifecycle.vitals import Vitals, first_vitals
from anamnesis_memory.model.memory import Memory


def vitals_of(memory: Memory) -> Vitals:
    """The vitals of a memory; its first review was the moment it was stored."""
    first = first_vitals(memory.memory_id, memory.kind, memory.create_time_us)
    return Vitals(
        memory.memory_id,
        hit_count=memory.hit_count,
        last_hit_us=memory.last_hit_us,
        stability_days=memory.stability_days or first.stability_days,
        review_us=memory.review_us or first.review_us,
        tier=memory.tier,
        centrality=memory.centrality,
    )


def with_vitals(memory: Memory, vitals: Vitals) -> Memory:
    """The memory with other vitals."""
    return replace(
        memory,
        hit_count=vitals.hit_count,
        last_hit_us=vitals.last_hit_us,
        stability_days=vitals.stability_days,
        review_us=vitals.review_us,
        tier=vitals.tier,
        centrality=vitals.centrality,
    )
