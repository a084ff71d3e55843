"""An export as lines of JSON, whichever store it comes from: records to lines and back.

    {"type": "manifest", "format": "anamnesis-export", "version": 1, ...}
    {"type": "wing", ...}, {"type": "session", ...}, {"type": "memory", ...}, ...
    {"type": "trailer", "counts": {...}, "sha256": "..."}

An upload is base64 of what is kept of it, by zlib, in one line, for a call brings 10 MiB at most
and a line may have 64; `portable_values` has the rest. The trailer's SHA-256 is over every byte
before it. docs/backup.md describes the lines for people.
"""

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from pydantic import TypeAdapter, ValidationError

from anamnesis_libs.errors import InvalidArgument
from anamnesis_memory.domain.entities.names import KnownEntity, Mention
from anamnesis_memory.domain.facts.review import ReviewReason
from anamnesis_memory.domain.facts.versions import FactVersion, Telling
from anamnesis_memory.model.documents import Document
from anamnesis_memory.model.edges import Edge
from anamnesis_memory.model.memory import Topic
from anamnesis_memory.model.memory_versions import Copy
from anamnesis_memory.model.segments import Activity, Segment
from anamnesis_memory.model.session import Event, Session, Wing
from anamnesis_memory.model.stubs import EventStub
from anamnesis_memory.model.uploads import NewUpload
from anamnesis_memory.model.usage import HourUsage
from anamnesis_memory.model.work import WorkItem
from anamnesis_memory.operations.portable_values import tree_of, value_of
from anamnesis_memory.ports.upkeep import (
    Cursors,
    Deletion,
    KeptMemory,
    Record,
    RecordType,
    Tombstone,
    TombstoneKey,
    TopicPlace,
)

FORMAT = "anamnesis-export"
VERSION = 5
VERSION_WITHOUT_OWNERS = 4
"""Of namespaces in which everybody saw what no write had made private."""
VERSION_WITHOUT_KNOWLEDGE = 3
"""Of namespaces that kept no entities and mentions, and nothing of facts but their memories."""
VERSION_WITHOUT_EDGES = 2
"""Of namespaces that kept no edges, copies and documents either, and no digests of lessons."""
VERSION_WITHOUT_PIPELINE = 1
"""Of namespaces that kept no segments either, nothing of what they taught, and no work."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """The first line of an export, which describes the rest."""

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
    """The last line of an export: counts and digest of all before it."""

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
    Edge: "edge",
    Copy: "copy",
    Document: "document",
    KnownEntity: "entity",
    Mention: "mention",
    Telling: "telling",
    FactVersion: "fact_version",
    ReviewReason: "reason",
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
    Edge: RecordType.EDGES,
    Copy: RecordType.COPIES,
    Document: RecordType.DOCUMENTS,
    KnownEntity: RecordType.ENTITIES,
    Mention: RecordType.MENTIONS,
    Telling: RecordType.TELLINGS,
    FactVersion: RecordType.FACT_VERSIONS,
    ReviewReason: RecordType.REASONS,
}
_TYPES = {name: made_of for made_of, name in _NAMES.items()}
_FRAME: Mapping[type[object], TypeAdapter[Manifest] | TypeAdapter[Trailer]] = {
    Manifest: TypeAdapter(Manifest),
    Trailer: TypeAdapter(Trailer),
}


class ExportTally:
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
        self._tally = ExportTally()

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
        told = asdict(value) if isinstance(value, Manifest | Trailer) else tree_of(value)
        tree = {"type": _NAMES[type(value)], **told}
        line = json.dumps(tree, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        self._digest.update(line)
        return line


def decode(line: bytes) -> Record | Manifest | Trailer:
    """Return the record, manifest or trailer that a line holds.

    Raises:
        ValueError: the line is none of an export of this format.
    """
    tree = _object(line)
    made_of = _TYPES.get(str(tree.pop("type", "")))
    if made_of is None:
        raise ValueError("has no type that this version knows")
    try:
        frame = _FRAME.get(made_of)
        return frame.validate_python(tree) if frame else value_of(made_of, tree)
    except (ValidationError, InvalidArgument, KeyError, TypeError) as error:
        raise ValueError(f"is no {_NAMES[made_of]}: {_told(error)}") from error


def _object(line: bytes) -> dict[str, object]:
    """The JSON object that a line is, in UTF-8."""
    try:
        tree = json.loads(
            line.decode(), parse_int=_int64, parse_float=_finite, parse_constant=_refuse
        )
    except UnicodeDecodeError as error:
        raise ValueError("is no UTF-8") from error
    except RecursionError as error:
        raise ValueError("is nested too deeply") from error
    if not isinstance(tree, dict):
        raise ValueError("is no JSON object")
    return tree


def _int64(digits: str) -> int:
    value = int(digits)
    if not -(2**63) <= value < 2**63:
        raise ValueError("holds a number of more than 64 bits")
    return value


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError("holds a number that is too large")
    return value


def _refuse(word: str) -> float:
    raise ValueError(f"holds {word}, which is no number")


def _told(error: Exception) -> str:
    """The text of an error, without the input that the error is about."""
    if isinstance(error, ValidationError):
        first = error.errors(include_input=False, include_url=False)[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    if isinstance(error, InvalidArgument):
        return error.message
    return f"{type(error).__name__}: {error}"
