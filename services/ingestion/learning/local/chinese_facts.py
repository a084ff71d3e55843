"""Chinese."""
from services.ingestion.learning.local.drafts import Clause, Draft
from services.ingestion.learning.local.scene import Scene


def chinese_facts(clause: Clause, scene: Scene) -> list[Draft]:
    return []
