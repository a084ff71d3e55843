"""KnowledgeService: facts over time."""

from anamnesis.memory.v1 import knowledge_service_pb2_grpc
from services.memory.serving.calls import Calls
from services.memory.serving.servicer_creating import Creator


class FactServicer(knowledge_service_pb2_grpc.KnowledgeServiceServicer):
    """Serves facts; see the proto for what each rpc promises."""

    def __init__(self, calls: Calls, creator: Creator) -> None:
        self._calls = calls
        self._creator = creator
