"""`anamnesis mcp` before it serves: what it refuses, for whom it asks, what it logs."""

import logging
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from anamnesis_cli.defaults import API_KEY_FILE, USER
from anamnesis_cli.failures import WrongUsage
from anamnesis_cli.main import anamnesis
from anamnesis_cli.mcp import running
from anamnesis_cli.mcp.connections import Connections
from anamnesis_cli.mcp.identity import Identity
from anamnesis_cli.mcp.places import Embedded, Named
from anamnesis_cli.mcp.running import ServerOptions
from anamnesis_cli.mcp.transports import Listening
from anamnesis_cli.target import Target
from tests.support.memory_server import MemoryServer
from tests.support.serving import serving_memory


@pytest.fixture
async def memory() -> AsyncIterator[MemoryServer]:
    """A memory service that asks for no key."""
    async with serving_memory() as serving:
        yield serving


def options(**given: object) -> ServerOptions:
    """Options of the command, of which these are given."""
    usual = {
        "target": Target(given={USER: "mara"}),
        "embedded": None,
        "http": None,
        "certificate": None,
    }
    rest = {"certificate_key": None, "agent": "", "all_tools": False}
    return ServerOptions(**{**usual, **rest, **given})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--http", "0.0.0.0:0"], "which needs TLS"),
        (["--http", "8765"], "is not host:port"),
        (["--embedded", "x" * 120], "too long a path"),
        (["--embedded", "/dev/null/x"], "cannot be used"),
    ],
    ids=["beyond-loopback", "no-address", "long-path", "no-directory"],
)
def test_what_cannot_be_is_refused_with_a_remedy(arguments: list[str], told: str) -> None:
    answer = CliRunner().invoke(anamnesis, ["mcp", *arguments])
    assert answer.exit_code == WrongUsage.exit_code
    assert told in answer.stderr
    assert "remedy:" in answer.stderr
    assert answer.stdout == ""


def test_over_http_nobody_is_the_user_unless_one_is_named() -> None:
    http = Listening("127.0.0.1", 0, is_loopback=True)
    unnamed, named = options(target=Target()), options()
    assert running._connections(unnamed, http).usual.user == ""
    assert running._connections(named, http).usual.user == "mara"
    assert running._connections(unnamed, None).usual.user == Target().user_id


def test_a_key_is_not_lent_to_other_machines(tmp_path: Path) -> None:
    key_file = tmp_path / "key"
    key_file.write_text("k-3h7a9c2e5f8b1d4g6\n")
    key_file.chmod(0o600)
    given = options(target=Target(given={USER: "mara", API_KEY_FILE: str(key_file)}))
    near, far = (Listening("10.0.0.1", 0, is_loopback=near) for near in (True, False))
    assert running._connections(given, near).usual.api_key == "k-3h7a9c2e5f8b1d4g6"
    assert running._connections(given, far).usual.api_key == ""


async def test_a_suite_without_keys_is_not_served_to_other_machines(memory: MemoryServer) -> None:
    connections = Connections(Named(memory.address), Identity("app"))
    with pytest.raises(WrongUsage, match="asks for no key"):
        await running._refuse_open_door(connections, Listening("10.0.0.1", 0, is_loopback=False))
    await connections.close()


def test_the_place_is_the_directory_or_the_server(tmp_path: Path) -> None:
    assert isinstance(running._place(options(embedded=tmp_path)), Embedded)
    assert running._place(options()) == Named(Target().server)


def test_a_failure_is_logged_without_the_values_at_hand() -> None:
    try:
        raise ValueError("the gate code is 4711")
    except ValueError:
        record = logging.LogRecord("mcp", logging.ERROR, "", 1, "Tool %r", ("get",), sys.exc_info())
    assert running._without_texts(record)
    assert "ValueError" in record.getMessage()
    assert "4711" not in record.getMessage()
    assert record.exc_info is None
