"""`serve`: one process, from its settings to its end."""

import asyncio
import os
import signal
import sys
from collections.abc import Iterator, Sequence

from anamnesis_libs import logs
from anamnesis_libs.run import heap, open_files
from anamnesis_libs.run.module import ServiceContext, ServiceModule
from anamnesis_libs.run.suite import Build, Suite
from anamnesis_libs.settings.config import Settings
from anamnesis_libs.tokens import load_counter

OWNER_ONLY = 0o077
"""Files and sockets of the server are for the person alone who runs it."""


def build_service(name: str, context: ServiceContext) -> ServiceModule:
    """The service of a name. Imports stand in their case: a target loads its own code only."""
    match name:
        case "memory":
            from anamnesis_memory import wiring as memory

            return memory.build(context)
        case "ingestion":
            from anamnesis_ingestion import wiring as ingestion

            return ingestion.build(context)
        case "cluster":
            from anamnesis_cluster import wiring as cluster

            return cluster.build(context)
        case "retrieval":
            from anamnesis_retrieval import wiring as retrieval

            return retrieval.build(context)
        case _:
            raise ValueError(f"no service is called {name!r}")


async def serve(settings: Settings, target: str, build: Build = build_service) -> None:
    """Runs a target until SIGTERM or SIGINT, then stops it in good order."""
    logs.configure(settings.log.level, settings.log.format)
    os.umask(OWNER_ONLY)
    open_files.raise_limit()
    ended = _on_signals()
    suite = Suite(settings, target, build, load_counter(settings.retrieval.tokenizer))
    await suite.start()
    heap.keep()
    if settings.security.api_keys_file is not None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, suite.renew_keys)
    for line in readiness(suite.address, suite.names, suite.http_url, settings.peers.memory):
        _say(line)
    await ended.wait()
    await suite.stop()


def readiness(address: str, names: Sequence[str], http_url: str, memory: str) -> Iterator[str]:
    """The lines that say what is ready, where, and which memory a service apart calls."""
    yield f"anamnesis is ready on {address}: {', '.join(names)}"
    if "memory" not in names:
        yield f"it calls memory at {memory}; --peer-memory names another place"
    if http_url:
        yield f"it answers HTTP on {http_url}"


def _on_signals() -> asyncio.Event:
    """An event set by the first signal; the second one ends the process at once."""
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, _end, loop, number, ended)
    return ended


def _end(loop: asyncio.AbstractEventLoop, number: signal.Signals, ended: asyncio.Event) -> None:
    loop.remove_signal_handler(number)
    ended.set()


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
