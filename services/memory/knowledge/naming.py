"""Names of one write come in, in order: each is a known entity's, or founds one.

This is the decision of a write: the entities that the names may mean were loaded in the same
transaction, so that of many who name one person for the first time at once, the second finds the
first.
"""

from collections.abc import Iterable
from dataclasses import replace

from services.memory.entities.folding import fold
from services.memory.entities.kinds import EntityKind
from services.memory.entities.matching import Entity, Reason, resolve
from services.memory.entities.names import EntityName, KnownEntity, Mention, Named, Spelling
from services.memory.facts.key import digest
from services.memory.model import Memory
from services.memory.parts import Fact
from services.memory.ports import Edits, Seen, Stamp

PREFIX = "e-"
"""What the ids of entities begin with, and those of memories do not."""

_BY_NAME = frozenset({Reason.SAME_NAME, Reason.ALIAS})


def names_of(memory: Memory, said: Iterable[Named] = ()) -> tuple[Named, ...]:
    """What a memory names: what was said, then its labels, and of a fact who it is about.

    A name that was said with its kind is not named again without.
    """
    named = list(said)
    if isinstance(memory.part, Fact):
        named += [Named(name, EntityKind.PERSON) for name in memory.part.persons]
        named.append(Named(memory.part.subject))
    named += map(Named, memory.entities)
    known: dict[str, Named] = {}
    for one in named:
        folded = fold(one.name).text
        if folded and folded not in known:
            known[folded] = one
    return tuple(known.values())


class EntityDesk:
    """Finds out who is named, one name after another, and gathers the edits that come of it."""

    def __init__(self, seen: Seen, stamp: Stamp) -> None:
        """`seen` has the entities that the keys of the names find."""
        self._stamp = stamp
        self._known = dict(seen.entities)
        self._put: dict[str, KnownEntity] = {}
        self._mentions: dict[tuple[str, str, str], Mention] = {}

    def name(self, memory_id: str, scope: str, named: Iterable[Named]) -> None:
        """Note whom a memory names that this scope sees."""
        for one in named:
            for mention in self._mention(memory_id, scope, one):
                key = (memory_id, mention.entity_id, mention.spelling.name)
                self._mentions.setdefault(key, mention)

    def edits(self) -> Edits:
        """All that came of it."""
        return Edits(entities=tuple(self._put.values()), mentions=tuple(self._mentions.values()))

    def _mention(self, memory_id: str, scope: str, named: Named) -> Iterable[Mention]:
        if not fold(named.name).text:
            return
        entity = self._found(memory_id, named)
        names = [(named.name, False), *((alias, True) for alias in named.aliases)]
        for name, is_alias in names:
            spelling = Spelling.of(name, entity.kind)
            if spelling.folded:
                mention = Mention(
                    memory_id,
                    entity.entity_id,
                    scope,
                    spelling,
                    is_alias,
                    self._stamp.now_us,
                )
                self._learn(mention)
                yield mention

    def _found(self, memory_id: str, named: Named) -> KnownEntity:
        """The entity that is meant; its kind is known from now on if it was told."""
        entity = self._meant(named)
        if entity is None:
            entity_id = PREFIX + digest(memory_id, named.kind.value, fold(named.name).text)
            entity = KnownEntity(entity_id, named.kind, self._stamp.now_us)
            self._keep(entity)
        elif entity.kind is EntityKind.UNKNOWN is not named.kind:
            entity = replace(entity, kind=named.kind)
            self._keep(entity)
        return entity

    def _meant(self, named: Named) -> KnownEntity | None:
        """The known entity that a name means, if there is one and no doubt.

        Where one side's kind is not known only the names themselves count, and the eldest of
        several is meant: else each mention would found one more.
        """
        known = sorted(self._known.values(), key=_seniority)
        same = [one for one in known if one.kind is named.kind]
        if named.kind is not EntityKind.UNKNOWN:
            found = resolve(_as_rule(named, named.kind), [_as_known(one, one.kind) for one in same])
            if found.place is not None:
                return same[found.place]
            known = [one for one in known if one.kind is EntityKind.UNKNOWN]
        for one in known:
            kind = named.kind if one.kind is EntityKind.UNKNOWN else one.kind
            found = resolve(_as_rule(named, kind), [_as_known(one, kind)])
            if found.reason in _BY_NAME:
                return one
        return None

    def _keep(self, entity: KnownEntity) -> None:
        self._known[entity.entity_id] = self._put[entity.entity_id] = entity

    def _learn(self, mention: Mention) -> None:
        """The next name of this write finds what this one said."""
        entity = self._known[mention.entity_id]
        name = EntityName(
            mention.scope, mention.spelling, mention.is_alias, 1, mention.time_us, mention.time_us
        )
        self._known[mention.entity_id] = replace(entity, names=(*entity.names, name))


def _seniority(entity: KnownEntity) -> tuple[bool, int, str]:
    """Those that stand by themselves first, then the eldest."""
    return bool(entity.merged_into_id), entity.create_time_us, entity.entity_id


def _as_rule(named: Named, kind: EntityKind) -> Entity:
    return Entity(named.name, kind, named.aliases)


def _as_known(entity: KnownEntity, kind: EntityKind) -> Entity:
    return Entity(entity.name, kind, entity.aliases)
