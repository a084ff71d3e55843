"""What every test gets: an environment without settings of the machine it runs on."""

import gc
import os
import shutil
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

from anamnesis_libs import logs
from anamnesis_libs.storage.neo4j import ServerAddress
from tests.golden.golden import golden, pytest_addoption
from tests.support.backend_table import print_backends
from tests.support.neo4j import shared_server, start_early
from tests.support.printed_tables import print_tables

# found here by pytest, by that of xdist's controller too
__all__ = ["golden", "pytest_addoption"]

# how long an example takes is the machine's affair
settings.register_profile("suite", deadline=None)
settings.register_profile("fast", deadline=None, max_examples=10)
settings.load_profile("suite")

# a file of keys that others may read is refused
os.umask(0o077)

# a client of a model server reads all certificates of its machine; here is a folder without any
os.environ.pop("SSL_CERT_FILE", None)
os.environ["SSL_CERT_DIR"] = str(Path(__file__).parent / "data")

# stores wait for the disk with each commit; memory stands for it where there is enough
IN_MEMORY = Path("/dev/shm")
if IN_MEMORY.is_dir() and shutil.disk_usage(IN_MEMORY).free > 4 * 1024**3:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(IN_MEMORY))

FOR_TESTS = ("ANAMNESIS_NEO4J_", "ANAMNESIS_REQUIRE_")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Looks for no garbage while modules are imported, nor among them and their tests later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts the files with long walks first, so that workers end together, then those with servers.

    The server comes up while the first long walks without it are under way.
    """
    weights: dict[Path, int] = {}
    for item in items:
        long, server = (item.get_closest_marker(mark) is not None for mark in ("long", "server"))
        weights[item.path] = max(3 * long - server if long else server, weights.get(item.path, 0))
    items.sort(key=lambda item: -weights[item.path])


def pytest_sessionstart(session: pytest.Session) -> None:
    """Starts the database beside the collection of all tests; who needs it first waits less."""
    config = session.config
    whole = config.args == config.getini("testpaths")
    worker = hasattr(config, "workerinput")
    if whole and not worker and "not server" not in config.option.markexpr:
        start_early(config)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Prints what tests have noted."""
    print_backends(terminalreporter)
    print_tables(terminalreporter)


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Takes away ANAMNESIS_ variables, but those that are for the tests, and a terminal's width."""
    monkeypatch.delenv("COLUMNS", raising=False)
    for name in tuple(os.environ):
        if name.startswith("ANAMNESIS_") and not name.startswith(FOR_TESTS):
            monkeypatch.delenv(name)


@pytest.fixture(autouse=True)
def _log_as_in_production() -> None:
    """The level decides what of a failure is logged, so tests run with the default one."""
    logs.configure("info", "json")


@pytest.fixture(scope="session")
def neo4j_address(tmp_path_factory: pytest.TempPathFactory) -> ServerAddress:
    """A running Neo4j that all tests of this run share."""
    return shared_server(tmp_path_factory)
