"""A running suite, as one process and as four; the test ids say which.

`make test` asks four processes for the scenario alone; CI asks them for everything.
"""

import uuid
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path

import pytest

from anamnesis_libs.storage.neo4j import ServerAddress
from tests.support.clients import Clients, clients_of, everywhere
from tests.support.processes import start, start_four


@pytest.fixture(
    scope="module",
    params=["one-process", pytest.param("four-processes", marks=pytest.mark.long)],
)
def addresses(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, str]]:
    """Where each service is."""
    data_dir = tmp_path_factory.mktemp("suite") / "data"
    if request.param == "one-process":
        processes = {"all": start(data_dir)}
        yield everywhere(processes["all"].address)
    else:
        processes = start_four(data_dir)
        yield {name: process.address for name, process in processes.items()}
    for process in reversed(processes.values()):
        assert process.stop() == 0, "".join(process.output)


@pytest.fixture
async def clients(addresses: dict[str, str]) -> AsyncIterator[Clients]:
    """Stubs of the running suite."""
    async with clients_of(addresses) as made:
        yield made


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory of its own."""
    return tmp_path_factory.mktemp("own") / "data"


@pytest.fixture(
    params=[
        "sqlite",
        pytest.param("neo4j", marks=(pytest.mark.server, pytest.mark.long)),
    ]
)
def kept_in(request: pytest.FixtureRequest) -> Mapping[str, str]:
    """Settings of a memory service on each store."""
    if request.param == "sqlite":
        return {}
    address: ServerAddress = request.getfixturevalue("neo4j_address")
    return {
        "ANAMNESIS_STORAGE__BACKEND": "neo4j",
        "ANAMNESIS_STORAGE__NEO4J_URI": address.uri,
        "ANAMNESIS_STORAGE__NEO4J_CATALOGUE": f"killed-{uuid.uuid4().hex}",
    }
