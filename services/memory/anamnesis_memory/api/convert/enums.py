"""Enums of the model and what they are on the wire; a codec each, checked at import."""

from anamnesis.memory.v1 import (
    admin_service_pb2,
    candidate_pb2,
    document_pb2,
    duplicate_pb2,
    entity_pb2,
    event_pb2,
    knowledge_pb2,
    ledger_service_pb2,
    memory_pb2,
    memory_service_pb2,
    palace_pb2,
    policy_pb2,
    segment_pb2,
    sleep_pb2,
    topic_pb2,
    upload_pb2,
    work_pb2,
    working_memory_service_pb2,
)
from anamnesis_libs.index.port import ConversationKind
from anamnesis_libs.redaction.policy import RedactionAction, RedactionLevel
from anamnesis_libs.rpc.enums import EnumCodec
from anamnesis_memory.dedup.difference import Aspect
from anamnesis_memory.documents.put import Outcome
from anamnesis_memory.domain.documents.conditions import Operator
from anamnesis_memory.domain.entities.kinds import EntityKind
from anamnesis_memory.domain.lifecycle.forgetting import Forgetting
from anamnesis_memory.domain.lifecycle.working import Zone
from anamnesis_memory.knowledge.palace.resolving import PointerState
from anamnesis_memory.knowledge.palace.wings import WingKind
from anamnesis_memory.knowledge.write_outcome import CreateOutcome
from anamnesis_memory.ledger.append import AppendOutcome
from anamnesis_memory.memories.consolidation.settling import DuplicateOutcome
from anamnesis_memory.model.crystallizations import CrystallizationOutcome
from anamnesis_memory.model.edges import EdgeType
from anamnesis_memory.model.memory import Kind, Origin, Status, Tier, Visibility, Work
from anamnesis_memory.model.memory_details import (
    EpisodeStage,
    FactKind,
    ProcedureStatus,
    Role,
    TimePrecision,
)
from anamnesis_memory.model.memory_versions import CopyRole
from anamnesis_memory.model.segments import SegmentState
from anamnesis_memory.model.session import SessionState
from anamnesis_memory.model.sleep_runs import HANDED_OUT, PHASES, RunState
from anamnesis_memory.model.uploads import UploadFormat
from anamnesis_memory.model.work import WorkState
from anamnesis_memory.operations.findings import FindingKind
from anamnesis_memory.ports.knowledge import Direction

KIND = EnumCodec(memory_pb2.MemoryKind, Kind)
TIER = EnumCodec(memory_pb2.Tier, Tier)
STATUS = EnumCodec(memory_pb2.MemoryStatus, Status)
ORIGIN = EnumCodec(memory_pb2.Origin, Origin, default=Origin.ASSERTED)
VISIBILITY = EnumCodec(event_pb2.Visibility, Visibility)
ROLE = EnumCodec(event_pb2.Role, Role)
STAGE = EnumCodec(memory_pb2.Stage, EpisodeStage)
FACT_KIND = EnumCodec(memory_pb2.FactKind, FactKind, default=FactKind.OTHER)
PRECISION = EnumCodec(memory_pb2.TimePrecision, TimePrecision, default=TimePrecision.NONE)
PROCEDURE_STATUS = EnumCodec(
    memory_pb2.ProcedureStatus, ProcedureStatus, default=ProcedureStatus.DRAFT
)
CRYSTALLIZATION_OUTCOME = EnumCodec(topic_pb2.CrystallizationOutcome, CrystallizationOutcome)
COPY_ROLE = EnumCodec(memory_pb2.CopyRole, CopyRole)
ASPECT = EnumCodec(memory_pb2.DifferenceAspect, Aspect)
CREATE_OUTCOME = EnumCodec(memory_service_pb2.CreateOutcome, CreateOutcome)
ENTITY_KIND = EnumCodec(entity_pb2.EntityKind, EntityKind, default=EntityKind.UNKNOWN)
EDGE_TYPE = EnumCodec(knowledge_pb2.EdgeType, EdgeType, wire_only={"MENTIONS"})
DIRECTION = EnumCodec(knowledge_pb2.EdgeDirection, Direction, default=Direction.BOTH)
SESSION_STATE = EnumCodec(event_pb2.SessionState, SessionState)
APPEND_OUTCOME = EnumCodec(ledger_service_pb2.AppendOutcome, AppendOutcome)
SEGMENT_STATE = EnumCodec(segment_pb2.SegmentState, SegmentState)
UPLOAD_FORMAT = EnumCodec(upload_pb2.UploadFormat, UploadFormat)
WORK_KIND = EnumCodec(work_pb2.WorkKind, Work)
WORK_STATE = EnumCodec(work_pb2.WorkState, WorkState)
PHASE = EnumCodec(sleep_pb2.SleepPhase, Work, ours_only=set(Work) - {*PHASES, *HANDED_OUT})
RUN_STATE = EnumCodec(sleep_pb2.RunState, RunState)
WING_KIND = EnumCodec(palace_pb2.WingKind, WingKind)
POINTER_STATE = EnumCodec(palace_pb2.PointerState, PointerState)
ZONE = EnumCodec(working_memory_service_pb2.Zone, Zone)
FORGETTING = EnumCodec(policy_pb2.ForgettingPolicy, Forgetting)
REDACTION_LEVEL = EnumCodec(policy_pb2.RedactionLevel, RedactionLevel)
REDACTION_ACTION = EnumCodec(policy_pb2.RedactionAction, RedactionAction)
FINDING_KIND = EnumCodec(admin_service_pb2.FindingKind, FindingKind)
CONVERSATION_KIND = EnumCodec(candidate_pb2.ConversationKind, ConversationKind)
DOCUMENT_OUTCOME = EnumCodec(document_pb2.DocumentOutcome, Outcome)
VALUE_OPERATOR = EnumCodec(document_pb2.ValueOperator, Operator)
DUPLICATE_OUTCOME = EnumCodec(duplicate_pb2.DuplicateOutcome, DuplicateOutcome)
