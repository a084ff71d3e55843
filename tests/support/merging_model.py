"""What becomes of a lesson that says what another says: a rule said plainly, part of `store_model`.

Written from what the writes promise, sharing no code with them; texts of tests are ASCII.
"""

from dataclasses import replace

from anamnesis_memory.model.memory import Kind, Memory, Status, Visibility
from anamnesis_memory.model.memory_details import Lesson, Part
from anamnesis_memory.model.memory_versions import Copy, CopyRole

DAY_US = 24 * 3600 * 1_000_000
FIRST_STABILITY_DAYS = 3.0


def twin_of(incoming: Memory, memories: list[Memory]) -> Memory | None:
    """The oldest active lesson that says the same to the same callers."""
    if incoming.kind is not Kind.LEARNING:
        return None
    alike = (
        one for one in memories if one.status is Status.ACTIVE and _said(one) == _said(incoming)
    )
    return next(alike, None)


def merged(known: Memory, incoming: Memory, revision: int, now_us: int) -> tuple[Memory, Copy]:
    """The known lesson with what the other brings, and the other as it is kept.

    It brings a hit, tags, evidence, and the greater weights.
    """
    folded = [tag.casefold() for tag in known.tags]
    new = [tag for tag in incoming.tags if tag.casefold() not in folded and tag[:8] != "segment:"]
    reviewed_us = known.review_us or known.create_time_us
    days = max(1.0, (now_us - reviewed_us) / DAY_US)
    new = new[: 10 - len(known.tags)]
    brought = _new_evidence(known, incoming)
    after = replace(
        known,
        tags=(*known.tags, *new),
        part=_with_evidence(known, brought),
        confidence=max(known.confidence, incoming.confidence),
        importance=max(known.importance, incoming.importance),
        hit_count=known.hit_count + 1,
        last_hit_us=now_us,
        stability_days=(known.stability_days or FIRST_STABILITY_DAYS) + 0.5 * days,
        review_us=now_us,
        update_time_us=now_us,
        revision=revision,
    )
    copy = Copy(
        incoming.memory_id,
        known.memory_id,
        CopyRole.CONTRIBUTION,
        incoming,
        now_us,
        similarity=1.0,
        added_tags=tuple(new),
        added_evidence=tuple(brought),
    )
    return after, copy


def _new_evidence(known: Memory, incoming: Memory) -> list[str]:
    ours = known.part.evidence_memory_ids if isinstance(known.part, Lesson) else ()
    theirs = incoming.part.evidence_memory_ids if isinstance(incoming.part, Lesson) else ()
    return [one for one in theirs if one not in ours]


def _with_evidence(known: Memory, new: list[str]) -> Part:
    if not new:
        return known.part
    held = known.part if isinstance(known.part, Lesson) else Lesson()
    return replace(held, evidence_memory_ids=(*held.evidence_memory_ids, *new))


def _said(memory: Memory) -> tuple[str, ...]:
    owner = {
        Visibility.SHARED: "",
        Visibility.PRIVATE_TO_AGENT: memory.agent_id,
        Visibility.PRIVATE_TO_USER: memory.user_id,
    }[memory.visibility]
    text = " ".join(memory.content.lower().split())
    return memory.kind, memory.category, memory.visibility, owner, text
