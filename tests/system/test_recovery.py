"""A kill of the memory service on Neo4j, and of Neo4j itself, in all four services at work.

`make bench-recovery` kills each twenty times, with each service in a process of its own.
"""

import pytest

from benchmarks.installation import ALL
from benchmarks.recovery.killing import Kills, Scenario
from benchmarks.recovery.run import Outcome, run
from tests.support.own_neo4j import require_own_neo4j

KILLS = 1
pytestmark = [pytest.mark.long, pytest.mark.server, pytest.mark.timeout(600)]


def survived(scenario: Scenario) -> Outcome:
    """A run after which everything acknowledged is there once, and nothing else."""
    require_own_neo4j()
    outcome = run(scenario, Kills(KILLS, seed=3, long_every=KILLS), ALL)
    counted = outcome.count
    assert (counted.lost, counted.doubled) == (0, 0)
    assert (counted.refused_stored, counted.unknown) == (0, 0)
    assert (counted.not_found, counted.added_by_repeating) == (0, 0)
    assert counted.acknowledged > KILLS
    return outcome


def test_the_memory_service_is_killed_on_neo4j() -> None:
    outcome = survived(Scenario.SERVICE_ON_NEO4J)
    assert outcome.faults == 0, outcome.failures


def test_neo4j_is_killed_under_the_memory_service() -> None:
    outcome = survived(Scenario.NEO4J)
    assert outcome.faults == 0, outcome.failures
    away = {told for told in outcome.failures if told.startswith("UNAVAILABLE")}
    assert away == {"UNAVAILABLE STORE_UNAVAILABLE RetryInfo"}
