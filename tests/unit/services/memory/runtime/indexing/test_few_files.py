"""A process that may open few files keeps few namespaces open, and goes on."""

import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

from anamnesis_cli.process import build_service
from anamnesis_libs.run.module import ServiceContext, ServiceModule
from anamnesis_libs.run.suite import Suite
from anamnesis_libs.settings import Models, Server
from anamnesis_libs.settings.config import Settings
from anamnesis_libs.storage.sqlite import FILES_MAX
from anamnesis_libs.tokens import load_counter
from anamnesis_memory.wiring import MemoryModule
from tests.support.records import append

NAMESPACES = 40
ROOM = 10


@pytest.fixture
def few_files() -> Iterator[None]:
    """Files for ten namespaces, beside what this process has open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (128 + ROOM * FILES_MAX, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.slow
@pytest.mark.usefixtures("few_files")
async def test_more_namespaces_than_files_are_used_in_turn(tmp_path: Path) -> None:
    modules: list[ServiceModule] = []

    def build(name: str, context: ServiceContext) -> ServiceModule:
        modules.append(build_service(name, context))
        return modules[-1]

    settings = Settings(
        server=Server(listen="127.0.0.1:0", data_dir=tmp_path), models=Models(embedder="static")
    )
    suite = Suite(settings, "memory", build, load_counter("o200k_base"))
    await suite.start()
    (memory,) = modules
    assert isinstance(memory, MemoryModule)
    for number in range(NAMESPACES):
        async with memory.namespaces.writing(f"team-{number}") as opened:
            await opened.store.commit(append("text"))
            await opened.index.ids()
        idle = [one for one in memory.namespaces.all if not one.holders]
        assert len(idle) <= ROOM
    async with memory.namespaces.reading("team-0") as opened:
        assert opened.store.revision == 1
    await suite.stop()
