"""Every backend keeps of any run of writes what the plain store in memory keeps."""

import random
from dataclasses import replace

import pytest

from anamnesis_memory.domain.entities.names import Named, NameKeys
from anamnesis_memory.domain.facts.interval import Interval
from anamnesis_memory.domain.facts.review import Ground, ReviewReason
from anamnesis_memory.domain.facts.versions import Telling
from anamnesis_memory.model.edges import EdgeType
from anamnesis_memory.model.memory import Memory, Visibility
from anamnesis_memory.ports import NamespaceStore, ReadSet, WriteSet
from anamnesis_memory.ports.knowledge import MENTIONS, Direction, FactWhere, Hop
from tests.contract.test_export import exported
from tests.support.clock import SetClock
from tests.support.fake_records import Records
from tests.support.fake_store import FakeNamespace
from tests.support.knowing import entity, fact, mention, telling, version, wanted_line
from tests.support.life import edge, everything, look, put
from tests.support.records import lesson

WRITES = 16
SCOPES = ("shared", "user:bob")
NAMES = ("Ada", "ADA", "Lovelace", "Ada Lovelace", "Dr. Ada Lovelace", "Lovelice")
ENTITIES = ("e-1", "e-2", "e-3", "e-4")
TYPES = (*EdgeType, MENTIONS)


class Plans:
    """Random writes about a few memories, facts and entities."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.tellings = [
            telling(f"t-{place}", object_, Interval(start), single_valued=place % 5 == 0)
            for place, (object_, start) in enumerate(
                (object_, start) for object_ in ("Porto", "Lyon", "Rome") for start in (None, 100)
            )
        ]
        facts = [self._seen_by(fact(one)) for one in self.tellings]
        self.memories = facts + [self._seen_by(lesson(f"number {place}")) for place in range(6)]
        self.ids = [one.memory_id for one in self.memories]

    def first(self) -> WriteSet:
        """All memories and entities."""
        return WriteSet(memories=tuple(self.memories), entities=tuple(map(entity, ENTITIES)))

    def next(self) -> WriteSet:
        """Something happens, and perhaps something else in the same write."""
        edits = WriteSet()
        for _ in range(self.random.randint(1, 3)):
            edits = self.random.choice(
                (self._told, self._named, self._linked, self._reviewed, self._merged, self._gone)
            )(edits)
        return edits

    def _seen_by(self, memory: Memory) -> Memory:
        if self.random.random() < 0.7:
            return memory
        return replace(memory, visibility=Visibility.PRIVATE_TO_USER, user_id="bob")

    def _told(self, edits: WriteSet) -> WriteSet:
        said: Telling = self.random.choice(self.tellings)
        known_to_us = self.random.choice((None, None, 7))
        last_us = self.random.choice((None, 9))
        lives: tuple[tuple[int | None, int | None], ...] = (
            (6, last_us),
            (last_us, 6),
            (5, last_us),
        )
        first_us, second_us = self.random.choice(lives)
        versions = (version(said, 5, first_us), version(said, 6, second_us))
        return replace(
            edits,
            tellings=(*edits.tellings, replace(said, known_to_us=known_to_us)),
            fact_versions=(*edits.fact_versions, *versions),
            removed_tellings=tuple(self.random.sample(["t-0", "t-3", "t-9"], 1)),
        )

    def _named(self, edits: WriteSet) -> WriteSet:
        made = tuple(
            mention(
                self.random.choice(self.ids),
                self.random.choice(ENTITIES),
                self.random.choice(NAMES),
                scope=self.random.choice(SCOPES),
                is_alias=self.random.random() < 0.3,
                time_us=self.random.randint(1, 9),
            )
            for _ in range(self.random.randint(1, 6))
        )
        unmentioned = (self.random.choice(self.ids),) if self.random.random() < 0.5 else ()
        return replace(edits, mentions=(*edits.mentions, *made), unmentioned=unmentioned)

    def _linked(self, edits: WriteSet) -> WriteSet:
        ends = self.random.sample(self.ids, 2)
        made = edge(
            ends[0], ends[1], self.random.choice((EdgeType.DERIVED_FROM, EdgeType.SUPPORTS))
        )
        return replace(edits, edges=(*edits.edges, made))

    def _reviewed(self, edits: WriteSet) -> WriteSet:
        ground = self.random.choice(self.ids)
        shaken = tuple(Ground(ground, us) for us in (50, 60, None) if self.random.random() < 0.4)
        lifted = (Ground(self.random.choice(self.ids), self.random.choice((None, 55))),)
        return replace(
            edits,
            shaken=shaken,
            lifted=lifted if self.random.random() < 0.3 else (),
            reviewed=tuple(one for one in self.ids if self.random.random() < 0.05),
            reasons=(ReviewReason(self.random.choice(self.ids), ground, 70),),
        )

    def _merged(self, edits: WriteSet) -> WriteSet:
        """One becomes part of one that is older, or stands by itself again."""
        place = self.random.randrange(1, len(ENTITIES))
        into = self.random.choice(("", ENTITIES[self.random.randrange(place)]))
        part = replace(entity(ENTITIES[place]), merged_into_id=into)
        return replace(edits, entities=(*map(entity, ENTITIES[:place]), part))

    def _gone(self, edits: WriteSet) -> WriteSet:
        """A memory is deleted, or put again as it was."""
        gone = self.random.choice(self.memories)
        if self.random.random() < 0.5:
            return replace(edits, deleted_memories=(gone.memory_id,))
        if self.random.random() < 0.3:
            return replace(edits, removed_facts=(self.random.choice(self.tellings).fact_id,))
        kept = {one.memory_id for one in (*edits.memories, gone)}
        again = {one.memory_id: one for one in (*edits.memories, gone) if one.memory_id in kept}
        return replace(edits, memories=tuple(again.values()))


async def told(store: NamespaceStore, plans: Plans) -> list[object]:
    """All that a store says of what is known."""
    one, *_, other = map(wanted_line, plans.tellings)
    lines = (replace(one, keys=(*one.keys, *other.keys), fact_ids=other.fact_ids),)
    named = NameKeys.of(Named("Dr. Ada Lovelace"))
    wanted = ReadSet(lines=lines, names=named, mentions_of=tuple(plans.ids))
    seen = await look(store, wanted)
    says: list[object] = [store.revision, await everything(store), await exported(store), seen]
    says += [(one, one.names) for _, one in sorted(seen.entities.items())]
    says.append(await store.entity_groups(ENTITIES))
    for scopes in (None, ("shared",), SCOPES):
        says.append(list(await store.list_facts(FactWhere(entity_ids=ENTITIES), scopes, None, 99)))
        says.append(list(await store.list_facts(FactWhere(known_at_us=6), scopes, None, 99)))
        says += [(one, one.names) for one in await store.list_entities(None, scopes, "", 9)]
        says += [(one, one.names) for one in await store.entities_named("ada", scopes)]
        for direction in Direction:
            nodes = (*plans.ids[::2], *ENTITIES[:2])
            says.append(list(await store.hop(Hop(nodes, TYPES, direction, 0.0, scopes, 15))))
    return says


@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.long) for n in (1, 2, 3))])
async def test_a_run_of_writes_leaves_what_it_says(
    store: NamespaceStore, clock: SetClock, seed: int
) -> None:
    plans, twin = Plans(seed), FakeNamespace(Records(), clock)
    for edits in (plans.first(), *(plans.next() for _ in range(WRITES))):
        assert await put(store, edits) == await put(twin, edits)
        mine, his = await told(store, plans), await told(twin, plans)
        for one, other in zip(mine, his, strict=True):
            assert one == other
