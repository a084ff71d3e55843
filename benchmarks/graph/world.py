"""A made-up graph: memories that name entities, a few of them often, and edges between memories."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from anamnesis_memory.domain.entities.kinds import EntityKind
from anamnesis_memory.domain.entities.names import ID_PREFIX, KnownEntity, Mention, Spelling
from anamnesis_memory.model.edges import Edge, EdgeType
from anamnesis_memory.model.memory import Kind, Memory, Origin, Provenance
from anamnesis_memory.ports import WriteSet

ENTITIES_SHARE = 0.15
"""Of all nodes."""

MENTIONS_SHARE = 0.5
"""Of all edges."""

SKEW = 0.8
"""The n-th entity is named n^-0.8 as often as the first (Zipf)."""

_NEAR = 200
"""Half of the edges lead to one of so many memories that came right before."""

_TYPES = (
    *(EdgeType.DERIVED_FROM, EdgeType.SUPPORTS, EdgeType.SIMILAR_TO, EdgeType.CO_RECALLED),
    *(EdgeType.PART_OF, EdgeType.SUPERSEDES),
)
_BATCH = 1000


@dataclass(frozen=True, slots=True)
class World:
    """Ids of what is in the graph; entities by how often they are named."""

    memory_ids: Sequence[str]
    entity_ids: Sequence[str]
    batches: Sequence[WriteSet]


def made(nodes: int, edges: int, now_us: int, seed: int = 7) -> World:
    """The graph, in batches that can be stored one after the other."""
    chance = random.Random(seed)
    entity_ids = [f"{ID_PREFIX}{number:032x}" for number in range(round(nodes * ENTITIES_SHARE))]
    memory_ids = [f"m-{number:06d}" for number in range(nodes - len(entity_ids))]
    mentions = round(edges * MENTIONS_SHARE)
    batches = [
        *_memories(memory_ids, now_us),
        *_mentions(memory_ids, entity_ids, mentions, chance, now_us),
        *_edges(memory_ids, edges - mentions, chance, now_us),
    ]
    return World(memory_ids, entity_ids, batches)


def _memories(memory_ids: Sequence[str], now_us: int) -> Iterator[WriteSet]:
    for start in range(0, len(memory_ids), _BATCH):
        yield WriteSet(memories=tuple(_memory(one, now_us) for one in memory_ids[start:][:_BATCH]))


def _memory(memory_id: str, now_us: int) -> Memory:
    return Memory(
        memory_id=memory_id,
        kind=Kind.SEMANTIC,
        content=f"what {memory_id} says is of no matter here, as long as it is a sentence",
        create_time_us=now_us,
        update_time_us=now_us,
        revision=0,
        provenance=Provenance(Origin.ASSERTED),
    )


def _mentions(
    memory_ids: Sequence[str],
    entity_ids: Sequence[str],
    count: int,
    chance: random.Random,
    now_us: int,
) -> Iterator[WriteSet]:
    """Pairs of a memory and an entity that it names, each once."""
    weights = list(accumulate((place + 1) ** -SKEW for place in range(len(entity_ids))))
    pairs: dict[tuple[str, str], None] = {}
    while len(pairs) < count:
        (named,) = chance.choices(entity_ids, cum_weights=weights)
        pairs[chance.choice(memory_ids), named] = None
    every = [_mention(memory_id, entity_id, now_us) for memory_id, entity_id in pairs]
    for start in range(0, count, _BATCH):
        batch = tuple(every[start : start + _BATCH])
        ids = dict.fromkeys(one.entity_id for one in batch)
        entities = tuple(KnownEntity(one, EntityKind.PERSON, now_us) for one in ids)
        yield WriteSet(entities=entities, mentions=batch)


def _mention(memory_id: str, entity_id: str, now_us: int) -> Mention:
    spelling = Spelling.of(f"Person {entity_id[-6:]}", EntityKind.PERSON)
    return Mention(memory_id, entity_id, "shared", spelling, is_alias=False, time_us=now_us)


def _edges(
    memory_ids: Sequence[str], count: int, chance: random.Random, now_us: int
) -> Iterator[WriteSet]:
    """Edges of random types and weights, half of them to memories shortly before."""
    edges: dict[tuple[str, str], Edge] = {}
    while len(edges) < count:
        place = chance.randrange(1, len(memory_ids))
        first = max(0, place - _NEAR) if chance.random() < 0.5 else 0
        ends = memory_ids[place], memory_ids[chance.randrange(first, place)]
        weight = round(chance.uniform(0.05, 1.0), 3)
        edges[ends] = Edge(*ends, chance.choice(_TYPES), weight, now_us, now_us)
    every = list(edges.values())
    for start in range(0, count, _BATCH):
        yield WriteSet(edges=tuple(every[start : start + _BATCH]))
