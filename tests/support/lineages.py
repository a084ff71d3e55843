"""Memories that are derived from each other at random, and a plain account of what must go."""

import random
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from anamnesis_memory.model.memory import Kind, Memory, Origin, Provenance
from anamnesis_memory.model.memory_details import Episode, Fact, Lesson, Role
from tests.support.records import BASE_US

SUBJECT = "ada"
OTHER = "bob"


def memory(
    memory_id: str, sources: tuple[str, ...] = (), *, user_id: str = OTHER, lesson: bool = False
) -> Memory:
    """A drawer where it has no sources; a fact or a lesson where it has."""
    part: Episode | Fact | Lesson = Episode(Role.USER, "", 0)
    kind = Kind.EPISODIC
    if lesson:
        kind, part = Kind.LEARNING, Lesson(evidence_memory_ids=sources)
    elif sources:
        kind, part = Kind.SEMANTIC, Fact("she", "says", memory_id, source_memory_ids=sources)
    return Memory(
        memory_id=memory_id,
        kind=kind,
        content=f"text of {memory_id}",
        create_time_us=BASE_US,
        update_time_us=BASE_US,
        revision=1,
        provenance=Provenance(Origin.OBSERVED),
        user_id=user_id,
        part=part,
    )


@dataclass(frozen=True, slots=True)
class World:
    """Memories by id; `sources` says what each was derived from."""

    memories: Mapping[str, Memory]
    sources: Mapping[str, tuple[str, ...]]

    def standing(self, erased: Collection[str], given: Collection[str] = ()) -> set[str]:
        """What is left: what is not erased and was seen, or rests on something that is left.

        From the ground up, which is what was seen and what is `given`: nothing stands by being
        derived in a circle.
        """
        standing = {one for one, below in self.sources.items() if not below or one in given}
        standing -= set(erased)
        while True:
            more = {
                one
                for one, below in self.sources.items()
                if one not in erased and one not in standing and standing & set(below)
            }
            if not more:
                return standing
            standing |= more


def random_world(seed: int, size: int = 30) -> World:
    """Drawers of two people, and what was derived from them, from each other, and in circles."""
    chance = random.Random(seed)
    ids = [f"m-{number:03d}" for number in range(size)]
    sources: dict[str, tuple[str, ...]] = {}
    for place, memory_id in enumerate(ids):
        if place < size // 3:
            sources[memory_id] = ()
            continue
        below = ids if chance.random() < 0.1 else ids[:place]
        chosen = chance.sample(below, min(len(below), chance.choice((1, 1, 1, 2, 3))))
        kept = tuple(one for one in chosen if one != memory_id)
        sources[memory_id] = kept or (ids[0],)
    memories = {
        one: memory(one, below, lesson=bool(below) and chance.random() < 0.5)
        for one, below in sources.items()
    }
    return World(memories, sources)


def owned(of: Memory, user_id: str) -> Memory:
    """The same memory of somebody else's."""
    return replace(of, user_id=user_id)
