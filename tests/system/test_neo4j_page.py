"""The queries of docs/neo4j.md, each on a real Neo4j that holds what the demo takes in."""

import re
import subprocess
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from neo4j import Driver, GraphDatabase

from anamnesis_libs.storage.neo4j import ServerAddress
from tests.support.neo4j import shared_server
from tests.support.processes import REPOSITORY, command, environment, start

pytestmark = [pytest.mark.server, pytest.mark.long, pytest.mark.timeout(600)]
QUERIES = re.findall(
    r"```cypher\n(.*?)```", (REPOSITORY / "docs" / "neo4j.md").read_text("utf-8"), re.DOTALL
)
READS = [query for query in QUERIES if "DELETE" not in query]
EMPTY = ("CO_RECALLED", "DERIVED_FROM*", "CAUSED_BY*")
"""What the demo has none of; the page says so at each."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> ServerAddress:
    """The Neo4j of this run."""
    return shared_server(tmp_path_factory)


@pytest.fixture(scope="module")
def demo(address: ServerAddress, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driver]:
    """The database with the demo's conversations, and what they teach."""
    settings = {
        "ANAMNESIS_STORAGE__BACKEND": "neo4j",
        "ANAMNESIS_STORAGE__NEO4J_URI": address.uri,
        "ANAMNESIS_STORAGE__NEO4J_CATALOGUE": f"page-{uuid.uuid4().hex}",
    }
    directory: Path = tmp_path_factory.mktemp("page")
    process = start(directory / "data", settings=settings)
    words = ("ingest", "examples/conversations", "--agent", "juno", "--user", "mara", "--learn")
    done = subprocess.run(
        command("--server", process.address, "-n", "demo", *words),
        cwd=REPOSITORY,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    with GraphDatabase.driver(address.uri, auth=(address.user, address.password)) as driver:
        _await_topics(driver)
        yield driver
    assert process.stop() == 0, "".join(process.output)


def _await_topics(driver: Driver) -> None:
    """Wait until the cluster service has sorted what the demo teaches."""
    sorted_now = (
        "MATCH (n:Namespace {name: 'demo'}) MATCH (t:Topic {ns: n.ns})<-[:IN_TOPIC]-() RETURN t"
    )
    while not driver.execute_query(sorted_now).records:
        time.sleep(0.1)


@pytest.mark.parametrize("query", READS, ids=range(len(READS)))
def test_a_query_of_the_page_gives_rows(demo: Driver, query: str) -> None:
    found = demo.execute_query(query).records
    assert bool(found) is not any(sign in query for sign in EMPTY)
