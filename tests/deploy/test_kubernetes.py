"""The Kubernetes manifests: valid, of real settings, and with pods that may do little."""

import subprocess
import sys
from pathlib import Path, PurePosixPath

import pytest

from anamnesis_libs.rpc.tls import refuse_open_door
from anamnesis_libs.run.module import ALL, TARGETS
from anamnesis_libs.settings.config import Settings, load
from tests.support.manifests import (
    BUILDS,
    OVERLAYS,
    ROOT,
    Manifests,
    Node,
    Tree,
    Workload,
    at,
    built,
    text,
    trees,
)

MIB = 1024 * 1024
UNITS = {"Mi": MIB, "Gi": 1024 * MIB}
IMAGE_ENVIRONMENT = ("ANAMNESIS_SERVER__DATA_DIR", "ANAMNESIS_LOG__FORMAT")


def settings_of(
    manifests: Manifests,
    workload: Workload,
    suite: Tree,
    patch: pytest.MonkeyPatch,
    directory: Path,
) -> Settings:
    """What a container would load: its arguments' file, its environment and the image's."""
    for name in IMAGE_ENVIRONMENT:
        (line,) = (each for each in (ROOT / "Dockerfile").read_text().splitlines() if name in each)
        patch.setenv(name, line.split("=", 1)[1].rstrip(" \\"))
    for variable in trees(at(suite, "env")):
        patch.setenv(text(variable["name"]), text(variable["value"]))
    file = PurePosixPath(argument(suite, "--config"))
    held = files_at(manifests, workload, suite, file.parent)
    (directory / file.name).write_text(held[file.name])
    return load(directory / file.name)


def argument(suite: Tree, option: str, default: str = "") -> str:
    """The value of an option of the command."""
    args = suite["args"]
    assert isinstance(args, list)
    return text(args[args.index(option) + 1]) if option in args else default


def mounts(suite: Tree) -> dict[str, Tree]:
    """Mounts of a container by their paths."""
    return {text(each["mountPath"]): each for each in trees(suite["volumeMounts"])}


def files_at(
    manifests: Manifests, workload: Workload, suite: Tree, directory: PurePosixPath
) -> dict[str, str]:
    """The files of the ConfigMap that is mounted in a directory."""
    volume = workload.volume(mounts(suite)[str(directory)]["name"])
    return dict(manifests.config_map(at(volume, "configMap", "name")))


def targets(suite: Tree) -> tuple[str, ...]:
    """The services that a container runs."""
    target = argument(suite, "--target", ALL)
    return tuple(TARGETS) if target == ALL else (target,)


def bytes_of(quantity: Node) -> int:
    """An amount of memory as Kubernetes writes it."""
    number, unit = text(quantity)[:-2], text(quantity)[-2:]
    return int(number) * UNITS[unit]


@pytest.mark.slow
@pytest.mark.parametrize("directory", BUILDS)
def test_the_manifests_are_valid(directory: str, tmp_path: Path) -> None:
    file = tmp_path / "manifests.yaml"
    file.write_text(built(directory))
    validate = Path(sys.executable).with_name("kubernetes-validate")
    done = subprocess.run([validate, "--strict", file], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_a_field_that_is_none_is_found(tmp_path: Path) -> None:
    file = tmp_path / "manifests.yaml"
    file.write_text(built("overlays/server").replace("maxUnavailable", "maxUnavailabel", 1))
    validate = Path(sys.executable).with_name("kubernetes-validate")
    assert subprocess.run([validate, "--strict", file], check=False).returncode == 1


@pytest.mark.parametrize("directory", OVERLAYS)
def test_every_setting_is_one(
    directory: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifests = Manifests.of(directory)
    assert manifests.ours
    for workload, suite in manifests.ours:
        settings = settings_of(manifests, workload, suite, monkeypatch, tmp_path)
        refuse_open_door(settings.server.listen, settings.security)
        assert settings.server.listen == f"0.0.0.0:{at(suite, 'ports', 0, 'containerPort')}"
        if "memory" in targets(suite):
            assert str(settings.server.data_dir) in mounts(suite)
            limit = bytes_of(at(suite, "resources", "limits", "memory"))
            assert settings.index.memory_bytes_max <= limit // 2


@pytest.mark.parametrize("directory", OVERLAYS)
def test_files_of_keys_come_from_secrets(
    directory: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifests = Manifests.of(directory)
    assert not list(manifests.kind("Secret"))
    for workload, suite in manifests.ours:
        settings = settings_of(manifests, workload, suite, monkeypatch, tmp_path)
        files = [
            settings.security.tls_cert_file,
            settings.security.tls_key_file,
            settings.security.api_keys_file,
        ]
        if "memory" in targets(suite) and settings.storage.backend == "neo4j":
            files.append(settings.storage.neo4j_password_file)
        for file in files:
            assert file is not None
            volume = workload.volume(mounts(suite)[str(file.parent)]["name"])
            assert at(volume, "secret", "secretName")


def test_peers_are_services_that_run_what_they_are_named_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifests = Manifests.of("overlays/server")
    assert sorted(name for _, suite in manifests.ours for name in targets(suite)) == sorted(TARGETS)
    for workload, suite in manifests.ours:
        peers = settings_of(manifests, workload, suite, monkeypatch, tmp_path).peers
        assert peers.tls
        for target in TARGETS:
            host, port = getattr(peers, target).split(":")
            (behind,) = manifests.behind(host)
            assert behind.suite is not None
            assert targets(behind.suite) == (target,)
            assert int(port) == at(behind.suite, "ports", 0, "containerPort")


def test_memory_is_led_to_the_database_that_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifests = Manifests.of("overlays/server")
    workload, suite = next(one for one in manifests.ours if targets(one[1]) == ("memory",))
    storage = settings_of(manifests, workload, suite, monkeypatch, tmp_path).storage
    host, port = storage.neo4j_uri.removeprefix("bolt://").split(":")
    (database,) = manifests.behind(host)
    ports = [at(port, "containerPort") for port in trees(at(database.containers[-1], "ports"))]
    assert int(port) in ports
    for each in database.containers:
        assert not any("password" in text(v["value"]) for v in trees(at(each, "env")))


@pytest.mark.parametrize("directory", OVERLAYS)
def test_probes_ask_for_the_services_that_run(directory: str) -> None:
    for _, suite in Manifests.of(directory).ours:
        for probe in ("startupProbe", "readinessProbe"):
            command = at(suite, probe, "exec", "command")
            assert isinstance(command, list)
            asked = {text(each).split(".")[1] for each in command if ".v1." in text(each)}
            assert asked == set(targets(suite))
        assert at(suite, "livenessProbe", "exec", "command", 4) == ""


@pytest.mark.parametrize("directory", OVERLAYS)
def test_pods_may_do_little(directory: str) -> None:
    for workload in Manifests.of(directory).workloads:
        spec = at(workload.pod, "spec")
        assert at(spec, "automountServiceAccountToken") is False
        assert at(spec, "enableServiceLinks") is False
        assert at(spec, "securityContext", "runAsNonRoot") is True
        assert at(spec, "securityContext", "seccompProfile", "type") == "RuntimeDefault"
        for container in workload.containers:
            confined = container["securityContext"]
            assert at(confined, "allowPrivilegeEscalation") is False
            assert at(confined, "readOnlyRootFilesystem") is True
            assert at(confined, "capabilities", "drop") == ["ALL"]
            assert at(container, "resources", "limits", "memory")


@pytest.mark.parametrize("directory", OVERLAYS)
def test_a_stop_has_time_for_calls_and_indexes(
    directory: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifests = Manifests.of(directory)
    for workload, suite in manifests.ours:
        settings = settings_of(manifests, workload, suite, monkeypatch, tmp_path)
        pause_s = at(suite, "lifecycle", "preStop", "sleep", "seconds")
        given_s = at(workload.pod, "spec", "terminationGracePeriodSeconds")
        assert isinstance(pause_s, int)
        assert isinstance(given_s, int)
        assert given_s >= pause_s + 2 * settings.server.grace_s
