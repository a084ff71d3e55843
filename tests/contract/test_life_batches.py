"""Writes that share a commit see what hangs on memories as if each had been alone."""

import asyncio
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

from anamnesis_memory.domain.lifecycle.vitals import Vitals
from anamnesis_memory.model.documents import Collection, Document, DocumentKey
from anamnesis_memory.model.edges import Edge, EdgeKey, EdgeType
from anamnesis_memory.model.memory import Memory, Namespace, Tier, Vectors
from anamnesis_memory.model.memory_versions import Copy, CopyRole
from anamnesis_memory.ports import (
    CommitStamp,
    Decision,
    NamespaceStore,
    ReadSet,
    ReadView,
    WriteSet,
)
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

    edits: WriteSet
    lessons: tuple[Memory, ...]
    fresh_after: int

    def wanted(self) -> ReadSet:
        """Everything about these lessons."""
        ids = tuple(one.memory_id for one in self.lessons)
        return ReadSet(
            memories=ids,
            digests=DIGESTS,
            fresh_after=self.fresh_after,
            embeddings=ids,
            edges_of=ids,
            copies_of=ids,
            documents=tuple(DocumentKey(Collection.RUN, name) for name in NAMES),
        )

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[dict[str, object]]:
        """Answer what was seen, in values that compare."""
        put = tuple(replace(one, revision=stamp.revision) for one in self.edits.memories)
        return Decision(_told(seen), replace(self.edits, memories=put))


def _told(seen: ReadView) -> dict[str, object]:
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


def _edits(chance: random.Random, lessons: tuple[Memory, ...], number: int) -> WriteSet:
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
            WriteSet(memories=(said,), digests={name: chance.choice(DIGESTS)}),
            WriteSet(memories=(said, other), embeddings={name: vectors}, edges=(edge,)),
            WriteSet(memories=(said,), embeddings={name: vectors}, stale_embeddings=(name,)),
            WriteSet(stale_embeddings=(name,)),
            WriteSet(archived_memories=(name,)),
            WriteSet(deleted_memories=(name,), documents=(document,)),
            WriteSet(vitals=(fares,)),
            WriteSet(vitals=(fares,), edges=(edge,), copies=(copy,)),
            WriteSet(edges=(edge, replace(edge, source_id=edge.target_id, target_id=name))),
            WriteSet(removed_edges=(EdgeKey(name, other.memory_id, TYPES[0]),), edges=(edge,)),
            WriteSet(copies=(copy,)),
            WriteSet(removed_copies=(copy.copy_id,)),
            WriteSet(documents=(document,)),
            WriteSet(removed_documents=(document.key,)),
        ]
    )


def _steps(seed: int) -> Iterator[Step]:
    chance = random.Random(seed)
    lessons = tuple(lesson(f"lesson {number}") for number in range(LESSONS))
    yield Step(WriteSet(memories=lessons, digests={lessons[0].memory_id: DIGESTS[0]}), lessons, 0)
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
