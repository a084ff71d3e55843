"""How failures look: two lines on standard error, an exit code, never a traceback."""

import socket
from collections.abc import Iterator
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread

import pytest
from click.testing import CliRunner

from anamnesis_cli.main import anamnesis
from anamnesis_libs import errors
from anamnesis_libs.errors import not_found
from anamnesis_libs.settings import Security
from tests.support.scripted_suite import Script, scripted_suite
from tests.unit.cli.answers import found, ingested
from tests.unit.cli.conftest import Run
from tests.unit.libs.rpc.certificates import make_certificates

_KEY = "a-key-of-the-tests-0001"


class _AnswersHttp(StreamRequestHandler):
    """A server of HTTP/1, as gRPC meets it."""

    def handle(self) -> None:
        self.wfile.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")


@pytest.fixture
def closed_port() -> Iterator[str]:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"127.0.0.1:{taken.getsockname()[1]}"


@pytest.mark.parametrize(
    "command",
    [("search", "x"), ("context", "x"), ("observe", "x", "--session", "s"), ("stats",)],
)
def test_no_server(closed_port: str, command: tuple[str, ...]) -> None:
    answer = CliRunner().invoke(anamnesis, ["--server", closed_port, *command])
    assert answer.exit_code == 1
    what, remedy = answer.stderr.splitlines()
    assert what == f"error: no server answers at {closed_port}"
    assert remedy.startswith("remedy: ")
    assert "anamnesis serve" in remedy


def test_an_address_of_http_is_no_servers(closed_port: str) -> None:
    answer = CliRunner().invoke(anamnesis, ["--server", f"http://{closed_port}", "stats"])
    assert answer.exit_code == 2
    assert "name the server as HOST:PORT" in answer.stderr


@pytest.mark.parametrize("server", ["127.0.0.1", "::", "localhost:", "127.0.0.1:99999"])
def test_an_address_without_a_port_is_no_servers(server: str) -> None:
    answer = CliRunner().invoke(anamnesis, ["--server", server, "stats"])
    assert answer.exit_code == 2
    assert f"no server answers at {server}, which names no port" in answer.stderr
    assert "name the server as HOST:PORT" in answer.stderr


def test_a_port_of_http_is_told_apart_from_one_where_nothing_is() -> None:
    with ThreadingTCPServer(("127.0.0.1", 0), _AnswersHttp) as http:
        Thread(target=http.serve_forever, daemon=True).start()
        server = f"127.0.0.1:{http.server_address[1]}"
        answer = CliRunner().invoke(anamnesis, ["--server", server, "stats"])
        http.shutdown()
    assert answer.exit_code == 2
    assert f"{server} speaks HTTP" in answer.stderr
    assert "50051" in answer.stderr


def test_ingest_without_a_server(closed_port: str, tmp_path: Path) -> None:
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / name).write_text("{}")
    answer = CliRunner().invoke(anamnesis, ["--server", closed_port, "ingest", str(tmp_path)])
    assert answer.exit_code == 1
    assert answer.stderr.count("no server answers") == 1


def test_a_namespace_that_is_not_there(run: Run, script: Script) -> None:
    script.answer("Search", not_found.NamespaceNotFound("nowhere"))
    answer = run("search", "x", "-n", "nowhere")
    assert answer.exit_code == 1
    what, remedy = answer.stderr.splitlines()
    assert "namespace 'nowhere' does not exist" in what
    assert "anamnesis stats" in remedy


def test_a_wrong_field_is_named_with_its_rule(run: Run) -> None:
    answer = run("search", "x", "-n", "Not A Name")
    assert answer.exit_code == 2
    what, remedy = answer.stderr.splitlines()
    assert what.startswith("error: namespace: ")
    assert "--help" in remedy


def test_every_violation_is_told(run: Run, script: Script) -> None:
    violations = (errors.FieldViolation("a", "too long"), errors.FieldViolation("b", "missing"))
    script.answer("Search", errors.InvalidArgument("two rules", violations))
    assert "error: a: too long; b: missing" in run("search", "x").stderr


@pytest.mark.parametrize(
    ("error", "exit_code", "remedy"),
    [
        (errors.invalid_field("page_token", "no", reason="PAGE_TOKEN_INVALID"), 2, "--page-token"),
        (errors.RevisionInFuture(9, 7), 1, "revision that a write"),
        (errors.RevisionOfAnotherIncarnation("a"), 1, "--at-least-revision"),
        (errors.DeadlineExceeded("too slow"), 1, "--timeout"),
        (errors.ResourceExhausted("writes are queueing"), 1, "again in a moment"),
        (errors.PeerUnavailable("memory", metadata={"peer": "memory"}), 1, "anamnesis serve"),
        (errors.Unimplemented("no such rpc"), 1, "same version"),
        (errors.Internal("incident 1"), 1, "server's log"),
        (errors.Conflict("changed"), 1, "again"),
        (not_found.SessionNotFound("s-1"), 1, "see what is there"),
    ],
    ids=lambda value: value.reason if isinstance(value, errors.AnamnesisError) else None,
)
def test_each_error_has_its_remedy(
    run: Run, script: Script, error: errors.AnamnesisError, exit_code: int, remedy: str
) -> None:
    script.answer("Search", error)
    answer = run("search", "x")
    assert answer.exit_code == exit_code
    assert len(answer.stderr.splitlines()) == 2
    assert remedy in answer.stderr.splitlines()[1]


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Script]:
    """A server that wants a key."""
    keys = tmp_path / "server-keys"
    keys.write_text(_KEY)
    with scripted_suite(Security(api_keys_file=keys)) as script:
        yield script


def test_a_key_that_is_missing(guarded: Script) -> None:
    answer = CliRunner().invoke(anamnesis, ["--server", guarded.address, "search", "x"])
    assert answer.exit_code == 1
    assert "--api-key-file" in answer.stderr.splitlines()[1]


def test_a_key_opens_every_kind_of_call(guarded: Script, tmp_path: Path) -> None:
    key, file = tmp_path / "key", tmp_path / "a.jsonl"
    key.write_text(_KEY)
    file.write_text("{}")
    guarded.answer("Search", found())
    guarded.answer("IngestFile", ingested())
    shared = ["--server", guarded.address, "--api-key-file", str(key)]
    assert CliRunner().invoke(anamnesis, [*shared, "search", "x"]).exit_code == 0
    assert CliRunner().invoke(anamnesis, [*shared, "ingest", str(file)]).exit_code == 0


def test_a_key_does_not_leave_the_machine_unencrypted(tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_text(_KEY)
    shared = ["--server", "memory.example:50051", "--api-key-file", str(key)]
    answer = CliRunner().invoke(anamnesis, [*shared, "search", "x"])
    assert answer.exit_code == 2
    assert "--tls-ca" in answer.stderr


def test_tls_wants_its_roots_and_gets_through_with_them(tmp_path: Path) -> None:
    made = make_certificates(tmp_path)
    security = Security(tls_cert_file=made.cert_file, tls_key_file=made.key_file)
    with scripted_suite(security) as script:
        script.answer("Search", found())
        shared = ["--server", script.address, "search", "x"]
        plain = CliRunner().invoke(anamnesis, shared)
        assert plain.exit_code == 1
        assert "--tls-ca" in plain.stderr
        assert (
            CliRunner().invoke(anamnesis, [*shared, "--tls-ca", str(made.ca_file)]).exit_code == 0
        )


def test_a_time_that_is_none(run: Run) -> None:
    answer = run("search", "x", "--after", "soon")
    assert answer.exit_code == 2
    assert "'soon' is not a time; write it as 2021, 2021-05" in answer.stderr
