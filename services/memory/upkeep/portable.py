"""An export as lines of JSON, whichever store it comes from: records to lines and back.

    {"type": "manifest", "format": "anamnesis-export", "version": 1, ...}
    {"type": "wing", ...}, {"type": "session", ...}, {"type": "memory", ...}, ...
    {"type": "trailer", "counts": {...}, "sha256": "..."}

Vectors are base64 of little-endian float32; an upload is base64 of what is kept of it, by zlib,
in one line, for a call brings 10 MiB at most and a line may have 64. The trailer's SHA-256 is
over every byte before it. docs/backup.md describes the lines for people.
"""

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TypeVar, cast

import numpy as np
from pydantic import TypeAdapter, ValidationError

from services.memory.ledger import Event, Session, Wing
from services.memory.model import Kind, Memory, Topic, Vectors
from services.memory.parts import Episode, Fact, Lesson, Procedure
from services.memory.port_upkeep import (
    Cursors,
    Deletion,
    KeptMemory,
    Record,
    RecordType,
    Tombstone,
    TombstoneKey,
    TopicPlace,
)
from services.memory.segments import Activity, Segment
from services.memory.stubs import EventStub
from services.memory.uploads import NewUpload, Upload
from services.memory.usage import HourUsage
from services.memory.work import WorkItem

FORMAT = "anamnesis-export"
VERSION = 2
VERSION_WITHOUT_PIPELINE = 1
"""Of namespaces that kept no segments, nothing of what they taught, and no work."""

Line = dict[str, object]
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Manifest:
    """What the first line says of the rest."""

    namespace: str
    incarnation: str
    create_time_us: int
    revision: int
    embedding_model: str
    embedding_dimension: int
    counts: Mapping[RecordType, int]
    format: str = FORMAT
    version: int = VERSION


@dataclass(frozen=True, slots=True)
class Trailer:
    """What the last line says of all before it."""

    counts: Mapping[RecordType, int]
    sha256: str


_NAMES: Mapping[type[object], str] = {
    Manifest: "manifest",
    Wing: "wing",
    Session: "session",
    KeptMemory: "memory",
    Event: "event",
    Topic: "topic",
    TopicPlace: "topic_member",
    Deletion: "deletion",
    Segment: "segment",
    Activity: "activity",
    WorkItem: "work",
    TombstoneKey: "tombstone_key",
    Tombstone: "tombstone",
    HourUsage: "usage",
    EventStub: "stub",
    NewUpload: "upload",
    Cursors: "cursors",
    Trailer: "trailer",
}
_COUNTED: Mapping[type[object], RecordType] = {
    Wing: RecordType.WINGS,
    Session: RecordType.SESSIONS,
    KeptMemory: RecordType.MEMORIES,
    Event: RecordType.EVENTS,
    Topic: RecordType.TOPICS,
    TopicPlace: RecordType.TOPIC_MEMBERS,
    Deletion: RecordType.DELETIONS,
    Segment: RecordType.SEGMENTS,
    Activity: RecordType.ACTIVITIES,
    WorkItem: RecordType.WORK,
    Tombstone: RecordType.TOMBSTONES,
    HourUsage: RecordType.USAGES,
    EventStub: RecordType.STUBS,
    NewUpload: RecordType.UPLOADS,
}
_PARTS: Mapping[Kind, type[object]] = {
    Kind.EPISODIC: Episode,
    Kind.SEMANTIC: Fact,
    Kind.PROCEDURAL: Procedure,
    Kind.LEARNING: Lesson,
}
_TYPES = {name: made_of for made_of, name in _NAMES.items()}
_MADE_BY_FIELDS: tuple[type[object], ...] = (
    *_PARTS.values(),
    *(Memory, Manifest, Trailer, Event, Wing, Session, TopicPlace, Deletion, Cursors),
    *(Segment, Activity, WorkItem, TombstoneKey, Tombstone, HourUsage, EventStub, Upload),
)
_IN_HEX: Mapping[type[object], str] = {
    Event: "digest",
    TombstoneKey: "key",
    Tombstone: "mark",
    EventStub: "mark",
}
"""Which field of a record is bytes."""
_ADAPTERS: Mapping[type[object], TypeAdapter[object]] = {
    made_of: TypeAdapter(made_of) for made_of in _MADE_BY_FIELDS
}


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


_TOPIC = TypeAdapter(_TopicScalars)
_BASE64 = TypeAdapter(str)


class Tally:
    """Counts records by type."""

    def __init__(self) -> None:
        self.counts: dict[RecordType, int] = dict.fromkeys(RecordType, 0)

    def add(self, records: Sequence[Record]) -> None:
        """Count some more."""
        for record in records:
            counted = _COUNTED.get(type(record))
            if counted is not None:
                self.counts[counted] += 1
            if isinstance(record, KeptMemory) and record.vectors is not None:
                self.counts[RecordType.EMBEDDINGS] += 1


class Encoder:
    """Makes the lines of one export, in order."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()
        self._tally = Tally()

    def manifest(self, manifest: Manifest) -> bytes:
        """The first line."""
        return self._line(manifest)

    def records(self, records: Sequence[Record]) -> bytes:
        """The lines of some records."""
        self._tally.add(records)
        return b"".join(map(self._line, records))

    def trailer(self) -> bytes:
        """The last line."""
        return self._line(Trailer(self._tally.counts, self._digest.hexdigest()))

    def _line(self, value: Record | Manifest | Trailer) -> bytes:
        tree = {"type": _NAMES[type(value)], **_tree_of(value)}
        line = json.dumps(tree, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        self._digest.update(line)
        return line


def decode(line: bytes) -> Record | Manifest | Trailer:
    """What a line says.

    Raises:
        ValueError: it is no line of an export of this format.
    """
    tree = json.loads(line, parse_int=_int64, parse_constant=_refuse)
    if not isinstance(tree, dict):
        raise ValueError("is no JSON object")
    made_of = _TYPES.get(tree.pop("type", ""))
    if made_of is None:
        raise ValueError("has no type that this version knows")
    try:
        return _value_of(made_of, tree)
    except (ValidationError, KeyError, TypeError) as error:
        raise ValueError(f"is no {_NAMES[made_of]}: {_told(error)}") from error


def _tree_of(value: Record | Manifest | Trailer) -> Line:
    match value:
        case KeptMemory(memory, vectors):
            tree = {name: getattr(memory, name) for name in Memory.__slots__}
            part = None if memory.part is None else asdict(memory.part)
            provenance = asdict(memory.provenance)
            return tree | {"part": part, "provenance": provenance, "vectors": _packed(vectors)}
        case Topic():
            tree = {name: getattr(value, name) for name in Topic.__slots__}
            return tree | {"centroid": _packed(value.centroid[None, :])}
        case NewUpload(upload, packed):
            return asdict(upload) | {"packed": base64.b64encode(packed).decode()}
        case Event() | TombstoneKey() | Tombstone() | EventStub():
            name = _IN_HEX[type(value)]
            return asdict(value) | {name: getattr(value, name).hex()}
        case _:
            return asdict(value)


def _value_of(made_of: type[object], tree: Line) -> Record | Manifest | Trailer:
    if made_of is KeptMemory:
        vectors = _unpacked(tree.pop("vectors"))
        held = tree.pop("part")
        part = None if held is None else _made(_PARTS[Kind(str(tree["kind"]))], held)
        return KeptMemory(_made(Memory, tree | {"part": part}), vectors)
    if made_of is Topic:
        centroid = _unpacked(tree.pop("centroid"))
        if centroid is None:
            raise ValueError("has no centroid")
        return Topic(**asdict(_TOPIC.validate_python(tree)), centroid=centroid[0])
    if made_of is NewUpload:
        packed = _BASE64.validate_python(tree.pop("packed"))
        return NewUpload(_made(Upload, tree), base64.b64decode(packed, validate=True))
    if name := _IN_HEX.get(made_of):
        tree[name] = bytes.fromhex(str(tree[name]))
    return cast("Record", _made(made_of, tree))


def _made(made_of: type[R], tree: object) -> R:
    made: R = _ADAPTERS[made_of].validate_python(tree)  # type: ignore[assignment]
    return made


def _packed(vectors: Vectors | None) -> Line | None:
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


def _int64(digits: str) -> int:
    value = int(digits)
    if not -(2**63) <= value < 2**63:
        raise ValueError("holds a number of more than 64 bits")
    return value


def _refuse(word: str) -> float:
    raise ValueError(f"holds {word}, which is no number")


def _told(error: Exception) -> str:
    """What is wrong, without the text that it is wrong in."""
    if isinstance(error, ValidationError):
        first = error.errors(include_input=False, include_url=False)[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return f"{type(error).__name__}: {error}"
