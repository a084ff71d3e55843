"""Documents between the wire and the model."""

from collections.abc import Sequence

from anamnesis.common.v1 import caller_pb2
from anamnesis.memory.v1 import document_pb2, event_pb2
from anamnesis_libs.errors import invalid_field
from anamnesis_libs.index.port import Hit
from anamnesis_memory.api.convert.enums import DOCUMENT_OUTCOME, VALUE_OPERATOR, VISIBILITY
from anamnesis_memory.api.convert.parts import from_document
from anamnesis_memory.api.convert.values import optional_micros, stated_visibility, to_timestamp
from anamnesis_memory.documents.put import DocumentResult
from anamnesis_memory.domain.documents.conditions import Condition
from anamnesis_memory.domain.documents.fields import field_path
from anamnesis_memory.domain.documents.paths import PathMatch
from anamnesis_memory.domain.documents.values import parsed, parsed_object
from anamnesis_memory.memories.policy import Policy
from anamnesis_memory.model.json_documents import Name
from anamnesis_memory.model.memory import Kind, Memory, Namespace, Origin, Provenance, Visibility
from anamnesis_memory.model.memory_details import JsonDocument
from anamnesis_memory.model.scopes import scope_named
from anamnesis_memory.model.visibility import check_owned
from anamnesis_memory.runtime.revisions import revision_token


def to_visibility(
    stated: "event_pb2.Visibility.ValueType", caller: caller_pb2.Caller, policy: Policy
) -> Visibility:
    """The visibility of the scope in which a call works.

    Raises:
        InvalidArgument: the caller has no owner of this kind, so nobody could see what is there.
    """
    visibility = policy.visibility_of(stated_visibility(stated), caller.user_id)
    check_owned(visibility, caller.agent_id, caller.user_id, "caller.")
    return visibility


def scope_for(
    stated: "event_pb2.Visibility.ValueType", caller: caller_pb2.Caller, policy: Policy
) -> str:
    """The scope in which a call works, as one word.

    Raises:
        InvalidArgument: see `to_visibility`.
    """
    visibility = to_visibility(stated, caller, policy)
    return scope_named(visibility, caller.agent_id, caller.user_id)


def to_name(name: document_pb2.DocumentName) -> Name:
    """The name of a document."""
    return Name(tuple(name.path), name.key)


def to_document(
    change: document_pb2.DocumentChange,
    memory_id: str,
    caller: caller_pb2.Caller,
    visibility: Visibility,
    path: str,
) -> Memory:
    """A document as its caller states it; its text, times and revision come later.

    Raises:
        InvalidArgument: the value is no JSON object, a field is no path, or two expiries are set.
    """
    if change.HasField("ttl") and change.HasField("expire_time"):
        raise invalid_field(f"{path}.expire_time", "must not be set beside ttl")
    _check(change, path)
    ttl = change.ttl.ToMicroseconds() if change.HasField("ttl") else None
    return Memory(
        memory_id=memory_id,
        kind=Kind.DOCUMENT,
        content="",
        create_time_us=0,
        update_time_us=0,
        revision=0,
        provenance=Provenance(Origin.ASSERTED),
        visibility=visibility,
        agent_id=caller.agent_id,
        user_id=caller.user_id,
        part=JsonDocument(
            path=tuple(change.name.path),
            key=change.name.key,
            value=change.value,
            search_fields=tuple(change.search_fields),
            unsearchable=change.unsearchable,
            ttl_us=ttl,
        ),
        expire_time_us=optional_micros(change, "expire_time"),
    )


def _check(change: document_pb2.DocumentChange, path: str) -> None:
    try:
        parsed_object(change.value)
    except ValueError as error:
        raise invalid_field(f"{path}.value", f"must be a JSON object: {error}") from error
    for place, text in enumerate(change.search_fields):
        try:
            field_path(text)
        except ValueError as error:
            raise invalid_field(f"{path}.search_fields[{place}]", str(error)) from error


def to_conditions(
    conditions: Sequence[document_pb2.ValueCondition],
) -> tuple[Condition, ...]:
    """The conditions of a list or a search.

    Raises:
        InvalidArgument: a value is no JSON.
    """
    return tuple(_to_condition(one, place) for place, one in enumerate(conditions))


def _to_condition(condition: document_pb2.ValueCondition, place: int) -> Condition:
    try:
        operand = parsed(condition.value)
    except ValueError as error:
        raise invalid_field(f"conditions[{place}].value", f"must be JSON: {error}") from error
    operator = VALUE_OPERATOR.from_pb(condition.operator)
    return Condition(tuple(condition.field), operator, operand)


def to_matches(matches: Sequence[document_pb2.PathMatch]) -> list[PathMatch]:
    """The conditions on paths."""
    return [PathMatch(tuple(one.prefix), tuple(one.suffix)) for one in matches]


def from_changed(changed: DocumentResult) -> document_pb2.DocumentResult:
    """The result of a change."""
    outcome = DOCUMENT_OUTCOME.to_pb(changed.outcome)
    return document_pb2.DocumentResult(outcome=outcome, memory_id=changed.memory_id)


def from_record(memory: Memory, namespace: Namespace) -> document_pb2.DocumentRecord:
    """A document as it is kept."""
    assert isinstance(memory.part, JsonDocument)
    return document_pb2.DocumentRecord(
        memory_id=memory.memory_id,
        document=from_document(memory.part),
        visibility=VISIBILITY.to_pb(memory.visibility),
        agent_id=memory.agent_id,
        user_id=memory.user_id,
        create_time=to_timestamp(memory.create_time_us),
        update_time=to_timestamp(memory.update_time_us),
        expire_time=to_timestamp(memory.expire_time_us),
        revision=revision_token(namespace, memory.revision),
    )


def from_hit(memory: Memory, hit: Hit, namespace: Namespace) -> document_pb2.DocumentHit:
    """A document that answers a query."""
    record = from_record(memory, namespace)
    return document_pb2.DocumentHit(record=record, score=hit.score, cosine=hit.cosine)
