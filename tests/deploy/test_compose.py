"""The compose file: the suite by itself, and on a Neo4j with its profile, by real settings."""

from pathlib import Path

import pytest
import yaml

from anamnesis_libs.rpc.tls import refuse_open_door
from anamnesis_libs.settings.config import load
from tests.support.manifests import ROOT, Node, Tree, at, text

FILE = ROOT / "deploy" / "compose.yaml"


def compose() -> Tree:
    held = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    assert isinstance(held, dict)
    return held


def part(name: str) -> dict[str, Tree]:
    """Services, volumes or secrets by their names."""
    held = at(compose(), name)
    assert isinstance(held, dict)
    return {key: each if isinstance(each, dict) else {} for key, each in held.items()}


def texts(node: Node) -> list[str]:
    assert isinstance(node, list)
    return [text(each) for each in node]


def test_without_a_profile_the_suite_starts_alone() -> None:
    services = part("services")
    assert [name for name in services if "profiles" not in services[name]] == ["anamnesis"]
    assert {name for name in services if services[name].get("profiles") == ["neo4j"]} == {
        "neo4j",
        "anamnesis-on-neo4j",
    }


def test_what_services_name_is_declared() -> None:
    services, volumes, secrets = map(part, ("services", "volumes", "secrets"))
    for service in services.values():
        assert {each.split(":")[0] for each in texts(service["volumes"])} <= set(volumes)
        assert {*texts(service.get("secrets", []))} <= set(secrets)
        waits_for = service.get("depends_on", {})
        assert isinstance(waits_for, dict)
        assert set(waits_for) <= set(services)
    context = text(at(services["anamnesis"], "build", "context"))
    assert (FILE.parent / context / "Dockerfile").is_file()


def test_nothing_can_be_reached_from_other_machines(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    services = part("services")
    assert all(each.startswith("127.0.0.1:") for each in texts(services["neo4j"]["ports"]))
    for name in ("anamnesis", "anamnesis-on-neo4j"):
        with monkeypatch.context() as container:
            environment = services[name].get("environment", {})
            assert isinstance(environment, dict)
            for variable, value in environment.items():
                container.setenv(variable, text(value))
            (tmp_path / "none.toml").touch()
            settings = load(tmp_path / "none.toml")
            refuse_open_door(settings.server.listen, settings.security)
            assert settings.storage.backend == ("neo4j" if "neo4j" in name else "sqlite")
