"""The entities that a write knows, while it names more of them: found by name, as a store does."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from anamnesis_memory.domain.entities.choosing import EntityCandidate
from anamnesis_memory.domain.entities.kinds import EntityKind
from anamnesis_memory.domain.entities.names import (
    EntityName,
    KnownEntity,
    Mention,
    Named,
    NameKeys,
    Spelling,
)
from anamnesis_memory.domain.entities.slips import may_be_slip


class KnownNames:
    """Entities by what their names have in common with others."""

    def __init__(self, entities: Iterable[KnownEntity]) -> None:
        """`entities` has, for each of its entities, all that are one with it."""
        self._entities = {one.entity_id: one for one in entities}
        self._found_by: defaultdict[tuple[str, str], dict[str, None]] = defaultdict(dict)
        self._kinds: dict[str, EntityKind] = {}
        for one in self._entities.values():
            self._note_kind(one)
            for name in one.names:
                self._index(one.entity_id, name.spelling)

    def candidates(self, named: Named) -> list[EntityCandidate]:
        """The entities that a text may mean, the eldest first."""
        keys = NameKeys.of(named)
        found = self._listed({"folded": keys.folded, "core": keys.cores})
        own = keys.folded | keys.cores
        near = self._listed({"head": keys.heads, "tail": keys.tails}) - found
        found |= {one for one in near if _may_be(own, self._entities[one])}
        ordered = sorted((self._entities[one] for one in found), key=_seniority)
        return [EntityCandidate(one, self._kind_of(one)) for one in ordered]

    def _listed(self, looked_up: Mapping[str, Iterable[str]]) -> set[str]:
        return {
            entity_id
            for key, texts in looked_up.items()
            for text in texts
            for entity_id in self._found_by.get((key, text), ())
        }

    def keep(self, entity: KnownEntity) -> None:
        """Take in an entity that is new, or of another kind."""
        self._entities[entity.entity_id] = entity
        self._note_kind(entity)
        for name in entity.names:
            self._index(entity.entity_id, Spelling.of(name.spelling.name, entity.kind))

    def learn(self, mention: Mention) -> None:
        """The next name finds what this one said."""
        entity = self._entities[mention.entity_id]
        spelled = {(one.spelling.name, one.is_alias) for one in entity.names}
        if (mention.spelling.name, mention.is_alias) in spelled:
            return
        name = EntityName(
            mention.scope, mention.spelling, mention.is_alias, 1, mention.time_us, mention.time_us
        )
        self._entities[mention.entity_id] = replace(entity, names=(*entity.names, name))
        self._index(mention.entity_id, mention.spelling)

    def _index(self, entity_id: str, spelling: Spelling) -> None:
        keys = {
            "folded": spelling.folded,
            "core": spelling.core,
            "head": spelling.head,
            "tail": spelling.tail,
        }
        for key, text in keys.items():
            if text:
                self._found_by[key, text][entity_id] = None

    def _note_kind(self, entity: KnownEntity) -> None:
        if entity.kind is not EntityKind.UNKNOWN:
            self._kinds[self._stands_for(entity)] = entity.kind

    def _kind_of(self, entity: KnownEntity) -> EntityKind:
        """The kind of an entity, as far as anybody has stated it of one of those it is one with."""
        return self._kinds.get(self._stands_for(entity), EntityKind.UNKNOWN)

    def _stands_for(self, entity: KnownEntity) -> str:
        """The id of the whole that an entity is part of."""
        while (whole := self._entities.get(entity.merged_into_id)) is not None:
            entity = whole
        return entity.entity_id


def _may_be(names: Iterable[str], entity: KnownEntity) -> bool:
    """True if a slip of the pen may have made one of these names of one of the entity's."""
    spelled = {text for one in entity.names for text in (one.spelling.folded, one.spelling.core)}
    return any(may_be_slip(name, other) for name in names for other in spelled)


def _seniority(entity: KnownEntity) -> tuple[int, str]:
    return entity.create_time_us, entity.entity_id
