"""Facts, reasons, entities and mentions in plain dicts: a part of what the fake store keeps."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from anamnesis_memory.domain.entities.names import EntityName, KnownEntity, Mention, NameKeys
from anamnesis_memory.domain.facts.review import Ground, ReviewReason, Walk, lifted
from anamnesis_memory.domain.facts.versions import FactLine, FactVersion, Telling, by_record
from anamnesis_memory.model.edges import Edge, EdgeType
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.ports import ReadSet, ReadView, WriteSet
from anamnesis_memory.ports.knowledge import LineWanted
from anamnesis_memory.storage.knowledge_rows import fact_id_of
from tests.support.store_rules import within


@dataclass(slots=True)
class KnowledgeRecords:
    """Of one namespace; mentions are by memory, entity and name."""

    tellings: dict[str, Telling] = field(default_factory=dict)
    versions: dict[tuple[str, int], FactVersion] = field(default_factory=dict)
    reasons: set[ReviewReason] = field(default_factory=set)
    entities: dict[str, KnownEntity] = field(default_factory=dict)
    mentions: dict[tuple[str, str, str], Mention] = field(default_factory=dict)

    def see(self, wanted: ReadSet, seen: ReadView, memories: Mapping[str, Memory]) -> ReadView:
        """What a write may look at besides."""
        lines = {one.line_id: line for one in wanted.lines if (line := self._line(one)) is not None}
        fact_ids = {fact_id for one in wanted.lines for fact_id in one.fact_ids}
        for line in lines.values():
            fact_ids |= {each.fact_id for each in line.tellings}
            fact_ids |= {each.state.fact_id for each in line.versions}
        held = self.by_fact(memories, fact_ids)
        named = self._meant(wanted.names) if wanted.names else set()
        wholes = {self.whole(one) for one in {*wanted.entities, *named} & self.entities.keys()}
        asked = [one for one in self.entities if self.whole(one) in wholes]
        return replace(
            seen,
            lines=lines,
            by_fact={key: memory.memory_id for key, memory in held.items()},
            memories={**seen.memories, **{one.memory_id: one for one in held.values()}},
            entities={one.entity_id: one for one in self.known(asked, None)},
            mentions={key: told for key in wanted.mentions_of if (told := self.mentions_of(key))},
        )

    def by_fact(
        self, memories: Mapping[str, Memory], fact_ids: Collection[str]
    ) -> dict[str, Memory]:
        """The memories that hold facts."""
        held = ((fact_id_of(memory), memory) for memory in memories.values())
        return {key: memory for key, memory in held if key is not None and key in fact_ids}

    def known(self, entity_ids: Iterable[str], scopes: Collection[str] | None) -> list[KnownEntity]:
        """Entities with the names in some scopes; those that have none are left out."""
        found = [
            replace(self.entities[key], names=self._names(key, scopes))
            for key in dict.fromkeys(entity_ids)
            if key in self.entities
        ]
        return [one for one in found if one.names]

    def mentions_of(self, memory_id: str) -> tuple[Mention, ...]:
        """What a memory names."""
        return tuple(one for key, one in sorted(self.mentions.items()) if key[0] == memory_id)

    def whole(self, entity_id: str) -> str:
        """Whose part an entity is in the end, or itself."""
        while self.entities[entity_id].merged_into_id:
            entity_id = self.entities[entity_id].merged_into_id
        return entity_id

    def apply(
        self, edits: WriteSet, memories: Mapping[str, Memory], edges: Iterable[Edge]
    ) -> set[str]:
        """Put and remove what the edits name; answers the memories whose reasons have changed."""
        self._apply_facts(edits, {fact_id_of(memory) for memory in memories.values()})
        self._apply_mentions(edits, memories)
        return self._apply_reasons(edits, memories, [*edges])

    def put_telling(self, telling: Telling, held: Collection[str | None]) -> None:
        """Put a telling of a fact that a memory holds."""
        if telling.fact_id in held:
            self.tellings[telling.telling_id] = telling

    def put_version(self, version: FactVersion, held: Collection[str | None]) -> None:
        """Put a version of such a fact, or let go of a void one."""
        key = (version.state.fact_id, version.known_from_us)
        if version.void:
            self.versions.pop(key, None)
        elif key[0] in held:
            self.versions[key] = version

    def put_reason(self, reason: ReviewReason, memories: Mapping[str, Memory]) -> None:
        """Put a reason if both memories are there."""
        if reason.memory_id in memories and reason.ground_id in memories:
            self.reasons.add(reason)

    def put_entity(self, entity: KnownEntity) -> None:
        """Put an entity without the names that it came with."""
        self.entities[entity.entity_id] = replace(entity, names=())

    def put_mention(self, mention: Mention, memories: Mapping[str, Memory]) -> None:
        """Put a mention if its memory and entity are there."""
        if mention.memory_id in memories and mention.entity_id in self.entities:
            key = (mention.memory_id, mention.entity_id, mention.spelling.name)
            self.mentions[key] = mention

    def forget_fact(self, fact_id: str, held: Collection[str | None]) -> None:
        """Let go of all that is kept of a fact; if none holds it, of its name elsewhere too."""
        if fact_id not in held:
            for key, one in self.versions.items():
                closed_by = tuple(each for each in one.state.closed_by if each != fact_id)
                self.versions[key] = replace(one, state=replace(one.state, closed_by=closed_by))
        self.tellings = {key: one for key, one in self.tellings.items() if one.fact_id != fact_id}
        self.versions = {key: one for key, one in self.versions.items() if key[0] != fact_id}

    def _apply_facts(self, edits: WriteSet, held: Collection[str | None]) -> None:
        for telling_id in edits.removed_tellings:
            self.tellings.pop(telling_id, None)
        for fact_id in edits.removed_facts:
            self.forget_fact(fact_id, held)
        for telling in edits.tellings:
            self.put_telling(telling, held)
        for version in edits.fact_versions:
            self.put_version(version, held)

    def _apply_mentions(self, edits: WriteSet, memories: Mapping[str, Memory]) -> None:
        for entity in edits.entities:
            self.put_entity(entity)
        unmentioned = {*edits.deleted_memories, *edits.unmentioned}
        touched = {key[1] for key in self.mentions if key[0] in unmentioned}
        self.mentions = {
            key: one for key, one in self.mentions.items() if key[0] not in unmentioned
        }
        for mention in edits.mentions:
            self.put_mention(mention, memories)
        for entity_id in sorted(touched - {one.entity_id for one in self.mentions.values()}):
            self._forget(entity_id)

    def _forget(self, entity_id: str) -> None:
        """Let go of an entity; its parts become those of its whole, or of their eldest."""
        gone = self.entities.pop(entity_id)
        parts = [one for one in self.entities.values() if one.merged_into_id == entity_id]
        parts.sort(key=lambda one: (one.create_time_us, one.entity_id))
        into = gone.merged_into_id or (parts[0].entity_id if parts else "")
        for part in parts:
            whole = "" if part.entity_id == into else into
            self.entities[part.entity_id] = replace(part, merged_into_id=whole)

    def _apply_reasons(
        self, edits: WriteSet, memories: Mapping[str, Memory], edges: Collection[Edge]
    ) -> set[str]:
        before = set(self.reasons)
        gone = set(edits.deleted_memories)
        self.reasons = {one for one in before if not {one.memory_id, one.ground_id} & gone}
        put = {memory.memory_id for memory in edits.memories}
        touched = {one.memory_id for one in before - self.reasons} - put
        undone = {one for each in edits.lifted for one in lifted(self.reasons, [each])}
        self.reasons = {one for one in self.reasons - undone if one.memory_id not in edits.reviewed}
        shaken = [one for each in edits.shaken for one in _below(each, edges)]
        given = [*shaken, *edits.reasons]
        for reason in given:
            self.put_reason(reason, memories)
        touched |= {one.memory_id for one in (*undone, *given)}
        return (touched | {*edits.reviewed}) & memories.keys()

    def _line(self, wanted: LineWanted) -> FactLine | None:
        tellings = [
            one for one in self.tellings.values() if one.statement.line_id == wanted.line_id
        ]
        versions = [
            one for one in self.versions.values() if one.state.statement.line_id == wanted.line_id
        ]
        standing = [one for one in tellings if one.known_to_us is None]
        if not wanted.whole and not any(one.single_valued for one in standing):
            tellings = [one for one in tellings if one.statement.key in wanted.keys]
            versions = [one for one in versions if one.state.statement.key in wanted.keys]
        if not tellings and not versions:
            return None
        current = [one for one in versions if one.known_to_us is None]
        current.sort(key=lambda one: (one.state.told_us, one.state.first_telling_id))
        changed_us = [*map(_changed_us, tellings), *map(_changed_us, versions)]
        return FactLine(
            tuple(by_record(one for one in tellings if one.known_to_us is None)),
            tuple(current),
            max(changed_us),
        )

    def _meant(self, keys: NameKeys) -> set[str]:
        return {
            one.entity_id
            for one in self.mentions.values()
            if one.spelling.folded in keys.folded
            or one.spelling.core in keys.cores - {""}
            or one.spelling.head in keys.heads - {""}
            or one.spelling.tail in keys.tails - {""}
        }

    def _names(self, entity_id: str, scopes: Collection[str] | None) -> tuple[EntityName, ...]:
        told: dict[tuple[str, str], list[Mention]] = {}
        for one in self.mentions.values():
            if one.entity_id == entity_id and within(one.scope, scopes):
                told.setdefault((one.scope, one.spelling.name), []).append(one)
        return tuple(sorted(map(_name_of, told.values()), key=_first_spelled))


def _changed_us(one: Telling | FactVersion) -> int:
    """When it last changed."""
    return one.known_from_us if one.known_to_us is None else one.known_to_us


def _name_of(mentions: list[Mention]) -> EntityName:
    times = [one.time_us for one in mentions]
    return EntityName(
        mentions[0].scope,
        mentions[-1].spelling,
        all(one.is_alias for one in mentions),
        len(mentions),
        min(times),
        max(times),
    )


def _first_spelled(name: EntityName) -> tuple[int, bool, str, str]:
    return name.first_us, name.is_alias, name.spelling.name, name.scope


def _below(ground: Ground, edges: Collection[Edge]) -> frozenset[ReviewReason]:
    """The reasons of all that is derived from a ground."""
    walk = Walk.below(ground.ground_id)
    while walk.front:
        walk = walk.further(
            sorted(
                one.source_id
                for one in edges
                if one.type is EdgeType.DERIVED_FROM and one.target_id in walk.front
            )
        )
    return walk.reasons(ground)
