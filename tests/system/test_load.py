"""32 writers and 32 readers on one namespace for five seconds; `make bench-load` has a minute."""

import pytest

from benchmarks.installation import Backend
from benchmarks.load.run import Plan, run
from tests.support.own_neo4j import require_own_neo4j

pytestmark = [pytest.mark.long, pytest.mark.timeout(300)]


@pytest.mark.parametrize(
    "backend", [Backend.EMBEDDED, pytest.param(Backend.NEO4J, marks=pytest.mark.server)]
)
def test_every_call_is_answered_and_all_is_there_once(backend: Backend) -> None:
    if backend is Backend.NEO4J:
        require_own_neo4j()
    outcome = run(Plan(backend, seconds=5))
    assert outcome.errors == 0, outcome.failures
    assert (outcome.lost, outcome.doubled, outcome.unknown, outcome.wrong) == (0, 0, 0, 0)
    assert {"append 1", "append 20", "search", "get", "list"} == outcome.taken_s.keys()
    assert outcome.acknowledged > outcome.plan.writers
