"""Rules for the records of an import: only what a write could have stored is imported.

A store takes records as they are, and every later read relies on them. The rules go by the names
of fields, which mean the same in every record: a time (`*_us`) lies in the years 1 to 9999, a
share between 0 and 1, a count is no less than 0 and fits the wire. Texts are whole characters.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass

import numpy as np

from anamnesis_libs.clock import LAST_US, YEAR_ONE_US
from anamnesis_memory.model.documents import Document
from anamnesis_memory.model.edges import Edge
from anamnesis_memory.model.json_documents import document_digest
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.model.memory_details import JsonDocument
from anamnesis_memory.model.segments import Segment
from anamnesis_memory.model.session import INDEX_MAX
from anamnesis_memory.model.uploads import NewUpload
from anamnesis_memory.model.usage import TOTAL_MAX
from anamnesis_memory.model.work import WorkItem, WorkState
from anamnesis_memory.operations.import_bodies import (
    check_body,
    check_detail,
    check_document,
    check_metrics,
)
from anamnesis_memory.operations.portable import Manifest
from anamnesis_memory.ports.upkeep import KeptMemory, Record
from anamnesis_memory.preparation.archive import is_whole

COUNT_MAX = 999_999_999
"""As many as a pointer names, and room for more in 32 bits."""
ATTEMPTS_MAX = 100
FLOAT_MAX = 1e9

Bounds = tuple[float, float]
_TIME: Bounds = (YEAR_ONE_US, LAST_US + 1)  # the instant at which the last day has ended
_COUNT: Bounds = (0, COUNT_MAX)
_LARGE: Bounds = (0, TOTAL_MAX)
_INDEX: Bounds = (0, INDEX_MAX + 1)
_SHARE: Bounds = (0, 1)
_NUMBER: Bounds = (-FLOAT_MAX, FLOAT_MAX)
_BOUNDS: Mapping[str, Bounds] = {
    **dict.fromkeys(("revision", "topics_revision", "assigned_revision", "token"), _LARGE),
    **dict.fromkeys(("calls", "input_tokens", "output_tokens", "size_bytes", "hit_count"), _LARGE),
    **dict.fromkeys(("index", "event_index", "first_index", "last_index", "next_index"), _INDEX),
    **dict.fromkeys(("first_event_index", "last_event_index", "expired_before_index"), _INDEX),
    **dict.fromkeys(("importance", "confidence", "told_confidence", "success_rate"), _SHARE),
    **dict.fromkeys(("importance_before", "score", "impact", "weight"), _SHARE),
    **dict.fromkeys(("stability_days", "centrality"), (0, FLOAT_MAX)),
    **dict.fromkeys(("wing", "next_room", "next_drawer"), (1, COUNT_MAX)),
    "similarity": (-1.001, 1.001),  # a cosine of float32
    "attempts": (0, ATTEMPTS_MAX),
}


def check(record: Record) -> None:
    """Refuse a record that no write could have stored.

    Raises:
        ValueError: it is one.
    """
    _check("", record)
    match record:
        case Document():
            _check("body", check_body(record))
        case Edge():
            check_detail(record)
        case KeptMemory(memory=Memory(part=JsonDocument() as document)):
            _check_document(record, document)
        case Segment():
            check_metrics(record.metrics_json)
            _in_order("first_index", record.first_index, record.last_index)
        case WorkItem():
            _check_claim(record)
        case NewUpload(packed=packed):
            if not is_whole(packed):
                raise ValueError("packed: cannot be unpacked, or is too large")


def _check_document(record: KeptMemory, document: JsonDocument) -> None:
    check_document(document)
    if record.digest != document_digest(record.memory, document):
        raise ValueError("digest: is not that of the document's name")


def check_manifest(manifest: Manifest) -> None:
    """Refuse what no export begins with.

    Raises:
        ValueError: it is such.
    """
    for name in ("create_time_us", "revision", "embedding_model"):
        _check(name, getattr(manifest, name))


def fault_of_merges(merged: Mapping[str, str]) -> str:
    """The fault in a map from entities to those they are merged into, by id; empty if none.

    A reader that looks for the whole goes from part to part: the path must end.
    """
    whole: set[str] = {""}
    for first_id in merged:
        entity_id, way = first_id, dict[str, None]()
        while entity_id not in whole:
            if entity_id not in merged:
                return "holds an entity that is merged into one that is not there"
            if entity_id in way:
                return "holds entities that are merged into each other"
            way[entity_id] = None
            entity_id = merged[entity_id]
        whole.update(way)
    return ""


def _check(name: str, value: object) -> None:
    """Refuse what the rules do, at any depth; `name` is that of the field it is in."""
    match value:
        case bool() | bytes() | None | np.ndarray():
            return
        case str():
            _check_text(name, value)
        case int() | float():
            _check_number(name, value)
        case _:
            for inner, item in _within(name, value):
                _check(inner, item)


def _within(name: str, value: object) -> Iterator[tuple[str, object]]:
    """The values that a value is made of, under the names of its fields."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield name, str(key)
            yield str(key), item
    elif isinstance(value, Sequence):
        yield from ((name, item) for item in value)
    elif is_dataclass(value):
        yield from ((field.name, getattr(value, field.name)) for field in fields(value))


def _check_text(name: str, text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"{name}: holds half a character (a lone surrogate)") from error


def _check_number(name: str, number: float) -> None:
    low, high = _bounds_of(name, number)
    if not low <= number <= high:  # nor is what is no number
        raise ValueError(f"{name}: must be between {low:g} and {high:g}")


def _bounds_of(name: str, number: float) -> Bounds:
    if name in _BOUNDS:
        return _BOUNDS[name]
    if name.endswith("_us"):
        return _TIME
    return _COUNT if isinstance(number, int) else _NUMBER


def _in_order(name: str, first: int, last: int) -> None:
    if first > last:
        raise ValueError(f"{name}: is behind the last one")


def _check_claim(item: WorkItem) -> None:
    """Refuse a claimed item that was never tried."""
    if item.state is WorkState.CLAIMED and not item.attempts:
        raise ValueError("attempts: must be at least 1 for claimed work")
