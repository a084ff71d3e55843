"""Entities as a store keeps them, in plain dictionaries: what a write sees, what it leaves."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from anamnesis_memory.domain.entities.names import (
    EntityName,
    KnownEntity,
    Mention,
    Named,
    NameKeys,
    Spelling,
)
from anamnesis_memory.knowledge.entity_resolution import EntityResolver
from anamnesis_memory.ports import CommitStamp, ReadView, WriteSet


@dataclass
class EntityBook:
    """Takes writes of names, each of which sees what the keys of its names find."""

    entities: dict[str, KnownEntity] = field(default_factory=dict)
    mentions: dict[tuple[str, str, str], Mention] = field(default_factory=dict)
    now_us: int = 1_000

    def write(
        self, memory_id: str, *named: Named, scope: str = "shared", at_once: bool = False
    ) -> Sequence[Named]:
        """Name all in one write, or each in one of its own; gives what the desk answers."""
        told: list[Named] = []
        for batch in [named] if at_once else [(one,) for one in named]:
            self.now_us += 1
            desk = EntityResolver(ReadView(entities=self.seen(batch)), CommitStamp(1, self.now_us))
            told += desk.name(memory_id, scope, batch)
            self.apply(desk.edits())
        return told

    def seen(self, named: Iterable[Named]) -> dict[str, KnownEntity]:
        """What a write that names these sees: what their keys find, and all that is one with it."""
        keys = NameKeys.united(map(NameKeys.of, named))
        roots = {self.root(one) for one in self.all if _found(keys, one)}
        return {one.entity_id: one for one in self.all if self.root(one) in roots}

    def root(self, entity: KnownEntity) -> str:
        """Whose part it is in the end."""
        while entity.merged_into_id:
            entity = self.entities[entity.merged_into_id]
        return entity.entity_id

    def apply(self, edits: WriteSet) -> None:
        """Keep what a write leaves."""
        self.entities.update((one.entity_id, replace(one, names=())) for one in edits.entities)
        for one in edits.mentions:
            self.mentions[one.memory_id, one.entity_id, one.spelling.name] = one

    @property
    def all(self) -> list[KnownEntity]:
        """Every entity with its names."""
        return [self.known(one) for one in self.entities]

    def known(self, entity_id: str) -> KnownEntity:
        """One entity with its names."""
        by_name: dict[tuple[str, str], list[Mention]] = {}
        for one in self.mentions.values():
            if one.entity_id == entity_id:
                by_name.setdefault((one.scope, one.spelling.name), []).append(one)
        names = [_name(scope, group) for (scope, _), group in by_name.items()]
        names.sort(key=lambda one: one.first_us)
        return replace(self.entities[entity_id], names=tuple(names))


def _name(scope: str, mentions: Sequence[Mention]) -> EntityName:
    times = [one.time_us for one in mentions]
    told = all(one.is_alias for one in mentions)
    return EntityName(scope, mentions[0].spelling, told, len(mentions), min(times), max(times))


def _found(keys: NameKeys, entity: KnownEntity) -> bool:
    return any(_shares(keys, one.spelling) for one in entity.names)


def _shares(keys: NameKeys, spelling: Spelling) -> bool:
    return (
        spelling.folded in keys.folded
        or spelling.core in keys.cores
        or spelling.head in keys.heads
        or spelling.tail in keys.tails
    )
