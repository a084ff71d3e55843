"""`anamnesis serve`: runs the suite, or one service of it, until it is told to stop."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from anamnesis_cli.failures import Failure, WrongUsage, told
from anamnesis_libs import errors

_REMEDY = "change what it names, on the command line or in the settings, and start again"
_TARGETS = ("all", "memory", "ingestion", "cluster", "retrieval")
_HTTP = "127.0.0.1:50080"
_EPILOG = """\
\b
Examples:
  anamnesis serve
  anamnesis serve --http
  anamnesis serve --data-dir /var/lib/anamnesis --config anamnesis.toml
  anamnesis serve --target retrieval --listen 127.0.0.1:50052 --peer-memory 127.0.0.1:50051
"""


@click.command(epilog=_EPILOG, short_help="Run the suite, or one service of it.")
@click.option(
    "--target",
    type=click.Choice(_TARGETS),
    default="all",
    show_default=True,
    help="Run all four services, or one.",
)
@click.option(
    "--listen",
    metavar="HOST:PORT",
    help="Address to listen on (default 127.0.0.1:50051; port 0 takes a free one).",
)
@click.option(
    "--http",
    is_flag=False,
    flag_value=_HTTP,
    metavar="HOST:PORT",
    help=f"Answer JSON over HTTP too, for curl, browsers and hooks (alone: {_HTTP}).",
)
@click.option(
    "--data-dir",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Directory of the memory service's files (default ./anamnesis-data).",
)
@click.option(
    "--config",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Settings, as TOML.",
)
@click.option(
    "--peer-memory",
    metavar="HOST:PORT",
    help="Address of the memory service, for a process that does not run it.",
)
def serve(
    target: str,
    listen: str | None,
    http: str | None,
    data_dir: Path | None,
    config: Path | None,
    peer_memory: str | None,
) -> None:
    """Run the suite until it is stopped (Ctrl-C, or SIGTERM).

    All of it runs in one process, on one port, with its data in one directory, and needs no
    configuration. What is given here wins over ANAMNESIS_GROUP__NAME variables, and these over
    the file of settings. Listening beyond this machine needs TLS and API keys.
    """
    # Imported here: the server's code takes a while to load, and no other command needs it.
    from anamnesis_libs.settings.config import load, quiet_grpc

    quiet_grpc()
    from anamnesis_cli.process import serve as run_suite

    options = {
        "server.listen": listen,
        "server.http_listen": http,
        "server.data_dir": data_dir,
        "peers.memory": peer_memory,
    }
    given = {name: value for name, value in options.items() if value is not None}
    with _told_as(WrongUsage):
        settings = load(config, given)
    with _told_as(Failure):
        asyncio.run(run_suite(settings, target))


@contextmanager
def _told_as(failure: type[Failure]) -> Iterator[None]:
    try:
        yield
    except errors.AnamnesisError as error:
        raise failure(told(error), _REMEDY) from error
