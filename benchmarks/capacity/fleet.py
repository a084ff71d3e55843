"""The number and size of replicas that users need: costs times load, no more."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.capacity.costs import Costs

KIB_A_GIB = 1024 * 1024
BUSY_SHARE = 0.6
"""Of its cores a replica is planned to use no more: the rest is for bursts and a lost neighbour."""
REPLICAS_MIN = {"memory": 2, "ingestion": 2, "retrieval": 2, "cluster": 1}


@dataclass(frozen=True, slots=True)
class Load:
    """The users, and what they do at the busiest time."""

    users: int
    memories_each: int
    open_share: float
    """Share of the users whose namespaces are open at one time."""
    searches_s: float
    events_s: float
    replica_gib: float
    """Memory that a replica of memory may take."""
    replica_cores: float

    @property
    def memories(self) -> int:
        """Of all users."""
        return self.users * self.memories_each


@dataclass(frozen=True, slots=True)
class Part:
    """One line of the fleet; zero where a part has none of it."""

    name: str
    replicas: int
    cores: float
    memory_gib: float
    disk_gib: float


def parts(costs: Costs, load: Load) -> Iterator[Part]:
    """The services, then Neo4j's disk; cores and sizes are of all replicas of a part together."""
    for service, least in REPLICAS_MIN.items():
        cores = _cores(costs, load, service)
        held_gib = _held_gib(costs, load) if service == "memory" else 0.0
        base_gib = costs.base_mib[service] / 1024
        replicas = max(
            least,
            math.ceil(cores / (load.replica_cores * BUSY_SHARE)),
            math.ceil(held_gib / (load.replica_gib - base_gib)),
        )
        disk_gib = _gib(load.memories * costs.snapshot_kib) if service == "memory" else 0.0
        yield Part(
            service,
            replicas,
            cores + replicas * costs.idle_cores[service],
            held_gib + replicas * base_gib,
            disk_gib,
        )
    disk_gib = _gib(load.memories * costs.neo4j_kib)
    yield Part("neo4j", 1, _cores(costs, load, "neo4j"), 0.0, disk_gib)


def _cores(costs: Costs, load: Load, service: str) -> float:
    searching_ms = load.searches_s * costs.search_core_ms.get(service, 0.0)
    return (searching_ms + load.events_s * costs.append_core_ms.get(service, 0.0)) / 1000


def _held_gib(costs: Costs, load: Load) -> float:
    """Memory of open namespaces, in all replicas together: each is open in one."""
    each_kib = costs.open_kib + load.memories_each * costs.indexed_kib
    return _gib(load.users * load.open_share * each_kib)


def _gib(kib: float) -> float:
    return kib / KIB_A_GIB
