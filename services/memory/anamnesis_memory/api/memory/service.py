"""MemoryService, put together."""

from anamnesis.memory.v1.memory_service_pb2_grpc import MemoryServiceServicer
from anamnesis_libs.models.ports import Embedder
from anamnesis_memory.api.creating import Creator
from anamnesis_memory.api.memory.deleting import DeletingRpcs
from anamnesis_memory.api.memory.editing import EditingRpcs
from anamnesis_memory.api.memory.memories import MemoryRpcs
from anamnesis_memory.api.memory.reading import ReadingRpcs
from anamnesis_memory.api.memory.refining import RefiningRpcs
from anamnesis_memory.api.memory.watch import Watcher
from anamnesis_memory.maintenance.usage.buffer import UsageBuffer
from anamnesis_memory.preparation.prepare import Preparer
from anamnesis_memory.runtime.calls import Calls
from anamnesis_memory.runtime.indexing.candidates import CandidateFinder


class MemoryServicer(
    MemoryRpcs, ReadingRpcs, EditingRpcs, DeletingRpcs, RefiningRpcs, MemoryServiceServicer
):
    """Serves MemoryService; each base class serves some of its rpcs, none calls another."""

    def __init__(
        self,
        calls: Calls,
        prepare: Preparer,
        uses: UsageBuffer,
        creator: Creator,
        finder: CandidateFinder,
        embedder: Embedder,
        watcher: Watcher,
    ) -> None:
        MemoryRpcs.__init__(self, calls, prepare, creator, finder, embedder, watcher)
        ReadingRpcs.__init__(self, calls, uses)
        EditingRpcs.__init__(self, calls, prepare, uses)
        DeletingRpcs.__init__(self, calls)
        RefiningRpcs.__init__(self, calls, prepare)
