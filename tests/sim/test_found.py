"""One test for each fault that the simulation has found."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import apsw
import pytest

from anamnesis.memory.v1 import topic_service_pb2
from anamnesis_libs.errors import StoreUnavailable
from anamnesis_libs.storage.sqlite import Database
from anamnesis_memory.model.memory import Work
from tests.sim import requests
from tests.sim.disk import Disk
from tests.sim.faults import Faults
from tests.sim.life import Life, Sizes, World, living
from tests.sim.sender import CONTEXT
from tests.sim.simtime import LoopExecutor, run_virtually

EVER_US = 1 << 60
SEEDS = 40
CANCELLED_TURNS_MAX = 120


def world_of(directory: Path, seed: int, *, open_max: int = 8) -> World:
    """A world in which nothing fails yet."""
    generator = random.Random(seed)
    directory.mkdir(exist_ok=True)
    faults = Faults(generator, on=False)
    executor = LoopExecutor(generator)
    return World(Disk(directory, generator), faults, Sizes(open_max, 50, 1), executor, generator)


@asynccontextmanager
async def one_life(world: World) -> AsyncIterator[Life]:
    """A life at whose end every connection must be closed."""
    async with living(world) as life:
        yield life
    world.disk.check_closed()


async def append(life: Life, namespace: str, text: str) -> None:
    """Store one event."""
    message = requests.append(namespace, "s", [requests.event(text, 0)])
    await life.ledger.AppendEvents(message, CONTEXT)


@pytest.mark.long
def test_a_lesson_that_comes_with_an_assignment_stays_due(tmp_path: Path) -> None:
    """Its revision was taken for the assignment's own, and nobody ever put it into a topic."""

    async def run(world: World) -> None:
        async with one_life(world) as life:
            await append(life, "alpha", "one")
            ask = topic_service_pb2.ListTopicsRequest(namespace="alpha")
            token = (await life.topics.ListTopics(ask, CONTEXT)).topics_revision
            done = requests.assign("alpha", [], token, token.replace("-0", "-1"))
            new = requests.create("alpha", ["two"], private=False, request_id="")
            await asyncio.gather(
                life.memory.BatchCreateMemories(new, CONTEXT),
                life.topics.AssignTopicMembers(done, CONTEXT),
            )
            due = await life.catalogue.due([Work.CLUSTER], EVER_US, 10)
            assert [one.name for one in due] == ["alpha"]

    for seed in range(SEEDS):
        world = world_of(tmp_path / str(seed), seed)
        run_virtually(run(world), world.executor)


async def test_a_full_disk_for_a_snapshot_is_nobody_elses_failure(tmp_path: Path) -> None:
    """Evicting one namespace failed the acknowledged write to another, and leaked its file."""
    world = world_of(tmp_path, 0, open_max=1)
    async with one_life(world) as life:
        world.faults.on, world.faults.snapshot = True, 1.0
        for name in ("alpha", "beta", "gamma"):
            await append(life, name, f"text of {name}")
            async with life.namespaces.reading(name) as opened:
                await opened.follower.step(10)
        assert len(life.namespaces.all) == 1
        world.faults.on = False


@pytest.mark.long
def test_a_caller_that_goes_away_leaves_nothing_half_closed(tmp_path: Path) -> None:
    """Cancelled while it evicted another namespace, it left that one open for ever."""

    async def run(world: World, turns: int) -> None:
        async with one_life(world) as life:
            await append(life, "alpha", "one")
            task = asyncio.ensure_future(append(life, "beta", "two"))
            for _ in range(turns):
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.wait([task])
            await append(life, "alpha", "one")
            assert [opened.namespace.name for opened in life.namespaces.all] == ["alpha"]

    for turns in range(CANCELLED_TURNS_MAX):
        world = world_of(tmp_path / str(turns), turns, open_max=1)
        run_virtually(run(world, turns), world.executor)


async def test_what_was_committed_while_nothing_was_noted_as_due_is_due(tmp_path: Path) -> None:
    """Lessons may come between a claim that finds nothing and its note that nothing is left."""
    world = world_of(tmp_path, 0)
    async with one_life(world) as life:
        catalogue = life.catalogue
        await append(life, "alpha", "one")
        await catalogue.set_due("alpha", Work.CLUSTER, 0)
        (due,) = await catalogue.due([Work.CLUSTER], EVER_US, 10)
        new = requests.create("alpha", ["two"], private=False, request_id="")
        await life.memory.BatchCreateMemories(new, CONTEXT)
        await catalogue.reschedule(due, None)
        assert await catalogue.due([Work.CLUSTER], EVER_US, 10)


async def test_a_namespace_that_cannot_be_opened_is_closed_again(tmp_path: Path) -> None:
    """Its index could not be restored, and the store stayed open behind nobody's back."""
    world = world_of(tmp_path, 0)
    async with one_life(world) as life:
        await append(life, "alpha", "one")
    async with one_life(world) as life:
        world.faults.on, world.faults.after = True, 1.0
        life.namespaces._snapshots = _Refusing(life)  # type: ignore[assignment]
        with pytest.raises(StoreUnavailable):
            async with life.namespaces.reading("alpha"):
                pass
        world.faults.on = False


class _Refusing:
    """Snapshots that cannot be read."""

    def __init__(self, life: Life) -> None:
        self.real = life.snapshots

    def restore(self, incarnation: str, dimension: int, newest: int) -> None:
        """Fail.

        Raises:
            StoreUnavailable: always.
        """
        raise StoreUnavailable("the snapshots cannot be read")


@pytest.mark.parametrize("turns", range(6))
async def test_opening_a_file_and_going_away_leaves_no_connection(
    tmp_path: Path, turns: int
) -> None:
    executor = LoopExecutor(random.Random(turns))
    opening = asyncio.ensure_future(Database.open(tmp_path / "a.db", [], executor))
    for _ in range(turns):
        await asyncio.sleep(0)
    opening.cancel()
    await asyncio.wait([opening])
    if not opening.cancelled():
        await opening.result().close()
    assert not [one for one in apsw.connections() if one.filename.startswith(str(tmp_path))]


async def test_what_an_interrupted_snapshot_left_is_removed(tmp_path: Path) -> None:
    """Nobody would finish or delete it, and it holds words of memories."""
    world = world_of(tmp_path, 0)
    async with one_life(world) as life:
        await append(life, "alpha", "one")
        async with life.namespaces.reading("alpha") as opened:
            unfinished = life.snapshots.path_for(opened.namespace, 1)
    unfinished.write_bytes(b"half a snapshot")
    async with one_life(world) as life, life.namespaces.reading("alpha"):
        assert not unfinished.exists()
