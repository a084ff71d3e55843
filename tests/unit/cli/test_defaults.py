"""Where the shared options come from: the command line, a variable, the file, in this order."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from anamnesis.ingestion.v1.ingestion_service_pb2 import ObserveRequest, ObserveResponse
from anamnesis.retrieval.v1.retrieval_service_pb2 import SearchRequest
from anamnesis_cli.main import anamnesis
from anamnesis_libs.settings.config import load
from tests.support.processes import environment
from tests.support.scripted_suite import Script
from tests.unit.cli.answers import found
from tests.unit.cli.conftest import Run


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The configuration file of a person, not yet written."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    path = tmp_path / "anamnesis" / "config.toml"
    path.parent.mkdir()
    return path


def _options(*arguments: str) -> dict[str, dict[str, str]]:
    answer = CliRunner().invoke(anamnesis, ["config", "--json", *arguments])
    assert answer.exit_code == 0, answer.output
    options: dict[str, dict[str, str]] = json.loads(answer.stdout)["options"]
    return options


def test_an_option_wins_over_a_variable_and_a_variable_over_the_file(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text('[default]\nserver = "of-file:1"\nnamespace = "of-file"\nuser = "ada"\n')
    monkeypatch.setenv("ANAMNESIS_NAMESPACE", "of-variable")
    monkeypatch.setenv("ANAMNESIS_USER", "")
    options = _options("--server", "of-option:1")
    assert options["server"] == {"value": "of-option:1", "from": "option"}
    assert options["namespace"] == {"value": "of-variable", "from": "$ANAMNESIS_NAMESPACE"}
    assert options["user"] == {"value": "", "from": "$ANAMNESIS_USER"}
    monkeypatch.delenv("ANAMNESIS_NAMESPACE")
    assert _options()["namespace"] == {"value": "of-file", "from": str(file)}


def test_without_any_they_are_built_in(file: Path) -> None:
    assert not file.exists()
    options = _options()
    assert options["server"] == {"value": "127.0.0.1:50051", "from": "built in"}
    assert options["user"]["from"] == "login"
    assert options["api_key_file"]["value"] == ""


def test_commands_call_the_server_of_the_file_as_it_says(file: Path, script: Script) -> None:
    script.answer("Search", found())
    script.answer("Observe", ObserveResponse(stored=True))
    file.write_text(
        f'[default]\nserver = "{script.address}"\nnamespace = "n"\nuser = "ada"\nagent = "coder"\n'
    )
    for words in (["search", "tea"], ["search", "tea", "--as-agent", ""], ["observe", "tea"]):
        assert CliRunner().invoke(anamnesis, words).exit_code == 0
    first, second = script.asked(SearchRequest)
    assert (first.namespace, first.caller.user_id, first.caller.agent_id) == ("n", "ada", "coder")
    assert second.caller.agent_id == ""
    assert script.asked(ObserveRequest)[0].agent_id == "coder"


def test_a_key_is_read_from_the_file_that_is_named(file: Path, run: Run) -> None:
    file.write_text('[default]\napi_key_file = "~/no-such-key"\n')
    answer = run("search", "tea")
    assert answer.exit_code != 0
    assert str(Path.home() / "no-such-key") in answer.stderr


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[default\n", "is not TOML"),
        ("[team]\n", "'team' is outside of the section [default]"),
        ('namespace = "n"\n', "write [default] above its lines"),
        ('[default]\nnamspace = "n"\n', "unknown name 'namspace'"),
        ("[default]\nserver = 50051\n", "server is not text"),
        ("default = 1\n", "has no section [default]"),
    ],
)
def test_a_file_that_says_something_else_is_refused(file: Path, text: str, told: str) -> None:
    file.write_text(text)
    answer = CliRunner().invoke(anamnesis, ["search", "tea"])
    assert answer.exit_code == 2
    assert told in answer.stderr
    assert str(file) in answer.stderr


def test_a_server_starts_beside_the_variables_of_a_command_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ANAMNESIS_SERVER", "elsewhere:1")
    monkeypatch.setenv("ANAMNESIS_NAMESPACE", "team-a")
    assert load().server.listen == "127.0.0.1:50051"


@pytest.mark.parametrize(
    ("words", "without"),
    [
        (["--help"], ["grpc", "google.protobuf", "rich", "pydantic", "numpy"]),
        (["search", "--help"], ["rich", "pydantic", "numpy", "anamnesis_libs.rpc.status"]),
    ],
)
def test_a_command_imports_what_it_needs_alone(words: list[str], without: list[str]) -> None:
    code = (
        "import sys; from anamnesis_cli.main import anamnesis\n"
        f"try: anamnesis({words})\n"
        "except SystemExit: pass\n"
        f"print('loaded', [name for name in {without} if name in sys.modules])"
    )
    told = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True
    )
    assert told.stdout.splitlines()[-1] == "loaded []"
