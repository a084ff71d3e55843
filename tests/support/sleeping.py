"""Memories at any point of their life, and sleep over them, for tests of what sleep does."""

from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import replace

from anamnesis_memory.domain.lifecycle.forgetting import Forgetting
from anamnesis_memory.maintenance.runner import Sleeper, SleepRequest
from anamnesis_memory.memories.policy import ChangePolicy, Policy
from anamnesis_memory.model.documents import Collection
from anamnesis_memory.model.edges import Edge, EdgeKey, EdgeType
from anamnesis_memory.model.memory import Kind, Memory, MemoryFilter, Origin, Provenance, Work
from anamnesis_memory.model.memory_details import Fact, Lesson, Part, Procedure
from anamnesis_memory.model.sleep_runs import PHASES, SleepRun, run_of
from anamnesis_memory.ports import NamespaceStore, WriteSet
from tests.support.life import put
from tests.support.memory_service import Served

SPACE = "n"
_PARTS: dict[Kind, Part] = {
    Kind.EPISODIC: None,
    Kind.SEMANTIC: Fact("ada", "keeps", "bees", valid_to_us=1),
    Kind.PROCEDURAL: Procedure("name"),
    Kind.LEARNING: Lesson(),
}


def memory(name: str, kind: Kind = Kind.LEARNING, **fields: object) -> Memory:
    """A memory that nothing protects, called by its name; stored when it is put."""
    made = Memory(
        memory_id=name,
        kind=kind,
        content=f"{name} says so",
        create_time_us=0,
        update_time_us=0,
        revision=0,
        provenance=Provenance(Origin.ASSERTED),
        part=_PARTS[kind],
    )
    return replace(made, **fields)  # type: ignore[arg-type]


async def stored(served: Served, *memories: Memory) -> None:
    """Store memories at the time of the clock."""
    now_us = served.calls.now_us()
    async with served.calls.writing(SPACE) as opened:
        timed = tuple(
            replace(one, create_time_us=now_us, update_time_us=now_us) for one in memories
        )
        await put(opened.store, WriteSet(memories=timed))


async def linked(served: Served, *edges: tuple[str, str, EdgeType, float]) -> None:
    """Put edges."""
    async with served.calls.writing(SPACE) as opened:
        made = tuple(Edge(one, other, kind, weight, 1, 1) for one, other, kind, weight in edges)
        await put(opened.store, WriteSet(edges=made))


async def decided(served: Served, **fields: object) -> None:
    """Change the policy."""
    async with served.calls.writing(SPACE) as opened:

        def change(policy: Policy) -> Policy:
            return replace(policy, **fields)  # type: ignore[arg-type]

        await served.calls.apply(opened, ChangePolicy(change))


async def adaptive(served: Served) -> None:
    """Let time forget."""
    await decided(served, forgetting=Forgetting.ADAPTIVE)


async def slept(
    served: Served, *phases: Work, sleeper: Sleeper | None = None, name: str = SPACE
) -> dict[Work, SleepRun]:
    """Run phases, all if none is named; what each came to."""
    asleep = SleepRequest(name, phases or PHASES)
    async with aclosing((sleeper or served.sleeper).run(asleep)) as told:
        runs = [one async for one in told if isinstance(one, SleepRun)]
    return {run.phase: run for run in runs}


async def everything(served: Served) -> dict[str, Memory]:
    """All memories by id."""
    async with served.calls.reading(SPACE) as opened:
        where = MemoryFilter(include_archived=True)
        found = await opened.store.list_memories(where, None, 0, 500)
        return {one.memory_id: one for one in found.items}


async def edges(served: Served) -> dict[EdgeKey, float]:
    """All edges with their weights."""
    async with served.calls.reading(SPACE) as opened:
        return {one.key: one.weight for one in await opened.store.list_edges((), None, 500)}


async def runs(store: NamespaceStore) -> Sequence[SleepRun]:
    """What is recorded, the newest first."""
    return [run_of(one) for one in await store.documents(Collection.RUN, "", 5_000)]
