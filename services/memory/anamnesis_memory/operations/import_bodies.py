"""JSON within records of an import: read as those who will read it do, typed to the last value."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from anamnesis_libs.redaction.policy import RedactionAction, RedactionLevel
from anamnesis_memory.dedup.difference import Aspect
from anamnesis_memory.domain.documents.fields import field_path
from anamnesis_memory.domain.documents.values import parsed_object
from anamnesis_memory.domain.lifecycle.forgetting import Forgetting
from anamnesis_memory.domain.lifecycle.working import WorkingItem
from anamnesis_memory.model.crystallizations import Crystallization
from anamnesis_memory.model.documents import Collection, Document
from anamnesis_memory.model.edges import Edge
from anamnesis_memory.model.memory import Visibility, Work
from anamnesis_memory.model.memory_details import JsonDocument
from anamnesis_memory.model.refining import RefiningPlace
from anamnesis_memory.model.seeds import Seed
from anamnesis_memory.model.sleep_runs import RunState


@dataclass(frozen=True, slots=True)
class _Run:
    """A run of sleep; see `sleep.runs`."""

    phase: Work
    state: RunState
    start_us: int
    end_us: int | None
    counts: Mapping[str, int]
    reason: str
    cursor: str
    model_tokens: int = 0


@dataclass(frozen=True, slots=True)
class _Record:
    """A record of consolidation about a pair; see `dedup.pair_record`."""

    reason: str
    marks: tuple[str, str]
    tries: int
    differences: tuple[tuple[Aspect, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class _Board:
    """A working memory; see `working_memory`."""

    session_id: str
    items: tuple[WorkingItem, ...]


@dataclass(frozen=True)
class _Undecided:
    """A policy of which nothing was decided; see `policy.shared_as_before`."""

    __pydantic_config__: ClassVar = ConfigDict(extra="forbid")

    visibility: Visibility


@dataclass(frozen=True, slots=True)
class _Decided:
    """A policy; see `policy`. What came later may be missing."""

    forgetting: Forgetting
    redaction_level: RedactionLevel
    redaction_action: RedactionAction
    redaction_kinds: tuple[str, ...] | None
    pseudonym_key: Annotated[str, Field(pattern="^([0-9a-f]{2}){0,64}$")]
    visibility: Visibility | Literal[""]
    agents: tuple[tuple[str, bool, bool], ...]
    cold_days: int
    single_valued: tuple[str, ...] = ()
    many_valued: tuple[str, ...] = ()
    share_experience: bool = False
    seeds_to: tuple[str, ...] = ()


_BODIES: Mapping[Collection, TypeAdapter[object]] = {
    Collection.RUN: TypeAdapter(_Run),
    Collection.WORKING_MEMORY: TypeAdapter(_Board),
    Collection.POLICY: TypeAdapter(_Decided | _Undecided),
    Collection.UPGRADE: TypeAdapter(dict[str, str]),
    Collection.CRYSTALLIZATION: TypeAdapter(tuple[Crystallization, ...]),
    Collection.SEED: TypeAdapter(Seed),
    Collection.SEEDED: TypeAdapter(dict[str, str]),
    Collection.REFINING: TypeAdapter(RefiningPlace),
}


@dataclass(frozen=True, slots=True)
class _Shown:
    """The events that show an edge; see `edge_evidence`."""

    __pydantic_config__: ClassVar = ConfigDict(extra="forbid")

    events: tuple[Annotated[int, Field(ge=0)], ...]


_DETAIL: TypeAdapter[object] = TypeAdapter(
    tuple[tuple[Aspect, str, str], ...] | _Record | _Shown | dict[str, str]
)
_OBJECT: TypeAdapter[object] = TypeAdapter(dict[str, object])
_CURSOR: TypeAdapter[object] = TypeAdapter(tuple[str, str])


def check_body(document: Document) -> object:
    """Return the body of a document.

    Raises:
        ValueError: the body is nothing that its readers could read.
    """
    body = _read("body", _BODIES[document.collection], document.body)
    if isinstance(body, _Run) and body.cursor and body.phase is Work.REINFORCE:
        _read("cursor", _CURSOR, body.cursor)
    return body


def check_detail(edge: Edge) -> None:
    """Refuse a detail that is not empty, and tells neither differences, who drew it, nor events.

    Raises:
        ValueError: it is none of these.
    """
    if edge.detail:
        _read("detail", _DETAIL, edge.detail)


def check_document(document: JsonDocument) -> None:
    """Refuse a document that no caller could have put.

    Raises:
        ValueError: its value is no JSON object, a field is no path, or its name has no such form.
    """
    parsed_object(document.value)
    for field in document.search_fields:
        field_path(field)
    if any(map(_has_control, (*document.path, document.key))) or not all(document.path):
        raise ValueError("path: has an empty segment or a control character")


def _has_control(text: str) -> bool:
    return any(sign < " " for sign in text)


def check_metrics(text: str) -> None:
    """Refuse measures that are no JSON object.

    Raises:
        ValueError: they are none.
    """
    if text:
        _read("metrics_json", _OBJECT, text)


def _read(name: str, adapter: TypeAdapter[object], text: str) -> object:
    """Return the value of a JSON text; `json` reads the text too, since its readers use that."""
    try:
        json.loads(text)
        return adapter.validate_json(text, strict=True)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        raise ValueError(f"{name}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error
    except RecursionError as error:
        raise ValueError(f"{name}: is nested too deeply") from error
