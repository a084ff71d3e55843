"""The arguments of a client: what is given, what the environment says, what is refused."""

from pathlib import Path

import pytest

from anamnesis_client import Anamnesis, AsyncAnamnesis, InvalidArgument
from anamnesis_client.connection import Connection
from anamnesis_client.defaults import suite_environment
from anamnesis_client.scope import Scope


def scope_of(memory: Anamnesis) -> Scope:
    return memory._operations.scope


def connection_of(memory: Anamnesis) -> Connection:
    return memory._link._place.connection


def test_the_environment_has_the_defaults(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_text("k-1\nmore\n", encoding="utf-8")
    for name, value in {
        "SERVER": "127.0.0.1:7000",
        "NAMESPACE": "team-a",
        "USER": "mara",
        "AGENT": "juno",
        "API_KEY_FILE": str(key),
    }.items():
        monkeypatch.setenv(f"ANAMNESIS_{name}", value)
    memory = Anamnesis()
    assert connection_of(memory).server == "127.0.0.1:7000"
    assert connection_of(memory).metadata == (("authorization", "Bearer k-1"),)
    assert scope_of(memory) == Scope("team-a", "mara", "juno", memory.session)
    given = scope_of(Anamnesis(user="", namespace="team-b"))
    assert (given.namespace, given.user, given.agent) == ("team-b", "", "juno")


def test_two_clients_have_sessions_of_their_own() -> None:
    assert Anamnesis().session != Anamnesis().session
    assert Anamnesis(session="s-1").session == "s-1"


def test_a_key_is_not_sent_where_others_could_read_it() -> None:
    with pytest.raises(InvalidArgument, match="tls_ca"):
        Anamnesis("memory.example:443", api_key="k-1")
    Anamnesis("localhost:50051", api_key="k-1")
    Anamnesis("memory.example:443", api_key="k-1", tls_ca="roots.pem")


def test_roots_that_are_not_there_are_named() -> None:
    memory = Anamnesis("memory.example:443", tls_ca="none.pem")
    with pytest.raises(InvalidArgument, match=r"none\.pem cannot be read"):
        memory.facts()


def test_both_clients_have_the_same_methods() -> None:
    def methods(cls: type) -> set[str]:
        return {name for name in dir(cls) if not name.startswith("_")}

    assert methods(Anamnesis) == methods(AsyncAnamnesis)


def test_a_suite_does_not_see_what_speaks_to_clients(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANAMNESIS_NAMESPACE", "team-a")
    monkeypatch.setenv("ANAMNESIS_SERVER__LISTEN", "127.0.0.1:7000")
    environment = suite_environment()
    assert "ANAMNESIS_NAMESPACE" not in environment
    assert environment["ANAMNESIS_SERVER__LISTEN"] == "127.0.0.1:7000"
