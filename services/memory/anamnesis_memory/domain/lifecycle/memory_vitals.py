"""The vitals of a memory as it is kept: what was never written down is that of its first day."""

from dataclasses import replace

from anamnesis_memory.domain.lifecycle.vitals import (
    FIRST_STABILITY_DAYS,
    Vitals,
    first_vitals,
    retention_since,
)
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


def retention_of(memory: Memory, now_us: int) -> float:
    """The retention of a memory at `now_us`, as of its vitals; every read tells it."""
    review_us = memory.review_us or memory.create_time_us
    stability_days = memory.stability_days or FIRST_STABILITY_DAYS[memory.kind]
    return retention_since(review_us, stability_days, now_us)


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
