"""KnowledgeService, put together."""

from anamnesis.memory.v1.knowledge_service_pb2_grpc import KnowledgeServiceServicer
from anamnesis_memory.api.creating import Creator
from anamnesis_memory.api.knowledge.entities import EntityRpcs
from anamnesis_memory.api.knowledge.facts import FactRpcs
from anamnesis_memory.api.knowledge.graph import GraphRpcs
from anamnesis_memory.runtime.calls import Calls


class KnowledgeServicer(FactRpcs, EntityRpcs, GraphRpcs, KnowledgeServiceServicer):
    """Serves KnowledgeService; each base class serves some of its rpcs, none calls another."""

    def __init__(
        self,
        calls: Calls,
        creator: Creator,
    ) -> None:
        FactRpcs.__init__(self, calls, creator)
        EntityRpcs.__init__(self, calls, creator)
        GraphRpcs.__init__(self, calls)
