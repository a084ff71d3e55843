"""What the fake store tells of facts and entities, from plain dicts."""

from collections.abc import Collection, Mapping, Sequence

from anamnesis_memory.domain.entities.kinds import EntityKind
from anamnesis_memory.domain.entities.names import KnownEntity
from anamnesis_memory.domain.facts.key import folded
from anamnesis_memory.domain.facts.versions import FactVersion
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.ports.knowledge import FactPlace, FactWhere
from anamnesis_memory.storage.knowledge_rows import fact_id_of
from tests.support.fake_records import Records
from tests.support.store_rules import within


class FakeKnowledge:
    """Implements the part of `KnowledgeReads` about facts and entities, for `FakeNamespace`."""

    _records: Records

    async def list_facts(
        self, where: FactWhere, scopes: Collection[str] | None, after: FactPlace | None, limit: int
    ) -> Sequence[FactVersion]:
        """See `KnowledgeReads.list_facts`."""
        mentioned = self._facts_about(where.entity_ids)
        found = [
            one
            for one in self._records.knowledge.versions.values()
            if _says(one, where)
            and (not where.entity_ids or one.state.fact_id in mentioned)
            and within(one.state.statement.scope, scopes)
            and (after is None or _place(one) > after)
        ]
        return sorted(found, key=_place)[:limit]

    async def fact_memories(self, fact_ids: Sequence[str]) -> Mapping[str, Memory]:
        """See `KnowledgeReads.fact_memories`."""
        return self._records.knowledge.by_fact(self._records.memories, fact_ids)

    async def entities(
        self, entity_ids: Sequence[str], scopes: Collection[str] | None
    ) -> Sequence[KnownEntity]:
        """See `KnowledgeReads.entities`."""
        return self._records.knowledge.known(entity_ids, scopes)

    async def entities_named(
        self, folded: str, scopes: Collection[str] | None
    ) -> Sequence[KnownEntity]:
        """See `KnowledgeReads.entities_named`."""
        every = self._records.knowledge.known(sorted(self._records.knowledge.entities), scopes)
        return [one for one in every if folded in {name.spelling.folded for name in one.names}]

    async def entity_groups(self, entity_ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """See `KnowledgeReads.entity_groups`."""
        held = self._records.knowledge
        wholes = {one: held.whole(one) for one in held.entities}
        return {
            asked: (
                wholes[asked],
                *sorted(one for one in wholes if wholes[one] == wholes[asked] != one),
            )
            for asked in entity_ids
            if asked in wholes
        }

    async def list_entities(
        self, kind: EntityKind | None, scopes: Collection[str] | None, after: str, limit: int
    ) -> Sequence[KnownEntity]:
        """See `KnowledgeReads.list_entities`."""
        held = self._records.knowledge
        found = [
            one
            for one in held.known(sorted(held.entities), scopes)
            if one.entity_id > after and kind in (None, one.kind)
        ]
        return found[:limit]

    def _facts_about(self, entity_ids: Collection[str]) -> set[str | None]:
        """The facts of memories that mention one of these."""
        held = self._records
        return {
            fact_id_of(held.memories[one.memory_id])
            for one in held.knowledge.mentions.values()
            if one.entity_id in entity_ids
        }


def _says(version: FactVersion, where: FactWhere) -> bool:
    state = version.state
    statement = state.statement
    return (
        version.known_at(where.known_at_us)
        and (where.as_of_us is None or state.interval.holds_at(where.as_of_us))
        and (not where.subjects or folded(statement.subject) in where.subjects)
        and (not where.predicates or folded(statement.predicate) in where.predicates)
        and where.object in ("", folded(statement.object))
    )


def _place(version: FactVersion) -> FactPlace:
    state = version.state
    interval = state.interval
    return FactPlace(interval.first_us, interval.after_us, state.statement.key, state.fact_id)
