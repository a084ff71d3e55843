"""Which namespaces stay open, what is saved again, and what waiting for the index means."""

import asyncio
import random
from pathlib import Path

import pytest

from anamnesis_libs.errors import DeadlineExceeded
from tests.sim import requests
from tests.sim.disk import Disk
from tests.sim.faults import Faults
from tests.sim.life import Life, Sizes, World, living
from tests.sim.sender import CONTEXT
from tests.sim.simtime import LoopExecutor


def world_of(directory: Path, open_max: int) -> World:
    """A world in which nothing fails."""
    generator = random.Random(0)
    faults = Faults(generator, on=False)
    sizes = Sizes(open_max, 50, 1000)
    return World(Disk(directory, generator), faults, sizes, LoopExecutor(generator), generator)


async def _at_rest(life: Life) -> None:
    """Until indexes have followed: what works on a namespace holds it open."""
    for one in life.namespaces.all:
        await one.follower.wait_for(one.store.revision, 10)
        await one.follower.store_vectors()
    while any(one.holders for one in life.namespaces.all):  # noqa: ASYNC110  # loops let go
        await asyncio.sleep(0)


async def test_what_was_used_last_stays_open(tmp_path: Path) -> None:
    async with living(world_of(tmp_path, 2)) as life:
        for name in ("alpha", "beta", "alpha", "gamma"):
            message = requests.append(name, "s", [requests.event("text", 0)])
            await life.ledger.AppendEvents(message, CONTEXT)
            await _at_rest(life)
        assert [one.namespace.name for one in life.namespaces.all] == ["alpha", "gamma"]


async def test_an_index_that_has_not_moved_is_not_written_again(tmp_path: Path) -> None:
    async with living(world_of(tmp_path, 2)) as life:
        message = requests.append("alpha", "s", [requests.event("text", 0)])
        await life.ledger.AppendEvents(message, CONTEXT)
        async with life.namespaces.reading("alpha") as opened:
            await opened.follower.step(10)
            await opened.save(life.snapshots)
            (first,) = (tmp_path / "life-0" / "index").glob("*.idx")
            inode = first.stat().st_ino
            await opened.save(life.snapshots)
            assert first.stat().st_ino == inode


async def test_waiting_for_texts_waits_for_them(tmp_path: Path) -> None:
    world = world_of(tmp_path, 2)
    async with living(world) as life, life.namespaces.writing("alpha") as opened:
        with pytest.raises(DeadlineExceeded):
            await opened.follower.wait_for_text(opened.store.revision + 1, 0.02)
