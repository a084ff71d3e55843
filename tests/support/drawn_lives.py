"""Lives at random, told to a store and to the naive model: what both are asked must be the same."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from anamnesis_memory.domain.facts.interval import instant_us
from anamnesis_memory.domain.facts.key import folded
from anamnesis_memory.domain.facts.predicates import SingleValued
from anamnesis_memory.knowledge.listing import KnownFact
from anamnesis_memory.model.memory import Caller, Memory, Visibility
from anamnesis_memory.model.memory_details import Fact
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.knowledge import FactWhere
from tests.support.clock import SetClock
from tests.support.facts_told import fact, listed, take_back, tell
from tests.support.naive_facts import (
    BEGINNING,
    NEVER,
    SHARED,
    Entry,
    Held,
    Retracted,
    Told,
    facts,
    holding,
)

SINGLE = "lives_in"
PREDICATES = SingleValued(added=frozenset({SINGLE}))
DAYS = 5
ENTRIES = 24

Said = tuple[object, ...]


@dataclass(slots=True)
class DrawnLife:
    """One life: its entries so far, and what was recorded of them."""

    rng: random.Random
    number: int
    clock: SetClock
    store: NamespaceStore
    entries: list[Entry] = field(default_factory=list)
    told: list[tuple[Told, str]] = field(default_factory=list)
    """What stands, with the memory that holds it."""
    start: datetime = field(init=False)

    def __post_init__(self) -> None:
        """It is about the days from when it is told."""
        self.start = self.clock.now()

    async def live(self) -> None:
        """Tell facts, several in a write or one, and take some back."""
        while len(self.entries) < ENTRIES:
            self.clock.move(hours=self.rng.choice((0, 12)))
            if self.told and self.rng.random() < 0.25:
                await self._take_back(*self.rng.choice(self.told))
            else:
                await self._tell([self._draw() for _ in range(self.rng.choice((1, 1, 3)))])

    async def check(self) -> None:
        """Ask both at random points of both times."""
        for _ in range(12):
            known_at = self.start + timedelta(hours=self.rng.randint(0, 12 * ENTRIES))
            as_of = self.start + timedelta(days=self.rng.randint(0, DAYS), hours=1)
            meant = facts(self.entries, [SINGLE], known_at)
            assert await self._known(known_at) == _sorted(map(_meant, meant))
            held = [one for one in meant if one in holding(meant, as_of, one.line[0])]
            assert await self._known(known_at, as_of) == _sorted(map(_meant, held))

    async def _known(self, known_at: datetime, as_of: datetime | None = None) -> list[str]:
        where = FactWhere(
            subjects=tuple(folded(f"{name}{self.number}") for name in ("Ann", "Bo")),
            as_of_us=None if as_of is None else instant_us(as_of),
            known_at_us=instant_us(known_at),
        )
        scopes = ["shared", f"user:lin{self.number}"]
        found = await listed(self.store, where, scopes, page=self.rng.randint(1, 5))
        return _sorted(map(_said, found))

    def _draw(self) -> Told:
        first, last = sorted(self.rng.sample(range(DAYS + 1), 2))
        return Told(
            id=f"{self.number}-{self.rng.random()}",
            recorded=self.clock.now(),
            subject=f"{self.rng.choice(['Ann', ' ann', 'ＡＮＮ', 'Bo'])}{self.number}",
            predicate=self.rng.choice([SINGLE, SINGLE, SINGLE, "likes"]),
            object=self.rng.choice(["Oslo", "OSLO", "Rome", "Lima"]),
            start=self.rng.choice([BEGINNING, self._day(first), self._day(first)]),
            end=self.rng.choice([NEVER, NEVER, self._day(last)]),
            source=self.rng.choice(["chat", "mail", "cv"]),
            scope=self.rng.choice([SHARED, SHARED, f"lin{self.number}"]),
            confidence=self.rng.choice([0.5, 0.8, 0.97]),
        )

    async def _tell(self, drawn: list[Told]) -> None:
        made = await tell(self.store, *map(_memory, drawn), predicates=PREDICATES)
        self.entries += drawn
        self.told += [
            (one, became.memory.memory_id) for one, became in zip(drawn, made, strict=True)
        ]

    async def _take_back(self, one: Told, memory_id: str) -> None:
        """All who say the same of the same time as told are taken back with it."""
        await take_back(self.store, memory_id, Caller(user_id=one.scope), predicates=PREDICATES)
        for other, held_by in list(self.told):
            if held_by == memory_id:
                gone = Retracted(f"r-{other.id}", self.clock.now(), other.id)
                self.entries.append(gone)
                self.told.remove((other, held_by))

    def _day(self, day: int) -> datetime:
        return self.start + timedelta(days=day)


def drawn_lives(
    seed: int, count: int, clock: SetClock, store: NamespaceStore
) -> Iterator[DrawnLife]:
    """Lives of people who have nothing to do with each other, one after another."""
    rng = random.Random(seed)
    for number in range(count):
        clock.move(days=30)
        yield DrawnLife(rng, number, clock, store)


def _memory(told: Told) -> Memory:
    return fact(
        told.subject,
        told.predicate,
        told.object,
        "" if told.start == BEGINNING else told.start.isoformat(),
        "" if told.end == NEVER else told.end.isoformat(),
        source=told.source,
        user_id=told.scope,
        confidence=told.confidence,
    )


def _said(known: KnownFact) -> Said:
    part, memory = known.memory.part, known.memory
    assert isinstance(part, Fact)
    line = memory.user_id, folded(part.subject), folded(part.predicate)
    assert (memory.visibility is Visibility.SHARED) == (memory.user_id == SHARED)
    return (
        *(line, folded(part.object), part.valid_from_us, part.valid_to_us),
        *(round(memory.confidence, 9), known.contradicted, known.superseded),
        sorted(known.sources),
    )


def _meant(held: Held) -> Said:
    return (
        held.line,
        folded(held.object),
        None if held.start == BEGINNING else instant_us(held.start),
        None if held.end == NEVER else instant_us(held.end),
        round(held.confidence, 9),
        held.contradicts,
        bool(held.closed_by),
        sorted({told.source for told in held.told}),
    )


def _sorted(said: Iterator[Said]) -> list[str]:
    return sorted(map(repr, said))
