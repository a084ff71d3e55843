"""The result of the contract suite by backend, as a table at the end of a run.

Each test notes its backend on its report, and the server's version where there is a server: as
properties of the report they reach the process that prints, also from workers of pytest-xdist.
"""

from collections import Counter

import pytest
from neo4j import GraphDatabase

from anamnesis_libs.storage.neo4j import ServerAddress

OUTCOMES = ("passed", "failed", "skipped")
_COUNTED_AS = {"passed": "passed", "failed": "failed", "error": "failed", "skipped": "skipped"}


@pytest.fixture(scope="session")
def neo4j_version(neo4j_address: ServerAddress) -> str:
    """The version of the server as the driver reports it."""
    auth = (neo4j_address.user, neo4j_address.password) if neo4j_address.user else None
    with GraphDatabase.driver(neo4j_address.uri, auth=auth) as driver:
        return str(driver.get_server_info().agent)


@pytest.fixture(autouse=True)
def note_backend(request: pytest.FixtureRequest) -> None:
    """Notes the backend of a test, and its server."""
    callspec = getattr(request.node, "callspec", None)
    backend = callspec.params.get("open_stores") if callspec else None
    if backend is None:
        return
    properties = request.node.user_properties
    properties.append(("backend", backend))
    if backend == "neo4j":
        properties.append(("server", request.getfixturevalue("neo4j_version")))


def print_backends(terminalreporter: pytest.TerminalReporter) -> None:
    """Prints the table, if any test had a backend."""
    counts: dict[str, Counter[str]] = {}
    servers: dict[str, str] = {}
    for category, outcome in _COUNTED_AS.items():
        for report in terminalreporter.getreports(category):
            noted = dict(getattr(report, "user_properties", ()))
            if "backend" in noted:
                counts.setdefault(noted["backend"], Counter())[outcome] += 1
                servers[noted["backend"]] = noted.get("server", "-")
    if not counts:
        return
    terminalreporter.section("contract by backend")
    table: list[tuple[str, ...]] = [("backend", "server", *OUTCOMES)]
    for backend, by in counts.items():
        table.append((backend, servers[backend], *(str(by[each]) for each in OUTCOMES)))
    for row in table:
        terminalreporter.write_line("{:<8} {:<16} {:>7} {:>7} {:>7}".format(*row))
