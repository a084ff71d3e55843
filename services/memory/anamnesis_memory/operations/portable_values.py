"""Records of an export to trees of JSON and back. None has a field `type`, which is the line's.

Vectors are base64 of little-endian float32, bytes that are short are hex.
"""

import base64
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TypeVar, cast

import numpy as np
from pydantic import TypeAdapter

from anamnesis_memory.domain.entities.names import KnownEntity, Mention
from anamnesis_memory.domain.facts.key import Statement
from anamnesis_memory.domain.facts.review import ReviewReason
from anamnesis_memory.domain.facts.versions import FactVersion, Telling
from anamnesis_memory.model.documents import Document
from anamnesis_memory.model.edges import Edge
from anamnesis_memory.model.memory import Kind, Memory, Topic, Vectors
from anamnesis_memory.model.memory_details import (
    Episode,
    Fact,
    JsonDocument,
    Lesson,
    Procedure,
)
from anamnesis_memory.model.memory_versions import Copy, CopyRole
from anamnesis_memory.model.segments import Activity, Segment
from anamnesis_memory.model.session import Event, Session, Wing
from anamnesis_memory.model.stubs import EventStub
from anamnesis_memory.model.uploads import NewUpload, Upload
from anamnesis_memory.model.usage import HourUsage
from anamnesis_memory.model.work import WorkItem
from anamnesis_memory.ports.upkeep import (
    Cursors,
    Deletion,
    KeptMemory,
    Record,
    Tombstone,
    TombstoneKey,
    TopicPlace,
)

Tree = dict[str, object]
R = TypeVar("R")

_PARTS: Mapping[Kind, type[object]] = {
    Kind.EPISODIC: Episode,
    Kind.SEMANTIC: Fact,
    Kind.PROCEDURAL: Procedure,
    Kind.LEARNING: Lesson,
    Kind.DOCUMENT: JsonDocument,
}
_MADE_BY_FIELDS: tuple[type[object], ...] = (
    *_PARTS.values(),
    *(Memory, Event, Wing, Session, TopicPlace, Deletion, Cursors, Edge, Document),
    *(Segment, Activity, WorkItem, TombstoneKey, Tombstone, HourUsage, EventStub, Upload),
    *(KnownEntity, Mention, Telling, FactVersion, ReviewReason),
)
_IN_HEX: Mapping[type[object], str] = {
    Event: "digest",
    TombstoneKey: "key",
    Tombstone: "mark",
    EventStub: "mark",
}
"""The field of bytes in a record, by its type."""


@dataclass(frozen=True, slots=True)
class _TopicScalars:
    """A topic but for its centroid."""

    topic_id: str
    label: str
    scope: str
    member_count: int
    create_time_us: int
    update_time_us: int
    revision: int
    label_model: str = ""
    label_member_count: int = 0


@dataclass(frozen=True, slots=True)
class _CopyScalars:
    """A copy but for its memory and vectors."""

    copy_id: str
    memory_id: str
    role: CopyRole
    create_time_us: int
    similarity: float
    merged: bool
    added_tags: tuple[str, ...] = ()
    added_evidence: tuple[str, ...] = ()
    worked_us: int = 0
    tries: int = 0
    reason: str = ""
    tried_on: str = ""


_ADAPTERS: Mapping[type[object], TypeAdapter[object]] = {
    made_of: TypeAdapter(made_of) for made_of in (*_MADE_BY_FIELDS, _TopicScalars, _CopyScalars)
}
_TEXT = TypeAdapter(str)


def tree_of(value: Record) -> Tree:
    """A record as a tree of JSON."""
    match value:
        case KeptMemory(memory, vectors):
            return _memory_tree(memory) | {
                "vectors": _packed(vectors),
                "digest": value.digest.hex(),
            }
        case Copy():
            tree = {name: getattr(value, name) for name in _CopyScalars.__slots__}
            return tree | {"memory": _memory_tree(value.memory), "vectors": _packed(value.vectors)}
        case Topic():
            tree = {name: getattr(value, name) for name in Topic.__slots__}
            return tree | {"centroid": _packed(value.centroid[None, :])}
        case NewUpload(upload, packed):
            return asdict(upload) | {"packed": base64.b64encode(packed).decode()}
        case Event() | TombstoneKey() | Tombstone() | EventStub():
            name = _IN_HEX[type(value)]
            return asdict(value) | {name: getattr(value, name).hex()}
        case _:
            return _plain_tree(value)


def value_of(made_of: type[object], tree: Tree) -> Record:
    """The record of a type that a tree tells of; what a tree of before lacks is as in a new one.

    Raises:
        ValueError: the tree is none of this type; so do KeyError and TypeError say.
    """
    if made_of is KeptMemory:
        vectors = _unpacked(tree.pop("vectors"))
        digest = bytes.fromhex(_TEXT.validate_python(tree.pop("digest", "")))
        return KeptMemory(_memory_of(tree), vectors, digest=digest)
    if made_of is Copy:
        vectors = _unpacked(tree.pop("vectors"))
        memory = _memory_of(_tree(tree.pop("memory")))
        return Copy(memory=memory, vectors=vectors, **asdict(_made(_CopyScalars, tree)))
    if made_of is Edge:
        tree["type"] = tree.pop("edge_type")
    if made_of is Topic:
        centroid = _unpacked(tree.pop("centroid"))
        if centroid is None:
            raise ValueError("has no centroid")
        return Topic(**asdict(_made(_TopicScalars, tree)), centroid=centroid[0])
    if made_of is NewUpload:
        packed = _TEXT.validate_python(tree.pop("packed"))
        return NewUpload(_made(Upload, tree), base64.b64decode(packed, validate=True))
    if name := _IN_HEX.get(made_of):
        tree[name] = bytes.fromhex(str(tree[name]))
    return cast("Record", _made(made_of, tree))


def _plain_tree(value: Record) -> Tree:
    """A record by its fields, but for what follows from the rest or from other records."""
    tree = asdict(value)
    if name := _IN_HEX.get(type(value)):
        tree[name] = getattr(value, name).hex()
    match value:
        case Edge():
            tree["edge_type"] = tree.pop("type")
        case KnownEntity():
            del tree["names"]
        case Telling(statement=statement):
            tree["statement"] = _statement_tree(statement)
        case FactVersion(state):
            tree["state"] |= {"statement": _statement_tree(state.statement)}
    return tree


def _statement_tree(statement: Statement) -> Tree:
    """A statement but for its key, which follows from the rest."""
    tree = asdict(statement)
    del tree["key"]
    return tree


def _memory_tree(memory: Memory) -> Tree:
    tree = {name: getattr(memory, name) for name in Memory.__slots__}
    part = None if memory.part is None else asdict(memory.part)
    return tree | {"part": part, "provenance": asdict(memory.provenance)}


def _memory_of(tree: Tree) -> Memory:
    held = tree.pop("part")
    part = None if held is None else _made(_PARTS[Kind(str(tree["kind"]))], held)
    return _made(Memory, tree | {"part": part})


def _tree(held: object) -> Tree:
    if not isinstance(held, dict):
        raise TypeError("the memory of a copy is no object")
    return held


def _made(made_of: type[R], tree: object) -> R:
    made: R = _ADAPTERS[made_of].validate_python(tree)  # type: ignore[assignment]
    return made


def _packed(vectors: Vectors | None) -> Tree | None:
    if vectors is None:
        return None
    raw = np.ascontiguousarray(vectors, dtype="<f4").tobytes()
    return {"pieces": len(vectors), "float32": base64.b64encode(raw).decode()}


def _unpacked(packed: object) -> Vectors | None:
    if packed is None:
        return None
    if not isinstance(packed, dict):
        raise TypeError("vectors are no object")
    raw = base64.b64decode(packed["float32"], validate=True)
    rows: Vectors = np.frombuffer(raw, "<f4").reshape(int(packed["pieces"]), -1)
    if not rows.size or not np.isfinite(rows).all():
        raise ValueError("holds a vector that is empty or not finite")
    return rows
