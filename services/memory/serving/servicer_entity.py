"""KnowledgeService: entities, and which of them are one."""

from services.memory.serving.servicer_fact import FactServicer


class EntityServicer(FactServicer):
    """Serves entities; see the proto for what each rpc promises."""
