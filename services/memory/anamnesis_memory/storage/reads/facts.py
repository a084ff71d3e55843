"""Reads of facts over time."""

from collections.abc import Collection, Mapping, Sequence

from anamnesis_memory.domain.facts.versions import FactVersion
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.ports.knowledge import FactPlace, FactWhere
from anamnesis_memory.storage.knowledge_rows import fact_id_of, place_row, version_of
from anamnesis_memory.storage.reads.source import Parameter, RowSource, listed, some


class FactReader(RowSource):
    """Implements the part of `KnowledgeReads` about facts."""

    async def list_facts(
        self, where: FactWhere, scopes: Collection[str] | None, after: FactPlace | None, limit: int
    ) -> Sequence[FactVersion]:
        """See `KnowledgeReads.list_facts`."""
        asked = _conditions(where, scopes) | place_row(after)
        found = await self._rows(_listing(where), **asked, limit=limit)
        return [version_of(row) for row in found]

    async def fact_memories(self, fact_ids: Sequence[str]) -> Mapping[str, Memory]:
        """See `KnowledgeReads.fact_memories`."""
        found = map(self._memory_of, await self._rows("memories_of_facts", ids=listed(fact_ids)))
        return {fact_id_of(memory) or "": memory for memory in found}


def _listing(where: FactWhere) -> str:
    """The statement that begins at the narrowest index there is."""
    if where.subjects:
        return "list_facts_of_subjects"
    if where.entity_ids:
        return "list_facts_of_entities"
    return "list_facts_of_object" if where.object else "list_facts"


def _conditions(where: FactWhere, scopes: Collection[str] | None) -> dict[str, Parameter]:
    return {
        "subjects": some(where.subjects),
        "predicates": some(where.predicates),
        "object": where.object,
        "entity_ids": some(where.entity_ids),
        "as_of_us": where.as_of_us,
        "known_at_us": where.known_at_us,
        "scopes": listed(scopes),
    }
