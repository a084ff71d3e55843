"""Enums of ingestion and what they are on the wire; a codec each, checked at import."""

from anamnesis.memory.v1 import (
    entity_pb2,
    event_pb2,
    knowledge_pb2,
    memory_pb2,
    upload_pb2,
    work_pb2,
)
from anamnesis_ingestion.learning.knowledge import EntityKind, FactKind, Precision
from anamnesis_ingestion.learning.links.model import LinkType
from anamnesis_ingestion.ledger import SessionState, Visibility
from anamnesis_ingestion.model import Role
from anamnesis_ingestion.pipeline.work import PipelineStage, StageState
from anamnesis_ingestion.raw import RawForm
from anamnesis_libs.rpc.enums import EnumCodec

ROLE = EnumCodec(event_pb2.Role, Role)
VISIBILITY = EnumCodec(event_pb2.Visibility, Visibility)
SESSION_STATE = EnumCodec(event_pb2.SessionState, SessionState)
STAGE = EnumCodec(
    work_pb2.WorkKind,
    PipelineStage,
    wire_only={
        *("CLUSTER", "REINFORCE", "TIER", "FORGET", "RETAIN", "SHARE"),
        *("MERGE", "CRYSTALLISE", "REFINE"),
    },
)
STATE = EnumCodec(work_pb2.WorkState, StageState)
FACT_KIND = EnumCodec(memory_pb2.FactKind, FactKind)
ENTITY_KIND = EnumCodec(entity_pb2.EntityKind, EntityKind, default=EntityKind.UNKNOWN)
PRECISION = EnumCodec(memory_pb2.TimePrecision, Precision, default=Precision.NONE)
LINK_TYPE = EnumCodec(
    knowledge_pb2.EdgeType,
    LinkType,
    wire_only={
        "MENTIONS",
        "DERIVED_FROM",
        "SUPPORTS",
        "CONTRADICTS",
        "SUPERSEDES",
        "SIMILAR_TO",
        "MAY_DUPLICATE",
        "PART_OF",
        "CO_RECALLED",
    },
)
UPLOAD_FORMAT = EnumCodec(upload_pb2.UploadFormat, RawForm)
