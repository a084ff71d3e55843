"""Each example of clients/examples finds what it asks for in a running suite.

They build with the toolchain of their language and what its registry serves, which takes minutes
where nothing is cached: `make test-clients` runs them, `make test-all` does not.
"""

import json
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from anamnesis_cli.main import anamnesis
from tests.support.processes import start

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
BUILD_TIMEOUT_S = 900
_QUESTION = "what is Mara allergic to?"
_OPTIONS = ("--server", "SERVER", "--namespace", "demo", "--user", "mara")


@dataclass(frozen=True, slots=True)
class Example:
    """An example of a language: the tool it needs, how it is built, how it is called."""

    needs: str
    builds: Sequence[Sequence[str]]
    call: Sequence[str]


_EXAMPLES = {
    "go": Example(
        "go",
        [("go", "build", "-o", "build/search", ".")],
        ("build/search", *_OPTIONS, _QUESTION),
    ),
    "typescript": Example(
        "npm",
        [("npm", "install", "--no-audit", "--no-fund", "--no-package-lock"), ("npx", "tsc")],
        ("node", "build/search.js", *_OPTIONS, _QUESTION),
    ),
    "java": Example(
        "mvn",
        [("mvn", "-q", "-B", "compile")],
        ("mvn", "-q", "-B", "exec:java", f"-Dexec.args={shlex.join((*_OPTIONS, _QUESTION))}"),
    ),
    "rust": Example(
        "cargo",
        [("cargo", "build", "--quiet", "--locked")],
        ("cargo", "run", "--quiet", "--locked", "--", *_OPTIONS, _QUESTION),
    ),
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A suite that has heard what Mara is allergic to."""
    folder = tmp_path_factory.mktemp("clients")
    process = start(folder / "data")
    talk = folder / "talk.jsonl"
    said = {
        "role": "user",
        "name": "Mara",
        "content": "I am allergic to hazelnuts.",
    }
    talk.write_text(json.dumps(said) + "\n", encoding="utf-8")
    words = ["--server", process.address, "-n", "demo", "ingest", str(talk), "--user", "mara"]
    answer = CliRunner().invoke(anamnesis, words)
    assert answer.exit_code == 0, answer.output
    yield process.address
    assert process.stop() == 0


@pytest.mark.timeout(2 * BUILD_TIMEOUT_S)
@pytest.mark.parametrize("language", _EXAMPLES)
def test_an_example_prints_the_hit(server: str, language: str) -> None:
    example = _EXAMPLES[language]
    if shutil.which(example.needs) is None:
        pytest.skip(f"{example.needs} is not installed")
    for command in example.builds:
        _run(language, command)
    call = [word.replace("SERVER", server) for word in example.call]
    assert "hazelnuts" in _run(language, call)


def _run(language: str, command: Sequence[str]) -> str:
    """What a command printed, which has to succeed."""
    told = subprocess.run(
        command,
        cwd=EXAMPLES / language,
        capture_output=True,
        check=False,
        text=True,
        timeout=BUILD_TIMEOUT_S,
    )
    assert told.returncode == 0, told.stdout + told.stderr
    return told.stdout
