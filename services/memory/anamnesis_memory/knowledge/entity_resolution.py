"""Names of one write come in, in order: each is a known entity's, or founds one.

This is the decision of a write: the entities that the names may mean were loaded in the same
transaction, so that of many who name one person for the first time at once, the second finds the
first.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from anamnesis_libs.redaction.policy import PERSON, TAG
from anamnesis_memory.domain.entities.choosing import by_full_name, choose
from anamnesis_memory.domain.entities.folding import fold
from anamnesis_memory.domain.entities.kinds import EntityKind
from anamnesis_memory.domain.entities.names import ID_PREFIX, KnownEntity, Mention, Named, Spelling
from anamnesis_memory.domain.entities.objects import names_object
from anamnesis_memory.domain.entities.subjects import is_anybody, names_one
from anamnesis_memory.domain.facts.key import digest
from anamnesis_memory.knowledge.known_names import KnownNames
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.model.memory_details import Fact
from anamnesis_memory.ports import CommitStamp, ReadView, WriteSet


def names_of(memory: Memory, said: Iterable[Named] = ()) -> tuple[Named, ...]:
    """The names in a memory: those stated with it, then its labels, and of a fact both its ends.

    A stated name is taken at its word. Of all others a pronoun or a role names nobody, nor does a
    subject that is a clause (see `entities.subjects`); a label that is that clause is left out too.
    An object that is a value names nobody (see `entities.objects`).
    """
    named: list[Named] = []
    clause = ""
    if isinstance(memory.part, Fact):
        named += [Named(name, EntityKind.PERSON) for name in memory.part.persons]
        subject = memory.part.subject
        clause = "" if names_one(subject) else subject
        named += [Named(subject)] if not clause else []
        if names_object(memory.part.predicate, memory.part.object):
            named.append(Named(memory.part.object))
    named += [Named(label) for label in memory.entities if label != clause]
    return united((*said, *(one for one in named if not is_anybody(one.name))))


def united(named: Iterable[Named]) -> tuple[Named, ...]:
    """Each name of a kind once, with all that it is also called; without what is no name.

    A name that is there with its kind is not named again without.
    """
    found: dict[tuple[str, EntityKind], Named] = {}
    for one in named:
        folded = fold(one.name).text
        if is_name(one.name):
            known = found.setdefault((folded, one.kind), one)
            aliases = tuple(dict.fromkeys((*known.aliases, *one.aliases)))
            found[folded, one.kind] = replace(known, aliases=aliases)
    kinds = {folded for folded, kind in found if kind is not EntityKind.UNKNOWN}
    return tuple(
        one
        for (folded, kind), one in found.items()
        if kind is not EntityKind.UNKNOWN or folded not in kinds
    )


def is_name(text: str) -> bool:
    """True if a text names anything: a pseudonym does, the tag of a secret does not."""
    return bool(fold(TAG.sub(_without_secret, text)).text)


def _without_secret(tag: re.Match[str]) -> str:
    return tag[0] if tag[0].startswith(f"<{PERSON}_") else ""


class EntityResolver:
    """Finds out who is named, one name after another, and gathers the edits that come of it."""

    def __init__(self, seen: ReadView, stamp: CommitStamp) -> None:
        """`seen` has the entities that the keys of the names find."""
        self._stamp = stamp
        self._known = KnownNames(seen.entities.values())
        self._put: dict[str, KnownEntity] = {}
        self._mentions: dict[tuple[str, str, str], Mention] = {}

    def name(self, memory_id: str, scope: str, named: Iterable[Named]) -> Sequence[Named]:
        """Note whom a memory names that this scope sees; gives them with the kinds now known."""
        return [self._name(memory_id, scope, one) for one in named if is_name(one.name)]

    def edits(self) -> WriteSet:
        """The edits of all names that were taken in."""
        return WriteSet(entities=tuple(self._put.values()), mentions=tuple(self._mentions.values()))

    def _name(self, memory_id: str, scope: str, said: Named) -> Named:
        named, entity, kind = self._found(memory_id, said)
        names = [(named.name, False), *((alias, True) for alias in named.aliases)]
        for name, is_alias in names:
            if is_name(name):
                spelling = Spelling.of(name, kind)
                now_us = self._stamp.now_us
                self._note(Mention(memory_id, entity.entity_id, scope, spelling, is_alias, now_us))
        return replace(said, kind=kind)

    def _note(self, mention: Mention) -> None:
        """Note a mention; a name that is both used and given as an alias is recorded as used."""
        self._known.learn(mention)
        key = (mention.memory_id, mention.entity_id, mention.spelling.name)
        if key not in self._mentions or not mention.is_alias:
            self._mentions[key] = mention

    def _found(self, memory_id: str, named: Named) -> tuple[Named, KnownEntity, EntityKind]:
        """The entity that is meant, and its kind, known from now on if it was told."""
        meant = choose(named, self._known.candidates(named))
        if meant is not None and (full := by_full_name(named, meant)) != named:
            return self._found(memory_id, full)
        if meant is None:
            entity_id = ID_PREFIX + digest(memory_id, named.kind.value, *fold(named.name).tokens)
            entity = KnownEntity(entity_id, named.kind, self._stamp.now_us)
            self._keep(entity)
            return named, entity, named.kind
        entity = meant.entity
        if entity.kind is EntityKind.UNKNOWN is not named.kind:
            entity = replace(entity, kind=named.kind)
            self._keep(entity)
        return named, entity, named.kind if meant.kind is EntityKind.UNKNOWN else meant.kind

    def _keep(self, entity: KnownEntity) -> None:
        self._known.keep(entity)
        self._put[entity.entity_id] = entity
