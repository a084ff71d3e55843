"""Facts over time between the wire and the model."""

from anamnesis.memory.v1 import entity_pb2, knowledge_pb2
from anamnesis.memory.v1 import knowledge_service_pb2 as pb
from anamnesis_libs.errors import invalid_field
from anamnesis_libs.paging import Form, SortKey
from anamnesis_memory.api.convert.enums import ENTITY_KIND, FACT_KIND, PRECISION
from anamnesis_memory.api.convert.memory import asks_for_review, from_memory, from_outcome
from anamnesis_memory.api.convert.values import optional_micros, stated_visibility, to_timestamp
from anamnesis_memory.domain.entities.kinds import EntityKind
from anamnesis_memory.domain.facts.key import folded
from anamnesis_memory.knowledge.fact_input import stated, worded
from anamnesis_memory.knowledge.listing import KnownFact, shown
from anamnesis_memory.knowledge.retracting import Retracted
from anamnesis_memory.knowledge.write_outcome import Created
from anamnesis_memory.memories.policy import Policy
from anamnesis_memory.model.memory import Kind, Memory, Namespace, Origin, Provenance, Visibility
from anamnesis_memory.model.memory_details import Fact, TimePrecision
from anamnesis_memory.model.visibility import check_owned
from anamnesis_memory.ports.knowledge import FactPlace
from anamnesis_memory.runtime.revisions import revision_token

_TEXTS = ("subject", "predicate", "object")


def to_asserted(request: pb.AssertFactRequest) -> Memory:
    """A fact as its caller states it, without an id; who may see it is not told yet.

    Raises:
        InvalidArgument: a part is blank, or it ends before it begins.
    """
    for field in _TEXTS:
        if not folded(getattr(request, field)):
            raise invalid_field(field, "must not be blank")
    part = stated(_to_part(request))
    names = (request.subject, *(one.name for one in request.entities))
    return Memory(
        memory_id="",
        kind=Kind.SEMANTIC,
        content=request.statement if request.statement.strip() else worded(part),
        create_time_us=0,
        update_time_us=0,
        revision=0,
        provenance=Provenance(Origin.ASSERTED, session_id=request.session_id),
        tags=tuple(request.tags),
        entities=tuple(dict.fromkeys(names)),
        importance=request.importance if request.HasField("importance") else 0.5,
        confidence=request.confidence if request.HasField("confidence") else 0.8,
        agent_id=request.agent_id,
        user_id=request.user_id,
        session_id=request.session_id,
        part=part,
        expire_time_us=optional_micros(request, "expire_time"),
    )


def to_visible(request: pb.AssertFactRequest, policy: Policy) -> Visibility:
    """The visibility of the fact that is asserted.

    Raises:
        InvalidArgument: the fact would be private to nobody.
    """
    visibility = policy.visibility_of(stated_visibility(request.visibility), request.user_id)
    check_owned(visibility, request.agent_id, request.user_id)
    return visibility


def _to_part(request: pb.AssertFactRequest) -> Fact:
    from_us, to_us = optional_micros(request, "valid_from"), optional_micros(request, "valid_to")
    dated = from_us is not None or to_us is not None
    exact = PRECISION.from_pb(request.time_precision) or TimePrecision.INSTANT
    return Fact(
        subject=request.subject,
        predicate=request.predicate,
        object=request.object,
        valid_from_us=from_us,
        valid_to_us=to_us,
        kind=FACT_KIND.from_pb(request.fact_kind),
        persons=tuple(one.name for one in request.entities if _is_person(one)),
        time_precision=exact if dated else TimePrecision.NONE,
        source_memory_ids=tuple(request.source_memory_ids),
        source=request.source,
        single_valued=request.single_valued,
    )


def _is_person(named: entity_pb2.NamedEntity) -> bool:
    return ENTITY_KIND.from_pb(named.kind) is EntityKind.PERSON


def from_asserted(made: Created, namespace: Namespace, revision: int) -> pb.AssertFactResponse:
    """The outcome of asserting a fact."""
    assert made.version is not None, "a fact that was told is known"
    return pb.AssertFactResponse(
        fact=from_known(shown(made.memory, made.version, made.closed_by), namespace),
        outcome=from_outcome(made.outcome),
        closed_ids=made.closed,
        revision=revision_token(namespace, revision),
    )


def from_retracted(done: Retracted, namespace: Namespace, revision: int) -> pb.RetractFactResponse:
    """The outcome of retracting a fact."""
    return pb.RetractFactResponse(
        memory=from_memory(done.memory, namespace),
        reopened_ids=done.reopened,
        revision=revision_token(namespace, revision),
    )


def from_known(
    fact: KnownFact, namespace: Namespace, now_us: int | None = None
) -> knowledge_pb2.KnownFact:
    """A fact as it was known at a time."""
    return knowledge_pb2.KnownFact(
        memory=from_memory(fact.memory, namespace, None, now_us),
        known_from=to_timestamp(fact.known_from_us),
        known_to=to_timestamp(fact.known_to_us),
        flags=_flags(fact),
        closed_by_ids=fact.closed_by,
        sources=filter(None, fact.sources),
    )


def _flags(fact: KnownFact) -> list["knowledge_pb2.FactFlag.ValueType"]:
    said = {
        knowledge_pb2.FACT_FLAG_CONTRADICTED: fact.contradicted,
        knowledge_pb2.FACT_FLAG_NEEDS_REVIEW: asks_for_review(fact.memory),
        knowledge_pb2.FACT_FLAG_SUPERSEDED: fact.superseded,
        knowledge_pb2.FACT_FLAG_RETRACTED: fact.retracted,
    }
    return [flag for flag, holds in said.items() if holds]


FACT_PLACE_FORM: Form = (int, int, str, str)
"""The types that a page's token holds of its last fact; see `from_place`."""


def to_place(after: SortKey | None) -> FactPlace | None:
    """The place where a page of facts goes on; see `from_place`."""
    if after is None:
        return None
    from_us, to_us, key, fact_id = after
    return FactPlace(int(from_us), int(to_us), str(key), str(fact_id))


def from_place(fact: KnownFact) -> tuple[int, int, str, str]:
    """The place of a page's last fact, as its token keeps it."""
    place = fact.place
    return place.from_us, place.to_us, place.key, place.fact_id
