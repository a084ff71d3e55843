"""Documents as values, and their conditions: JSON objects under paths and keys of one's own."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from google.protobuf.duration_pb2 import Duration

from anamnesis.memory.v1.document_pb2 import (
    DocumentChange,
    DocumentHit,
    DocumentName,
    DocumentRecord,
    ValueCondition,
    ValueOperator,
)
from anamnesis_client.errors import FieldViolation, InvalidArgument
from anamnesis_client.times import Time, moment_of, timestamp

Json = Mapping[str, object]
Path = tuple[str, ...]
Name = tuple[Path, str]
"""A path and a key in it."""

_OPERATORS = {
    "$eq": ValueOperator.VALUE_OPERATOR_EQUAL,
    "$ne": ValueOperator.VALUE_OPERATOR_NOT_EQUAL,
    "$gt": ValueOperator.VALUE_OPERATOR_GREATER,
    "$gte": ValueOperator.VALUE_OPERATOR_GREATER_OR_EQUAL,
    "$lt": ValueOperator.VALUE_OPERATOR_LESS,
    "$lte": ValueOperator.VALUE_OPERATOR_LESS_OR_EQUAL,
}


@dataclass(frozen=True, slots=True)
class DocumentPut:
    """A document that is to be put; a value of None deletes what has its name.

    `search` names the fields of the value that are searched, such as "title" or "parts[*].text";
    None means all, an empty list none. It is kept for `ttl` from now or the last touch on, or until
    `expires`; without both for good.
    """

    path: Sequence[str]
    key: str
    value: Json | None
    search: Sequence[str] | None = None
    ttl: timedelta | None = None
    expires: Time | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """A document as it is kept; `ttl` is how long from the last put or touch on."""

    path: Path
    key: str
    value: Json
    created: datetime | None
    updated: datetime | None
    expires: datetime | None
    ttl: timedelta | None
    memory_id: str
    user: str
    agent: str

    @property
    def name(self) -> Name:
        """Its path and key."""
        return self.path, self.key


@dataclass(frozen=True, slots=True)
class FoundDocument:
    """A document that answers a query; a higher score is better, within one search."""

    document: Document
    score: float
    cosine: float


def name_of(name: Name) -> DocumentName:
    """The name of a document."""
    path, key = name
    return DocumentName(path=path, key=key)


def change_of(put: DocumentPut) -> DocumentChange:
    """The change that puts or deletes a document.

    Raises:
        InvalidArgument: the value is no JSON.
    """
    name = name_of((tuple(put.path), put.key))
    if put.value is None:
        return DocumentChange(name=name, delete=True)
    return DocumentChange(
        name=name,
        value=_written(put.value, "value"),
        search_fields=put.search or (),
        unsearchable=put.search is not None and not put.search,
        ttl=_duration(put.ttl),
        expire_time=timestamp(put.expires, "expires"),
    )


def _duration(time: timedelta | None) -> Duration | None:
    if time is None:
        return None
    made = Duration()
    made.FromTimedelta(time)
    return made


def document_of(record: DocumentRecord) -> Document:
    """A document as it is kept."""
    held = record.document
    return Document(
        path=tuple(held.path),
        key=held.key,
        value=json.loads(held.value),
        created=moment_of(record, "create_time"),
        updated=moment_of(record, "update_time"),
        expires=moment_of(record, "expire_time"),
        ttl=held.ttl.ToTimedelta() if held.HasField("ttl") else None,
        memory_id=record.memory_id,
        user=record.user_id,
        agent=record.agent_id,
    )


def found_document_of(hit: DocumentHit) -> FoundDocument:
    """A document that answers a query."""
    return FoundDocument(document_of(hit.record), hit.score, hit.cosine)


def conditions_of(where: Json) -> list[ValueCondition]:
    """The conditions of a filter, e.g. `{"kind": "note", "author": {"age": {"$gte": 18}}}`.

    Raises:
        InvalidArgument: an operator is not known, or a value is no JSON.
    """
    return list(_conditions((), where))


def _conditions(field: Path, wanted: object) -> Iterator[ValueCondition]:
    if not isinstance(wanted, Mapping) or (field and not wanted):
        yield _condition(field, "$eq", wanted)
    elif any(str(name).startswith("$") for name in wanted):
        for operator, value in wanted.items():
            yield _condition(field, str(operator), value)
    else:
        for name, inner in wanted.items():
            yield from _conditions((*field, str(name)), inner)


def _condition(field: Path, operator: str, value: object) -> ValueCondition:
    if operator not in _OPERATORS or not field:
        told = f"{operator!r} is none of {', '.join(_OPERATORS)}"
        raise _refused("where", told if field else "an operator stands behind a field")
    return ValueCondition(
        field=field, operator=_OPERATORS[operator], value=_written(value, "where")
    )


def _written(value: object, field: str) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise _refused(field, f"is no JSON: {error}") from error


def _refused(field: str, told: str) -> InvalidArgument:
    violations = (FieldViolation(field, told),)
    return InvalidArgument("", reason="FIELD_INVALID", violations=violations)
