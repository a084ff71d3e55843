"""Whether tests may start a Neo4j of their own, to kill it."""

import os

import pytest

from tools.neo4j.install import missing_tools


def require_own_neo4j() -> None:
    """Skip without Java or Maven; fail instead where `ANAMNESIS_REQUIRE_NEO4J` is 1."""
    if missing := missing_tools():
        if os.environ.get("ANAMNESIS_REQUIRE_NEO4J") == "1":
            pytest.fail(f"Neo4j is required here, but {missing}")
        pytest.skip(missing)
