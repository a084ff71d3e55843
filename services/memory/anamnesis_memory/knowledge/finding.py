"""Finding an entity by its id or a name: the one that it is now, with all that is part of it.

An entity that was merged is part of another, which is part of none: the one that stands. What is
told of that one is told of all of them. A caller sees it under the names that they may see, and not
at all where they may see none of them.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from anamnesis_libs.errors import invalid_field
from anamnesis_libs.errors.not_found import EntityNameNotFound, EntityNotFound
from anamnesis_memory.domain.entities.folding import fold
from anamnesis_memory.domain.entities.kinds import EntityKind
from anamnesis_memory.domain.entities.names import EntityName, KnownEntity
from anamnesis_memory.ports.knowledge import KnowledgeReads


@dataclass(frozen=True, slots=True)
class EntityGroup:
    """An entity that stands by itself, and those that were merged into it.

    Args:
        root: the one that stands, with its own names that the caller may see: none, maybe.
        merged: the others of which the caller may see a name, each with its own, by id.
        ids: of all of them, the root first, whoever may see them.
    """

    root: KnownEntity
    merged: tuple[KnownEntity, ...]
    ids: tuple[str, ...]

    @property
    def names(self) -> tuple[EntityName, ...]:
        """All that the caller may see, the first spelled first."""
        every = [name for one in (self.root, *self.merged) for name in one.names]
        return tuple(sorted(every, key=lambda name: name.first_us))

    @property
    def kind(self) -> EntityKind:
        """The kind of the entity: the first one known of its parts, since known kinds agree."""
        kinds = [one.kind for one in (self.root, *self.merged)]
        return next((one for one in kinds if one is not EntityKind.UNKNOWN), EntityKind.UNKNOWN)

    @property
    def mention_count(self) -> int:
        """Number of mentions; names that were only told are no mentions."""
        return sum(one.count for one in self.names if not one.is_alias)

    @property
    def name(self) -> str:
        """The name of the one that stands, else the first that was used of any."""
        return self.root.name or replace(self.root, names=self.names).name

    @property
    def aliases(self) -> tuple[str, ...]:
        """All other spellings, in order of their first mention."""
        names = dict.fromkeys(one.spelling.name for one in self.names)
        names.pop(self.name, None)
        return tuple(names)


async def find_entity(
    store: KnowledgeReads,
    entity_id: str,
    name: str,
    kind: EntityKind,
    scopes: Collection[str] | None,
) -> EntityGroup:
    """The entity of this id, or of those that have this name the one that is mentioned most.

    Of the name only those of this kind count; UNKNOWN: of any.

    Raises:
        InvalidArgument: not exactly one of id and name is given.
        EntityNotFound: there is no entity of this id of which a name may be seen.
        EntityNameNotFound: none has this name where it may be seen.
    """
    if bool(entity_id) == bool(name):
        raise invalid_field("entity_id", "exactly one of entity_id and name must be given")
    if entity_id:
        found = await groups_of(store, [entity_id], scopes)
        if not found:
            raise EntityNotFound(entity_id)
        return found[0]
    named = [
        one
        for one in await entities_of_name(store, name, scopes)
        if kind in (EntityKind.UNKNOWN, one.kind)
    ]
    if not named:
        raise EntityNameNotFound(name)
    return min(named, key=lambda one: (-one.mention_count, one.root.create_time_us))


async def entities_of_name(
    store: KnowledgeReads, name: str, scopes: Collection[str] | None
) -> list[EntityGroup]:
    """All entities that have this name where it may be seen, or a part that has."""
    folded = fold(name).text
    if not folded:
        return []
    named = await store.entities_named(folded, scopes)
    return await groups_of(store, [one.entity_id for one in named], scopes)


async def list_groups(
    store: KnowledgeReads,
    kind: EntityKind | None,
    scopes: Collection[str] | None,
    after: str,
    limit: int,
) -> list[tuple[str, EntityGroup]]:
    """List at most `limit` entities behind a place, each once with its place.

    The place of an entity is that of its first part of this kind of which the caller may see a
    name.
    """
    listed: list[tuple[str, EntityGroup]] = []
    while len(listed) < limit:
        records = await store.list_entities(kind, scopes, after, limit)
        ids = [one.entity_id for one in records]
        placed = [(_place(group, kind), group) for group in await groups_of(store, ids, scopes)]
        listed += [one for one in placed if one[0] in ids]
        if len(records) < limit:
            break
        after = ids[-1]
    return listed[:limit]


async def groups_of(
    store: KnowledgeReads, entity_ids: Sequence[str], scopes: Collection[str] | None
) -> list[EntityGroup]:
    """Return the groups that these entities are part of now, each once, in the order asked for.

    Entities that are not there, or of which no name may be seen, are left out.
    """
    if not entity_ids:
        return []
    by_entity = await store.entity_groups(entity_ids)
    asked = dict.fromkeys(by_entity[one] for one in entity_ids if one in by_entity)
    every = list(dict.fromkeys(one for group in asked for one in group))
    seen = {one.entity_id: one for one in await store.entities(every, scopes)}
    unseen_roots = [group[0] for group in asked if group[0] not in seen]
    roots = {
        one.entity_id: replace(one, names=())
        for one in (await store.entities(unseen_roots, None) if unseen_roots else ())
    }
    return [
        EntityGroup(
            seen.get(group[0]) or roots[group[0]],
            tuple(seen[one] for one in group[1:] if one in seen),
            group,
        )
        for group in asked
        if any(one in seen for one in group)
    ]


def _place(group: EntityGroup, kind: EntityKind | None) -> str:
    """The least id among the parts of this kind that have a name which may be seen."""
    parts = (group.root, *group.merged)
    return min(one.entity_id for one in parts if one.names and kind in (None, one.kind))
