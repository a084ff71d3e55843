"""The backends agree: the same writes, in the same batches, leave the same records everywhere."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace

import pytest

from anamnesis_libs.errors import AnamnesisError
from anamnesis_memory.erasure.delete_memory import DeleteMemory
from anamnesis_memory.ledger.append import AppendEvents
from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.memories.topics import Assignment, AssignTopicMembers
from anamnesis_memory.model.memory import Caller, MemoryFilter, Namespace
from anamnesis_memory.ports import Committed, IdempotentAnswer, NamespaceStore, RequestKey, Write
from tests.contract.conftest import SERVER, Open
from tests.support.clock import SetClock
from tests.support.records import lesson, new_event, rows

pytestmark = list(SERVER)
NOBODY = Caller()
EVERYTHING = MemoryFilter(include_archived=True)
SESSIONS = ("a", "b", "c")
ENTITIES = ("Ada", "Zürich", "ada")

Job = tuple[Write[object], IdempotentAnswer[object] | None]
Pair = tuple[NamespaceStore, NamespaceStore]


@pytest.fixture
async def pair(open_sqlite: Open, open_neo4j: Open, namespace: Namespace) -> AsyncIterator[Pair]:
    """The same empty namespace in both backends."""
    stores = [await open_sqlite(), await open_neo4j()]
    one, two = [await each.open(namespace) for each in stores]
    yield one, two
    for opened in (one, two):
        await opened.close()
    for each in stores:
        await each.close()


@dataclass
class Writer:
    """Makes writes at random; remembers the ids that later ones may name."""

    chance: random.Random
    memory_ids: list[str] = field(default_factory=lambda: ["nobody"])
    topics_revision: int = 0

    def job(self) -> Job:
        """One write, and with some luck a request id that was used before."""
        kinds: Sequence[Callable[[], Write[object]]] = (
            self._append,
            self._append,
            self._append,
            self._create,
            self._delete,
            self._assign,
        )
        write = self.chance.choice(kinds)()
        if self.chance.random() < 0.6:
            return write, None
        number = self.chance.randrange(30)
        key = RequestKey("Method", f"r-{number}", bytes([number or 1]))
        return write, IdempotentAnswer(key, lambda _, revision: str(revision).encode())

    def _append(self) -> Write[object]:
        first = self.chance.choice((None, None, self.chance.randrange(12)))
        events = tuple(
            new_event(
                self.chance.choice(("", f"text {self.chance.randrange(40)}")),
                None if first is None else first + offset,
            )
            for offset in range(self.chance.randrange(1, 5))
        )
        vectors = self.chance.choice((None, rows(self.chance.random() * 5)))
        events = tuple(replace(event, vectors=vectors) for event in events)
        self.memory_ids += [event.memory_id for event in events]
        return AppendEvents(
            self.chance.choice(SESSIONS),
            events,
            user_id=self.chance.choice(("", "ada")),
            agent_id="agent",
            end_session=self.chance.random() < 0.2,
        )

    def _create(self) -> Write[object]:
        made = replace(
            lesson(f"lesson {self.chance.randrange(40)}", tags=("Tag",)),
            entities=tuple(self.chance.sample(ENTITIES, self.chance.randrange(3))),
            session_id=self.chance.choice(("", *SESSIONS)),
        )
        self.memory_ids.append(made.memory_id)
        return CreateMemories([made], [self.chance.choice((None, rows(1.0, 2.0)))])

    def _delete(self) -> Write[object]:
        return DeleteMemory(self.chance.choice(self.memory_ids[-20:]), NOBODY)

    def _assign(self) -> Write[object]:
        places = [
            Assignment(one, self.chance.choice(("t-1", "t-2")), "label")
            for one in self.chance.sample(self.memory_ids, min(4, len(self.memory_ids)))
        ]
        return AssignTopicMembers(places, self.topics_revision, self.chance.choice((None, 1)))


async def commit(store: NamespaceStore, jobs: Sequence[Job]) -> list[tuple[object, ...]]:
    """Commit side by side; what each came to, in words."""
    outcomes = await asyncio.gather(
        *(store.commit(write, remember) for write, remember in jobs), return_exceptions=True
    )
    return [_told(outcome) for outcome in outcomes]


def _told(outcome: Committed[object] | BaseException) -> tuple[object, ...]:
    if isinstance(outcome, AnamnesisError):
        return type(outcome).__name__, outcome.reason, outcome.message
    assert isinstance(outcome, Committed), repr(outcome)
    return outcome.revision, outcome.result, outcome.replayed


async def everything(store: NamespaceStore) -> dict[str, object]:
    """All that a namespace holds, as the port tells it."""
    memories = (await store.list_memories(EVERYTHING, None, 0, 10_000)).items
    ids = [memory.memory_id for memory in memories]
    topics = (await store.topics("", None, "", 100)).items
    counts = await store.counts()
    return {
        "revision": store.revision,
        "memories": memories,
        "log": (await store.changes(0, 10_000)).changes,
        "pending": list(await store.pending_embeddings(10_000)),
        "vectors": {one: packed.tolist() for one, packed in (await store.embeddings(ids)).items()},
        "sessions": [await store.session(name) for name in SESSIONS],
        "events": [(await store.list_events(name, -1, 1_000)).items for name in SESSIONS],
        "topics": [replace(one, centroid=one.centroid.round(5).tolist()) for one in topics],
        "members": [(await store.list_topic_members(t.topic_id, 0, 999)).items for t in topics],
        "progress": await store.topic_progress(),
        "counts": replace(counts, store_bytes=0),
    }


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
async def test_the_same_writes_leave_the_same_records(
    pair: Pair, clock: SetClock, seed: int
) -> None:
    one, two = pair
    writer = Writer(random.Random(seed))
    for _ in range(25):
        jobs = [writer.job() for _ in range(writer.chance.randrange(1, 7))]
        clock.move(hours=writer.chance.choice((0, 0, 1, 9)))
        assert await commit(one, jobs) == await commit(two, jobs)
        writer.topics_revision = (await one.topic_progress())[0]
    assert await everything(one) == await everything(two)
