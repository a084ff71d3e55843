"""Costs times load: replicas by what is short, sizes of all of them together."""

import dataclasses

from benchmarks.capacity import costs
from benchmarks.capacity.fleet import Load, parts

COSTS = costs.Costs(
    base_mib={"memory": 512, "ingestion": 256, "retrieval": 256, "cluster": 256},
    idle_cores={"memory": 0.01, "ingestion": 0, "retrieval": 0, "cluster": 0},
    search_core_ms={"memory": 6, "retrieval": 4, "neo4j": 1},
    append_core_ms={"memory": 2, "ingestion": 1, "neo4j": 10},
    open_kib=24,
    indexed_kib=1,
    snapshot_kib=0.5,
    neo4j_kib=4,
    neo4j_log_kib=1,
)
LOAD = Load(
    users=1024,
    memories_each=1000,
    open_share=0.5,
    searches_s=100,
    events_s=50,
    replica_gib=4,
    replica_cores=2,
)


def test_a_fleet_has_what_its_load_takes() -> None:
    memory, ingestion, retrieval, cluster, neo4j = parts(COSTS, LOAD)
    assert (memory.replicas, ingestion.replicas, retrieval.replicas, cluster.replicas) == (
        2,
        2,
        2,
        1,
    )
    assert memory.cores == 100 * 0.006 + 50 * 0.002 + 2 * 0.01
    assert memory.memory_gib == 512 * 1024 / 1024**2 + 2 * 0.5
    assert memory.disk_gib == 1024 * 1000 * 0.5 / 1024**2
    assert neo4j.cores == 100 * 0.001 + 50 * 0.01
    assert neo4j.disk_gib == 1024 * 1000 * 4 / 1024**2


def test_what_is_short_decides_on_the_replicas() -> None:
    busy = next(iter(parts(COSTS, dataclasses.replace(LOAD, searches_s=1000))))
    full = next(iter(parts(COSTS, dataclasses.replace(LOAD, memories_each=30_000))))
    assert busy.replicas == 6  # 6.1 cores, of which each replica gives 1.2
    assert full.replicas == 5  # 14.7 GiB, of which each replica holds 3.5


def test_the_costs_that_were_measured_can_be_read() -> None:
    measured = costs.read(costs.MEASURED)
    assert set(measured.base_mib) == {"memory", "ingestion", "retrieval", "cluster"}
    assert measured.neo4j_kib > 0
