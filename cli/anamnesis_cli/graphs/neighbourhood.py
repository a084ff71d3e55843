"""The neighbourhood of an entity, gathered from a walk: its neighbours and their claims."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from anamnesis.memory.v1.entity_pb2 import Entity, EntityKind
from anamnesis.memory.v1.knowledge_pb2 import EDGE_TYPE_MENTIONS, GraphNode
from anamnesis.memory.v1.memory_pb2 import (
    MEMORY_KIND_SEMANTIC,
    MEMORY_STATUS_ARCHIVED,
    Memory,
    MemoryKind,
)
from anamnesis_cli.fact_times import ends_before, told
from anamnesis_libs.rpc.enums import enum_word

VALUE = "value"
"""The kind of what a fact names and nothing else mentions."""

_COUNTED = {"episodic": "drawer", "procedural": "procedure", "learning": "lesson"}


@dataclass(frozen=True, slots=True)
class Thing:
    """An entity, or a value that a fact names; `kind` is a word, empty where it is not known."""

    key: str
    name: str
    kind: str
    mentions: int = 0


@dataclass(frozen=True, slots=True)
class StatedFact:
    """A fact between two things.

    Args:
        subject: of whom it is said; keys of things, as `object` is.
        predicate: in words.
        object: what is said.
        when: from when until when, as far as it is known.
        over: it holds no longer.
        caveat: why not to rely on it; empty as a rule.
        begin_s: for the order; seconds since 1970.
        importance: which are drawn where there is not room for all.
    """

    subject: str
    predicate: str
    object: str
    when: str
    over: bool
    caveat: str
    begin_s: int
    importance: float


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """An entity in the middle of what is known.

    Args:
        centre: the entity.
        things: all that claims name, and the entities that memories mention beside it, by key.
        claims: what holds first, then by predicate and beginning.
        together: entities mentioned beside it of which nothing is claimed with it, those that are
            mentioned most first; keys.
        counts: memories that are no facts, by what they are called.
    """

    centre: Thing
    things: Mapping[str, Thing]
    claims: tuple[StatedFact, ...]
    together: tuple[str, ...]
    counts: Mapping[str, int]


def gathered(centre: Entity, nodes: Sequence[GraphNode], now: datetime) -> Neighbourhood:
    """All that a walk from an entity has reached, as of a time."""
    names = _Names([centre, *(node.entity for node in nodes if node.HasField("entity"))])
    memories = [
        node.memory
        for node in nodes
        if node.HasField("memory") and node.memory.status != MEMORY_STATUS_ARCHIVED
    ]
    claims = [_claim(memory, names, now) for memory in memories if memory.HasField("fact")]
    ordered = sorted(set(claims), key=_place)
    return Neighbourhood(
        _thing(centre),
        names.things,
        tuple(ordered),
        tuple(_together(centre.entity_id, nodes, memories, names, ordered)),
        _counts(memories),
    )


class _Names:
    """Finds things by name: entities by any that they have; what else is named is a value."""

    def __init__(self, entities: Iterable[Entity]) -> None:
        self.things: dict[str, Thing] = {}
        self._keys: dict[str, str] = {}
        for entity in entities:
            self.things[entity.entity_id] = _thing(entity)
            for name in (entity.name, *entity.aliases):
                self._keys.setdefault(_folded(name), entity.entity_id)

    def entity(self, name: str) -> str | None:
        """The key of the entity of this name."""
        return self._keys.get(_folded(name))

    def key(self, name: str) -> str:
        """The key of what is named."""
        key = self.entity(name)
        if key is None:
            key = f"{VALUE} {_folded(name)}"
            self.things.setdefault(key, Thing(key, " ".join(name.split()), VALUE))
        return key


def _thing(entity: Entity) -> Thing:
    kind = enum_word(EntityKind, entity.kind)
    known = "" if kind == "unspecified" else kind
    return Thing(entity.entity_id, entity.name, known, entity.mention_count)


def _folded(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _claim(memory: Memory, names: _Names, now: datetime) -> StatedFact:
    fact = memory.fact
    flags = {"contradicted": fact.contradicted, "needs review": memory.needs_review}
    return StatedFact(
        names.key(fact.subject),
        " ".join(fact.predicate.replace("_", " ").split()),
        names.key(fact.object),
        told(memory),
        fact.superseded or ends_before(fact, now),
        ", ".join(word for word, is_so in flags.items() if is_so),
        fact.valid_from.seconds,
        memory.importance,
    )


def _place(claim: StatedFact) -> tuple[bool, str, int, str, str]:
    return claim.over, claim.predicate, claim.begin_s, claim.subject, claim.object


def _together(
    centre: str,
    nodes: Iterable[GraphNode],
    memories: Iterable[Memory],
    names: _Names,
    claims: Iterable[StatedFact],
) -> list[str]:
    """Entities that a memory mentions beside the one in the middle."""
    pairs = {pair for node in nodes for pair in _mentions(node)}
    for memory in memories:
        named = (names.entity(name) for name in memory.entities)
        pairs.update((memory.memory_id, entity) for entity in named if entity)
    about = {memory_id for memory_id, entity in pairs if entity == centre}
    beside = {entity for memory_id, entity in pairs if memory_id in about} & set(names.things)
    ends = [{claim.subject, claim.object} for claim in claims]
    claimed = {key for pair in ends if centre in pair for key in pair}
    things = [names.things[key] for key in beside - claimed - {centre}]
    return [one.key for one in sorted(things, key=lambda one: (-one.mentions, one.name))]


def _mentions(node: GraphNode) -> Iterator[tuple[str, str]]:
    for edge in node.path:
        if edge.type == EDGE_TYPE_MENTIONS:
            yield edge.source_id, edge.target_id


def _counts(memories: Iterable[Memory]) -> Mapping[str, int]:
    kinds = Counter(
        enum_word(MemoryKind, memory.kind)
        for memory in memories
        if memory.kind != MEMORY_KIND_SEMANTIC
    )
    return {word: kinds[kind] for kind, word in _COUNTED.items() if kinds[kind]}
