"""The help, and the options that every command shares."""

from importlib.metadata import version
from pathlib import Path

import pytest
from click.testing import CliRunner

from anamnesis.retrieval.v1.retrieval_service_pb2 import SearchRequest
from anamnesis_cli.main import COMMANDS, anamnesis
from tests.support.scripted_suite import Script
from tests.unit.cli.answers import found
from tests.unit.cli.conftest import Run

_COMMANDS = (
    *("serve", "ingest", "observe", "learn", "activity", "failures"),
    *("search", "context", "stats", "sft", "sleep"),
    *("fact", "entities", "sessions", "get", "forget", "config"),
)


def test_help_teaches_what_it_is_and_the_first_commands() -> None:
    answer = CliRunner().invoke(anamnesis, ["--help"])
    assert answer.exit_code == 0
    for taught in (
        "memory",
        "anamnesis serve ",
        "anamnesis ingest examples/conversations ",
        "anamnesis search ",
        "README.md",
    ):
        assert taught in answer.stdout


def test_a_command_that_is_none_is_told_with_the_nearest() -> None:
    mistyped = CliRunner().invoke(anamnesis, ["sttas"])
    assert mistyped.exit_code == 2
    assert "No such command 'sttas'. Did you mean 'stats'?" in mistyped.stderr
    assert "No such command 'doctor'." in CliRunner().invoke(anamnesis, ["doctor"]).stderr


@pytest.mark.parametrize("command", _COMMANDS)
def test_every_command_shows_examples_and_no_cut_off_line(command: str) -> None:
    whole = CliRunner().invoke(anamnesis, ["--help"]).stdout
    line = next(line for line in whole.splitlines() if line.strip().startswith(f"{command} "))
    assert not line.endswith("...")
    own = CliRunner().invoke(anamnesis, [command, "--help"]).stdout
    assert "Examples:" in own
    assert f"  anamnesis {command}" in own


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_what_its_entry_says(name: str) -> None:
    assert COMMANDS[name].load().name == name


def test_the_version_is_told() -> None:
    answer = CliRunner().invoke(anamnesis, ["--version"])
    assert answer.stdout == f"anamnesis {version('anamnesis-suite')}\n"


def test_shared_options_stand_before_or_after_the_command(run: Run, script: Script) -> None:
    script.answer("Search", found())
    assert run("-n", "before", "search", "x", "--json").stdout.startswith("{")
    assert run("--json", "search", "x", "-n", "after").stdout.startswith("{")
    run("-n", "before", "search", "x", "-n", "after")
    named = [asked.namespace for asked in script.asked(SearchRequest)]
    assert named == ["before", "after", "after"]


def test_serve_refuses_settings_it_does_not_know(tmp_path: Path) -> None:
    config = tmp_path / "anamnesis.toml"
    config.write_text('[server]\nlissten = "127.0.0.1:1"\n')
    answer = CliRunner().invoke(anamnesis, ["serve", "--config", str(config)])
    assert answer.exit_code == 2
    assert "server.lissten" in answer.stderr
    assert "did you mean server.listen" in answer.stderr


def test_serve_refuses_to_listen_to_the_world(tmp_path: Path) -> None:
    words = ["serve", "--listen", "0.0.0.0:0", "--data-dir", str(tmp_path)]
    answer = CliRunner().invoke(anamnesis, words)
    assert answer.exit_code == 1
    assert "security.tls_cert_file" in answer.stderr
    assert "Traceback" not in answer.output
