"""Memories, filters and callers between the wire and the model."""

from datetime import tzinfo

from anamnesis.memory.v1 import filter_pb2, memory_pb2, memory_service_pb2
from anamnesis_libs.errors import invalid_field
from anamnesis_libs.index.port import Rows
from anamnesis_libs.participants import only_user, several
from anamnesis_memory.api.convert.enums import (
    CREATE_OUTCOME,
    KIND,
    ORIGIN,
    STATUS,
    TIER,
    VISIBILITY,
)
from anamnesis_memory.api.convert.parts import add_part, to_part
from anamnesis_memory.api.convert.values import (
    mean_row,
    offset_minutes,
    optional_micros,
    to_rows,
    to_timestamp,
)
from anamnesis_memory.domain.lifecycle.memory_vitals import retention_of
from anamnesis_memory.knowledge.write_outcome import CreateOutcome
from anamnesis_memory.memories.craft.experience import EXPERIENCE_OF
from anamnesis_memory.model.memory import (
    Kind,
    Memory,
    MemoryFilter,
    Namespace,
    Provenance,
    Refinement,
    Visibility,
)
from anamnesis_memory.model.memory_details import Fact
from anamnesis_memory.model.visibility import check_owned
from anamnesis_memory.runtime.revisions import revision_token

_PARTS = {"fact": Kind.SEMANTIC, "procedure": Kind.PROCEDURAL, "lesson": Kind.LEARNING}


def to_filter(where: filter_pb2.MemoryFilter) -> MemoryFilter:
    """The filter of a search or a list.

    Raises:
        InvalidArgument: its range of time ends before it begins.
    """
    start_us = optional_micros(where.time_range, "start_time")
    end_us = optional_micros(where.time_range, "end_time")
    if start_us is not None and end_us is not None and end_us < start_us:
        raise invalid_field("filter.time_range.end_time", "must not be before start_time")
    return MemoryFilter(
        kinds=tuple(map(KIND.from_pb, where.kinds)),
        categories=tuple(where.categories),
        tags=tuple(where.tags),
        entities=tuple(where.entities),
        agent_id=where.agent_id,
        user_id=where.user_id,
        session_ids=tuple(where.session_ids),
        origins=tuple(map(ORIGIN.from_pb, where.provenance)),
        start_time_us=start_us,
        end_time_us=end_us,
        min_importance=where.min_importance,
        include_archived=where.include_archived,
    )


def to_draft(
    new: memory_service_pb2.NewMemory,
    memory_id: str,
    dimension: int,
    path: str,
    visibility: Visibility = Visibility.SHARED,
    zone: tzinfo | None = None,
) -> tuple[Memory, Rows | None]:
    """A memory as its caller states it, and its vector if the caller has one.

    `visibility` is who may see it, as the policy has made it of what is stated; `zone` is where it
    was said, unless it says so itself.

    Raises:
        InvalidArgument: the text is blank, the part is not of the kind, a fact ends before it
            begins, or the vector is of another dimension.
    """
    part = new.WhichOneof("part")
    if KIND.from_pb(new.kind) is Kind.DOCUMENT:
        raise invalid_field(f"{path}.kind", "is put by DocumentService.BatchPutDocuments alone")
    if not new.content.strip():
        raise invalid_field(f"{path}.content", "must not be blank")
    if part and _PARTS[part] is not KIND.from_pb(new.kind):
        raise invalid_field(f"{path}.{part}", f"belongs to kind {_PARTS[part].name}, not this one")
    rows = to_rows(new.embedding.vector, dimension, f"{path}.embedding.vector")
    memory = _to_memory(new, memory_id, visibility, zone)
    if isinstance(memory.part, Fact) and not _holds(memory.part):
        raise invalid_field(f"{path}.fact.valid_to", "must be after valid_from")
    check_owned(memory.visibility, memory.agent_id, memory.user_id, f"{path}.")
    return memory, rows


def _holds(fact: Fact) -> bool:
    """True if there is any time at which the fact holds."""
    begins, ends = fact.valid_from_us, fact.valid_to_us
    return begins is None or ends is None or begins < ends


def _to_memory(
    new: memory_service_pb2.NewMemory, memory_id: str, visibility: Visibility, zone: tzinfo | None
) -> Memory:
    """A memory as its caller states it; times and revision come with the commit."""
    time_us = optional_micros(new, "event_time")
    return Memory(
        memory_id=memory_id,
        kind=KIND.from_pb(new.kind),
        content=new.content,
        create_time_us=0,
        update_time_us=0,
        revision=0,
        provenance=_to_provenance(new),
        category=new.category,
        tags=tuple(new.tags),
        entities=tuple(new.entities),
        importance=new.importance if new.HasField("importance") else 0.5,
        confidence=new.confidence if new.HasField("confidence") else 0.8,
        visibility=visibility,
        agent_id=new.agent_id,
        user_id=new.user_id,
        session_id=new.session_id,
        event_time_us=time_us,
        utc_offset_minutes=offset_minutes(new, time_us, zone),
        part=to_part(new),
        expire_time_us=optional_micros(new, "expire_time"),
    )


def _to_provenance(new: memory_service_pb2.NewMemory) -> Provenance:
    """The provenance that the caller states.

    Raises:
        InvalidArgument: the provenance claims the work of several users, which only the server
            may state.
    """
    given = new.provenance
    if given.model.startswith(EXPERIENCE_OF):
        raise invalid_field("provenance.model", f"{EXPERIENCE_OF!r} is reserved for the server")
    return Provenance(
        origin=ORIGIN.from_pb(given.origin),
        session_id=given.session_id or new.session_id,
        segment_id=given.segment_id,
        first_event_index=given.first_event_index if given.HasField("first_event_index") else None,
        last_event_index=given.last_event_index if given.HasField("last_event_index") else None,
        model=given.model,
    )


def from_memory(
    memory: Memory, namespace: Namespace, rows: Rows | None = None, now_us: int | None = None
) -> memory_pb2.Memory:
    """A memory in full; levels that equal the text are filled in.

    Its retention is that at `now_us`; without, at its last change.
    """
    message = memory_pb2.Memory(
        memory_id=memory.memory_id,
        namespace=namespace.name,
        kind=KIND.to_pb(memory.kind),
        category=memory.category,
        content=memory.content,
        summary=memory.summary or memory.content,
        overview=memory.overview or memory.content,
        tags=memory.tags,
        entities=memory.entities,
        importance=memory.importance,
        confidence=memory.confidence,
        tier=TIER.to_pb(memory.tier),
        status=STATUS.to_pb(memory.status),
        visibility=VISIBILITY.to_pb(memory.visibility),
        agent_id=memory.agent_id,
        user_id=only_user(memory.user_id),
        participants=several(memory.user_id),
        session_id=memory.session_id,
        event_index=memory.event_index,
        event_time=to_timestamp(memory.event_time_us),
        create_time=to_timestamp(memory.create_time_us),
        update_time=to_timestamp(memory.update_time_us),
        revision=revision_token(namespace, memory.revision),
        etag=memory.etag,
        provenance=_from_provenance(memory.provenance),
        pointer=memory.pointer,
        hit_count=memory.hit_count,
        pinned=memory.pinned,
        needs_review=asks_for_review(memory),
        last_hit_time=to_timestamp(memory.last_hit_us),
        retention=retention_of(memory, now_us or memory.update_time_us),
        centrality=memory.centrality,
        archive_time=to_timestamp(memory.archive_time_us),
        expire_time=to_timestamp(memory.expire_time_us),
        utc_offset_minutes=memory.utc_offset_minutes,
    )
    add_part(message, memory.part)
    if rows is not None:
        message.embedding.model = namespace.embedding_model
        message.embedding.vector.extend(mean_row(rows).tolist())
    return message


def asks_for_review(memory: Memory) -> bool:
    """True if a memory is marked for review; a fact that ended has said more than that already."""
    ended = isinstance(memory.part, Fact) and memory.part.ended
    return memory.needs_review and not ended


def _from_provenance(provenance: Provenance) -> memory_pb2.Provenance:
    return memory_pb2.Provenance(
        origin=ORIGIN.to_pb(provenance.origin),
        session_id=provenance.session_id,
        segment_id=provenance.segment_id,
        first_event_index=provenance.first_event_index,
        last_event_index=provenance.last_event_index,
        model=provenance.model,
        seed=_from_seed(provenance),
        scored=provenance.scored,
        refinement=_from_refinement(provenance.refinement),
    )


def _from_seed(provenance: Provenance) -> memory_pb2.SeedSource | None:
    if not provenance.seed_namespace:
        return None
    return memory_pb2.SeedSource(
        namespace=provenance.seed_namespace,
        memory_id=provenance.seed_memory_id,
        revision=provenance.seed_revision,
    )


def _from_refinement(refinement: Refinement | None) -> memory_pb2.Refinement | None:
    if refinement is None:
        return None
    return memory_pb2.Refinement(
        model=refinement.model,
        time=to_timestamp(refinement.time_us),
        importance_before=refinement.importance_before,
        reason=refinement.reason,
        summary=refinement.summary,
        overview=refinement.overview,
    )


def from_outcome(outcome: CreateOutcome) -> "memory_service_pb2.CreateOutcome.ValueType":
    """The outcome of a create."""
    return CREATE_OUTCOME.to_pb(outcome)
