"""One run: a seed decides how the world is, what is sent, what fails, and how lives end."""

import asyncio
import logging
import random
import secrets
import shutil
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from unittest import mock

import structlog

from anamnesis_libs.clock import micros
from anamnesis_libs.errors import AnamnesisError
from anamnesis_memory.model.memory import Namespace, Work
from anamnesis_memory.ports.pipeline import WorkFilter
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from tests.sim.checks import check_namespace
from tests.sim.clients import Client
from tests.sim.derived import EVER_US, check_alone, check_file, check_index, check_work
from tests.sim.disk import Cut, Disk
from tests.sim.faults import Faults, damage_snapshots, real
from tests.sim.held import Held, hold
from tests.sim.life import Life, Sizes, World, living
from tests.sim.model import Fate, Model, check
from tests.sim.network import check_ingested, talk
from tests.sim.requests import mark_of
from tests.sim.simtime import LoopExecutor, run_really, run_virtually
from tests.sim.vfs import in_use

NAMES = ("alpha", "beta", "gamma")
SILENT = logging.CRITICAL
LIVES_MAX = 4
MEMORY_DISK = Path("/dev/shm")
"""Where there is one, files cost nothing."""


class Failed(Exception):
    """A run in which something broke; `story` tells what was sent, and what came of it."""

    def __init__(self, what: str, story: str) -> None:
        super().__init__(what)
        self.story = story


class Kind(StrEnum):
    """What a run is about."""

    FAULTS = "faults"
    POWER = "power"
    NETWORK = "network"


Seeded = tuple[Kind, int]
"""A run to be: what it is about, and its seed."""


@dataclass(slots=True)
class Told:
    """What a run did: how often what happened."""

    fates: dict[str, int] = field(default_factory=dict)
    lives: int = 0
    kills: int = 0
    power_losses: int = 0
    operations: int = 0
    memories: int = 0
    faults: dict[str, int] = field(default_factory=dict)


class Run:
    """Several lives on one disk, and the last one in peace."""

    def __init__(self, seed: int, root: Path, kind: Kind) -> None:
        self._kind = kind
        self._dice = dice = random.Random(f"{kind}-{seed}")
        self._cuts = (Cut.POWER,) if kind is Kind.POWER else (Cut.KILL, Cut.KILL, None)
        self.model = Model()
        self.told = Told()
        self._names = list(NAMES[: dice.randint(1, 3)])
        faults = Faults(
            dice,
            before=dice.choice((0.0, 0.0, 0.02, 0.08)),
            after=dice.choice((0.0, 0.0, 0.02, 0.08)),
            slow=dice.choice((0.0, 0.05)),
            model_away=dice.choice((0.0, 0.1, 0.5)),
            snapshot=dice.choice((0.0, 0.3)),
        )
        sizes = Sizes(dice.choice((1, 2, 8)), dice.choice((1, 3, 50)), dice.choice((1, 5, 1000)))
        self.executor = LoopExecutor(dice, dice.choice((0.0, 0.0, 0.05)))
        disk = Disk(root, dice)
        disk.page_bytes = dice.choice((1024, 4096))
        disk.checkpoint_pages = dice.choice((2, 20, 1000))
        self.world = World(disk, faults, sizes, self.executor, dice)

    async def whole(self) -> None:
        """Live, die, live again; then look at what is there.

        Raises:
            Broken: an invariant does not hold.
        """
        if self._kind is Kind.NETWORK:
            await self._talk()
        else:
            for _ in range(self._dice.randint(1, LIVES_MAX)):
                await self._life()
        await self._peace()
        happened = self.world.faults.happened
        happened["log not written"] += self.world.disk.failures
        self.told.faults = {what: count for what, count in happened.items() if count}
        for sent in self.model.requests:
            self.told.fates[sent.fate] = self.told.fates.get(sent.fate, 0) + 1

    async def _talk(self) -> None:
        """One life at the other end of a network that is cut; nothing else fails."""
        self.told.lives += 1
        network = Faults(self._dice, happened=self.world.faults.happened)
        self.world.faults.on = False
        async with living(self.world) as life:
            await talk(life, self.model, self._names, network)

    async def _life(self) -> None:
        """One life, ended politely or not."""
        disk, dice = self.world.disk, self._dice
        self.told.lives += 1
        cut = dice.choice(self._cuts)
        if cut is not None and dice.random() < 0.8:
            disk.cut_after(dice.randrange(1, dice.choice((20, 200, 800))), cut)
        if dice.random() < 0.2:
            disk.fail_after(dice.randrange(1, 200))
        try:
            async with living(self.world) as life:
                await self._busy(life)
                if cut is None and dice.random() < 0.5:
                    await self._look_at_it(life)
                elif cut is not None and dice.random() < 0.7:
                    disk.happen(cut)
                disk.end_plans()
        except AnamnesisError:
            if disk.cut is None:
                disk.end_plans()  # the disk failed while the catalogue was opened
        if disk.cut is not None:
            self.told.kills += disk.cut is Cut.KILL
            self.told.power_losses += disk.cut is Cut.POWER
            disk.next_life()
        damaged = damage_snapshots(disk.directory / "index", dice, dice.choice((0.0, 0.0, 0.5)))
        self.world.faults.happened["snapshot damaged"] += damaged

    async def _busy(self, life: Life) -> None:
        """Clients side by side, with the disk full for a while in some lives."""
        dice = self._dice
        clients = [
            Client(life, self.world, self.model, self._names, dice)
            for _ in range(dice.randint(1, 4))
        ]
        tasks = [asyncio.ensure_future(one.run(dice.randint(2, 8))) for one in clients]
        if dice.random() < 0.2:
            tasks.append(asyncio.ensure_future(self._full_disk()))
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    async def _full_disk(self) -> None:
        await asyncio.sleep(self._dice.random())
        self.world.disk.set_full(True)
        await asyncio.sleep(self._dice.random())
        self.world.disk.set_full(False)

    async def _peace(self) -> None:
        """A life in which nothing fails: everything catches up, works and is right."""
        self.world.faults.on = False
        async with living(self.world) as life:
            await self._look_at_it(life)
            before = len(self.model.requests)
            await Client(life, self.world, self.model, self._names, self._dice).run(3)
            helds = await self._look_at_it(life)
            self._works(before)
            spaces = await self._namespaces(life)
        self.world.disk.check_closed()
        unfinished = [path.name for path in self.world.disk.directory.glob("index/*.tmp*")]
        check(not unfinished, f"snapshots that nobody will finish are kept: {unfinished}")
        for space in spaces:
            path = self.world.disk.directory / "namespaces" / f"{space.incarnation}.db"
            check_file(path, helds[space.name], self.model)
        self.told.operations = self.world.disk.operations
        self.told.memories = sum(len(held.memories) for held in helds.values())

    def _works(self, first: int) -> None:
        """Nothing failed, so nothing is in doubt."""
        for sent in self.model.requests[first:]:
            check(sent.fate is not Fate.DOUBT or sent.given_up, f"{sent.number} failed in peace")

    async def _look_at_it(self, life: Life) -> dict[str, Held]:
        """Let everything catch up, then hold every invariant of every namespace."""
        faults, was_on = self.world.faults, self.world.faults.on
        self.world.disk.end_plans()
        faults.on = False
        names = [space.name for space in await self._namespaces(life)]
        await life.settle(names)
        helds: dict[str, Held] = {}
        for name in names:
            async with life.namespaces.reading(name) as opened:
                helds[name] = await self._look_at(life, opened)
        marks = {
            name: mark_of(held.memories[0].content) for name, held in helds.items() if held.memories
        }
        check_alone({one.namespace.name: one for one in life.namespaces.all}, marks)
        faults.on = was_on
        return helds

    async def _look_at(self, life: Life, opened: OpenNamespace) -> Held:
        store, name = real(opened.store), opened.namespace.name
        await life.settle([name])
        held = await hold(name, store, self._dice.choice((1, 3, 500)))
        check_namespace(held, self.model)
        check_ingested(held, self.model)
        await check_index(opened, held, store)
        notes = await life.catalogue.due(tuple(Work), EVER_US, 10_000)
        work = await store.list_work(WorkFilter(), None, 10_000)
        of_name = [note for note in notes if note.name == name]
        check_work(held, self.model, work, of_name, micros(self.world.clock.now()))
        return held

    async def _namespaces(self, life: Life) -> list[Namespace]:
        return list((await life.catalogue.list("", 100)).items)


def simulate(seed: int, kind: Kind = Kind.FAULTS) -> Told:
    """Run one seed from beginning to end.

    Raises:
        Failed: an invariant does not hold, or the service broke in another way.
    """
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(SILENT))
    quick = MEMORY_DISK if MEMORY_DISK.is_dir() else None
    root = Path(tempfile.mkdtemp(prefix=f"sim-{seed}-", dir=quick))
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, root, ignore_errors=True)
        run = Run(seed, root, kind)
        ids = random.Random(seed)
        stack.enter_context(
            mock.patch.object(secrets, "token_hex", lambda count: ids.randbytes(count).hex())
        )
        stack.enter_context(in_use(run.world.disk))
        run_on = run_really if kind is Kind.NETWORK else run_virtually
        try:
            run_on(run.whole(), run.executor)
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            raise Failed(what, run.model.story()) from error
    return run.told


def simulate_some(work: Sequence[Seeded]) -> list[tuple[Kind, int, Told | str]]:
    """Run some seeds one after another; a broken one answers what broke."""
    outcomes: list[tuple[Kind, int, Told | str]] = []
    for kind, seed in work:
        try:
            outcomes.append((kind, seed, simulate(seed, kind)))
        except Failed as failed:
            outcomes.append((kind, seed, str(failed)))
    return outcomes
