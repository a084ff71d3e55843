"""`anamnesis key`: what it prints is accepted where it belongs."""

from pathlib import Path

import pytest

from anamnesis_libs.rpc.admission.key_files import digest_of, read_agents
from tests.unit.cli.conftest import Run


def test_a_key_and_its_line_belong_together(run: Run, tmp_path: Path) -> None:
    answer = run("key", "agent=coder", "user=*", "calls_per_s=20")
    key, line = (told.split(maxsplit=1)[1] for told in answer.stdout.splitlines())
    file = tmp_path / "agent-keys"
    file.touch(mode=0o600)
    file.write_text(line)
    assert read_agents(file, "s")[digest_of(key)].agent_id == "coder"


@pytest.mark.parametrize("word", ["role=reader", "coder", "calls_per_s=many", "rights=all"])
def test_a_line_that_no_server_takes_is_not_made(run: Run, word: str) -> None:
    answer = run("key", word)
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert "agent=NAME" in answer.stderr
