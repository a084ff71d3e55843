"""Writes that share a commit see what hangs on memories as if each had been alone."""

import asyncio
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

from services.memory.copies import Copy, CopyRole
from services.memory.documents import Collection, Document, DocumentKey
from services.memory.edges import Edge, EdgeKey, EdgeType
from services.memory.life.vitals import Vitals
from services.memory.model import Memory, Namespace, Tier, Vectors
from services.memory.ports import Decision, Edits, NamespaceStore, Seen, Stamp, Wanted
from tests.support.clock import SetClock
from tests.support.fake_store import Disk, FakeStores
from tests.support.records import BASE_US, lesson, rows

LESSONS, STEPS, AT_ONCE = 6, 48, 8
DIGESTS = (b"one", b"two", b"three")
NAMES = ("a", "b")
TYPES = (EdgeType.SIMILAR_TO, EdgeType.FOLLOWED_BY)


@dataclass(frozen=True, slots=True)
class Step:
    """A write of tests: looks at all there is, then does what it is given."""

    edits: Edits
    lessons: tuple[Memory, ...]
    fresh_after: int

    def wanted(self) -> Wanted:
        """Everything about these lessons."""
        ids = tuple(one.memory_id for one in self.lessons)
        return Wanted(
            memories=ids,
            digests=DIGESTS,
            fresh_after=self.fresh_after,
            embeddings=ids,
            edges_of=ids,
            copies_of=ids,
            documents=tuple(DocumentKey(Collection.RUN, name) for name in NAMES),
        )

    def decide(self, seen: Seen, stamp: Stamp) -> Decision[dict[str, object]]:
        """Answer what was seen, in values that compare."""
        put = tuple(replace(one, revision=stamp.revision) for one in self.edits.memories)
        return Decision(_told(seen), replace(self.edits, memories=put))


def _told(seen: Seen) -> dict[str, object]:
    copies = {
        key: [(replace(one, vectors=None), _packed(one.vectors)) for one in held]
        for key, held in seen.copies.items()
    }
    return {
        "memories": dict(seen.memories),
        "by_digest": dict(seen.by_digest),
        "fresh": [(one.memory, _packed(one.vectors)) for one in seen.fresh],
        "embeddings": {key: _packed(one) for key, one in seen.embeddings.items()},
        "edges": seen.edges,
        "copies": copies,
        "documents": dict(seen.documents),
    }


def _packed(vectors: Vectors | None) -> bytes | None:
    return None if vectors is None else vectors.tobytes()


def _edits(chance: random.Random, lessons: tuple[Memory, ...], number: int) -> Edits:
    """Something to do with some of the lessons."""
    one, other = chance.sample(lessons, 2)
    name, vectors = one.memory_id, rows(chance.random())
    edge = Edge(name, other.memory_id, chance.choice(TYPES), chance.random(), number, number)
    copy = Copy(f"c-{chance.randrange(4)}", name, CopyRole.VERSION, other, number, vectors=vectors)
    document = Document(Collection.RUN, chance.choice(NAMES), f'"{number}"', number)
    said = replace(one, content=chance.choice(("this", "that")))
    tier = chance.choice([*Tier])
    fares = Vitals(name, number, BASE_US + number, 2.0 + number, BASE_US, tier, 0.25)
    return chance.choice(
        [
            Edits(memories=(said,), digests={name: chance.choice(DIGESTS)}),
            Edits(memories=(said, other), embeddings={name: vectors}, edges=(edge,)),
            Edits(memories=(said,), embeddings={name: vectors}, stale_embeddings=(name,)),
            Edits(stale_embeddings=(name,)),
            Edits(archived_memories=(name,)),
            Edits(deleted_memories=(name,), documents=(document,)),
            Edits(vitals=(fares,)),
            Edits(vitals=(fares,), edges=(edge,), copies=(copy,)),
            Edits(edges=(edge, replace(edge, source_id=edge.target_id, target_id=name))),
            Edits(removed_edges=(EdgeKey(name, other.memory_id, TYPES[0]),), edges=(edge,)),
            Edits(copies=(copy,)),
            Edits(removed_copies=(copy.copy_id,)),
            Edits(documents=(document,)),
            Edits(removed_documents=(document.key,)),
        ]
    )


def _steps(seed: int) -> Iterator[Step]:
    chance = random.Random(seed)
    lessons = tuple(lesson(f"lesson {number}") for number in range(LESSONS))
    yield Step(Edits(memories=lessons, digests={lessons[0].memory_id: DIGESTS[0]}), lessons, 0)
    for number in range(1, STEPS):
        yield Step(_edits(chance, lessons, number), lessons, chance.randrange(number))


@pytest.mark.parametrize("seed", range(4))
async def test_a_batch_sees_what_the_same_writes_see_alone(
    store: NamespaceStore, namespace: Namespace, clock: SetClock, seed: int
) -> None:
    model = await FakeStores(Disk(), clock).open(namespace)
    steps = list(_steps(seed))
    for start in range(0, STEPS, AT_ONCE):
        batch = steps[start : start + AT_ONCE]
        alone = [await model.commit(step) for step in batch]
        together = await asyncio.gather(*(store.commit(step) for step in batch))
        for expected, done in zip(alone, together, strict=True):
            assert done.revision == expected.revision
            assert done.result == expected.result
        clock.move(minutes=1)
