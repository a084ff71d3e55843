"""`anamnesis hooks`: what it says and does to the files of agents."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from anamnesis_cli.main import anamnesis


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    return tmp_path


def hooks(*words: str) -> Result:
    return CliRunner().invoke(anamnesis, ["hooks", *words])


def test_install_says_what_is_kept_and_again_changes_nothing(home: Path) -> None:
    first = hooks("install", "--for", "codex")
    assert first.exit_code == 0
    assert "kept from now on" in first.stderr
    before = (home / ".codex/hooks.json").read_bytes()
    assert "already" in hooks("install", "--for", "codex").stdout
    assert (home / ".codex/hooks.json").read_bytes() == before
    assert "codex: installed" in hooks("status").stdout
    assert "cursor: not in" in hooks("status").stdout
    assert "out of" in hooks("uninstall", "--for", "codex").stdout
    assert not (home / ".codex/hooks.json").exists()


def test_the_command_runs_the_hook_with_what_was_given_in_any_folder(home: Path) -> None:
    (home / "key").write_text("k\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(home)
        given = ("--namespace", "my team", "--api-key-file", "key")
        hooks("install", "--for", "claude-code", "--project", str(home), *given)
    held = json.loads((home / ".claude/settings.local.json").read_bytes())
    words = shlex.split(held["hooks"]["Stop"][0]["hooks"][0]["command"])
    assert words[0] == sys.executable
    assert words[4:] == ["claude-code", "--namespace", "my team", "--api-key-file", f"{home}/key"]
    done = subprocess.run(words, input=b"{}", capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_broken_file_is_named_and_left_alone(home: Path) -> None:
    (home / ".cursor").mkdir()
    (home / ".cursor/hooks.json").write_text("{,}")
    told = hooks("install", "--for", "cursor")
    assert told.exit_code == 2
    assert "hooks.json" in told.stderr
    assert (home / ".cursor/hooks.json").read_text() == "{,}"
