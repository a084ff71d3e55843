"""Making several entities one, and undoing it: a pointer that is set, and taken away.

    merged  --merged_into-->  the one that stands

Nothing else changes: each keeps its names and what mentions it, also what comes in while it is
part of another, so that a split leaves it as it would have been. Pointers lead from one that stood
by itself to one that does, so they never lead in a circle. And they lead to one that all see who
see what is part of it: nobody can hide what is shared behind a name of their own.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from anamnesis_libs.errors import EntityNotMerged, invalid_field
from anamnesis_libs.errors.not_found import EntityNotFound
from anamnesis_memory.domain.entities.kinds import EntityKind
from anamnesis_memory.domain.entities.names import KnownEntity
from anamnesis_memory.model.memory import Caller, Visibility
from anamnesis_memory.model.scopes import is_in_scopes, scope_named, scopes_of
from anamnesis_memory.ports import CommitStamp, Decision, ReadSet, ReadView, WriteSet

SHARED = scope_named(Visibility.SHARED, "", "")


@dataclass(frozen=True, slots=True)
class MergeEntities:
    """The write behind `KnowledgeService.MergeEntities`."""

    entity_id: str
    merged_ids: Sequence[str]
    caller: Caller

    def wanted(self) -> ReadSet:
        """The entities, with all that they are one with."""
        return ReadSet(entities=tuple(dict.fromkeys((self.entity_id, *self.merged_ids))))

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[str]:
        """Make what the others are now part of what the first is now; the result is its id.

        Raises:
            EntityNotFound: one is not there, or the caller may see no name of what it is.
            InvalidArgument: they are of different kinds, or what stays is seen by fewer.
        """
        groups = _Groups(seen.entities, self.caller)
        whole = groups.standing(self.entity_id)
        parts = {groups.standing(one).entity_id: None for one in self.merged_ids}
        parts.pop(whole.entity_id, None)
        kinds = {kind for one in (whole.entity_id, *parts) for kind in groups.kinds(one)}
        if len(kinds) > 1:
            named = ", ".join(sorted(kind.value for kind in kinds))
            raise invalid_field("merged_ids", f"and entity_id are of different kinds: {named}")
        if any(groups.seen_by_more(one, whole) for one in parts):
            raise invalid_field(
                "entity_id", "is visible to fewer callers than the entities to be merged into it"
            )
        merged = (
            replace(seen.entities[one], merged_into_id=whole.entity_id, names=()) for one in parts
        )
        return Decision(whole.entity_id, WriteSet(entities=tuple(merged)))


@dataclass(frozen=True, slots=True)
class SplitEntity:
    """The write behind `KnowledgeService.SplitEntity`."""

    entity_id: str
    caller: Caller

    def wanted(self) -> ReadSet:
        """The entity, with all that it is one with."""
        return ReadSet(entities=(self.entity_id,))

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[str]:
        """Split an entity off, with all that was part of it before.

        The result is the id of the whole that the entity was part of.

        Raises:
            EntityNotFound: the entity is not there, or the caller may see no name of it.
            EntityNotMerged: the entity is part of no other.
        """
        groups = _Groups(seen.entities, self.caller)
        whole = groups.standing(self.entity_id)
        if whole.entity_id == self.entity_id:
            raise EntityNotMerged(self.entity_id)
        part = seen.entities[self.entity_id]
        if not groups.sees(groups.within(self.entity_id)):
            raise EntityNotFound(self.entity_id)
        alone = replace(part, merged_into_id="", names=())
        return Decision(whole.entity_id, WriteSet(entities=(alone,)))


class _Groups:
    """Entities with all that they are one with, and what a caller may see of them."""

    def __init__(self, entities: Mapping[str, KnownEntity], caller: Caller) -> None:
        self._entities = entities
        self._scopes = frozenset(scopes_of(caller))

    def standing(self, entity_id: str) -> KnownEntity:
        """The one that an entity is now.

        Raises:
            EntityNotFound: the entity is not there, or the caller may see no name of its whole.
        """
        entity = self._entities.get(entity_id)
        if entity is None:
            raise EntityNotFound(entity_id)
        whole = self._whole(entity)
        if not self.sees(self.within(whole.entity_id)):
            raise EntityNotFound(entity_id)
        return whole

    def within(self, entity_id: str) -> list[KnownEntity]:
        """An entity and all that was merged into it."""
        return [one for one in self._entities.values() if entity_id in self._path(one)]

    def sees(self, entities: Iterable[KnownEntity]) -> bool:
        """True if the caller may see a name of one of these entities."""
        return any(is_in_scopes(name.scope, self._scopes) for one in entities for name in one.names)

    def seen_by_more(self, entity_id: str, whole: KnownEntity) -> bool:
        """True if somebody may see an entity or a part of it, but no name of the other one."""
        scopes = {name.scope for one in self.within(entity_id) for name in one.names}
        others = {name.scope for name in whole.names}
        return SHARED not in others and not scopes <= others

    def kinds(self, entity_id: str) -> set[EntityKind]:
        """The kinds that are known of an entity and of all that was merged into it."""
        return {one.kind for one in self.within(entity_id)} - {EntityKind.UNKNOWN}

    def _whole(self, entity: KnownEntity) -> KnownEntity:
        return self._entities[self._path(entity)[-1]]

    def _path(self, entity: KnownEntity) -> list[str]:
        """The ids on the way from an entity to the whole that it is part of."""
        path = [entity.entity_id]
        while entity.merged_into_id:
            entity = self._entities[entity.merged_into_id]
            path.append(entity.entity_id)
        return path
