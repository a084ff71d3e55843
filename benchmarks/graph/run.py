"""One run: a namespace is filled with a graph, then walked through its port."""

import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from anamnesis.memory.v1.knowledge_service_pb2 import TraverseRequest
from anamnesis_libs.clock import SystemClock, micros
from anamnesis_libs.settings import Storage
from anamnesis_memory.domain.lifecycle.forgetting import Forgetting
from anamnesis_memory.ports import CommitStamp, Decision, ReadSet, ReadView, WriteSet
from benchmarks.graph.world import World, made
from benchmarks.life.service import SPACE, Service, running

_WARM_UP = 10
_TIME_MS = 30_000


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of the walks: from one node a walk, `walks` times for each of `nodes_max`."""

    nodes: int
    edges: int
    hops: int
    nodes_max: Sequence[int]
    walks: int


@dataclass(frozen=True, slots=True)
class Walks:
    """Walks of one kind: seconds and nodes of each, and what cut how many of them short."""

    start: str
    nodes_max: int
    taken_s: Sequence[float]
    reached: Sequence[int]
    cut: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The figures of one backend."""

    filled_s: float
    walks: Sequence[Walks]


@dataclass(frozen=True, slots=True)
class _Fill:
    """A write that puts records as they are."""

    edits: WriteSet

    def wanted(self) -> ReadSet:
        """Nothing."""
        return ReadSet()

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[None]:
        """Put them."""
        stamped = tuple(replace(one, revision=stamp.revision) for one in self.edits.memories)
        return Decision(None, replace(self.edits, memories=stamped))


async def measured(plan: Plan, storage: Storage) -> Outcome:
    """Fill a namespace on a backend, and walk in it, one walk at a time."""
    clock = SystemClock()
    world = made(plan.nodes, plan.edges, micros(clock.now()))
    async with running(clock, storage) as service:
        begun_s = time.perf_counter()
        await _filled(service, world)
        filled_s = time.perf_counter() - begun_s
        await service.catch_up()
        await service.embed()
        walks = [
            await _walked(service, plan, start, ids, nodes_max)
            for start, ids in (("memory", world.memory_ids), ("entity", world.entity_ids))
            for nodes_max in plan.nodes_max
        ]
    return Outcome(filled_s, walks)


async def _filled(service: Service, world: World) -> None:
    await service.decide(Forgetting.KEEP)
    async with service.store() as store:
        for edits in world.batches:
            await store.commit(_Fill(edits))


async def _walked(
    service: Service, plan: Plan, start: str, ids: Sequence[str], nodes_max: int
) -> Walks:
    """Walks from random nodes; the first few do not count."""
    chance = random.Random(f"{start} {nodes_max}")
    taken_s, reached, cut = [], [], Counter[str]()
    for place in range(_WARM_UP + plan.walks):
        request = TraverseRequest(
            namespace=SPACE,
            start_ids=[chance.choice(ids)],
            hops_max=plan.hops,
            nodes_max=nodes_max,
            time_ms_max=_TIME_MS,
        )
        begun_s = time.perf_counter()
        answer = await service.knowledge.Traverse(request, timeout=60)
        if place >= _WARM_UP:
            taken_s.append(time.perf_counter() - begun_s)
            reached.append(len(answer.nodes))
            cut[answer.truncated or "nothing"] += 1
    return Walks(start, nodes_max, taken_s, reached, cut)
