"""KnowledgeService: the graph of memories and entities, on top of facts and entities."""

from services.memory.serving.servicer_entity import EntityServicer


class KnowledgeServicer(EntityServicer):
    """Serves knowledge; see the proto for what each rpc promises."""
