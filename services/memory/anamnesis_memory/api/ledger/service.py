"""LedgerService, put together."""

from anamnesis.memory.v1.ledger_service_pb2_grpc import LedgerServiceServicer
from anamnesis_memory.api.ledger.segments import SegmentRpcs
from anamnesis_memory.api.ledger.sessions import SessionRpcs
from anamnesis_memory.api.ledger.uploads import UploadRpcs
from anamnesis_memory.api.ledger.work import PipelineRules, WorkRpcs
from anamnesis_memory.erasure.service import Eraser
from anamnesis_memory.preparation.prepare import Preparer
from anamnesis_memory.runtime.calls import Calls
from anamnesis_memory.runtime.claiming import Claimer
from anamnesis_memory.runtime.indexing.checked import LessonGate


class LedgerServicer(SessionRpcs, UploadRpcs, SegmentRpcs, WorkRpcs, LedgerServiceServicer):
    """Serves LedgerService; each base class serves some of its rpcs, none calls another."""

    def __init__(
        self,
        calls: Calls,
        prepare: Preparer,
        claimer: Claimer,
        rules: PipelineRules,
        gate: LessonGate,
        eraser: Eraser,
    ) -> None:
        SessionRpcs.__init__(self, calls, prepare, rules, eraser)
        UploadRpcs.__init__(self, calls, prepare)
        SegmentRpcs.__init__(self, calls, prepare, rules, gate)
        WorkRpcs.__init__(self, calls, prepare, claimer, rules)
