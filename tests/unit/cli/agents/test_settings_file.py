"""Our entries go in beside others', once, and out again to the byte."""

import json
from pathlib import Path

import pytest

from anamnesis_cli.agents.entries import AGENTS, has_entries
from anamnesis_cli.agents.settings_file import NotSettings, SettingsFile

COMMAND = "/opt/python -I -S /opt/anamnesis_cli/agents claude-code"
OTHERS = b"""{
    "model": "opus",
    "hooks": {
        "Stop": [ {"hooks": [{"type": "command", "command": "say done"}]} ],
        "PreToolUse": []
    },
    "statusLine": "\xc3\xa9"
}"""


@pytest.fixture
def file(tmp_path: Path) -> SettingsFile:
    return SettingsFile(tmp_path / ".claude" / "settings.json", AGENTS["claude-code"])


def written(file: SettingsFile, content: bytes) -> SettingsFile:
    file.path.parent.mkdir()
    file.path.write_bytes(content)
    return file


def commands(file: SettingsFile, event: str) -> list[str]:
    groups = json.loads(file.path.read_bytes())["hooks"][event]
    return [handler["command"] for group in groups for handler in group["hooks"]]


def test_entries_stand_behind_those_of_others_and_the_rest_stays(file: SettingsFile) -> None:
    assert written(file, OTHERS).install(COMMAND)
    held = json.loads(file.path.read_bytes())
    assert commands(file, "Stop") == ["say done", COMMAND]
    assert commands(file, "SessionStart") == [COMMAND]
    assert list(held) == ["model", "hooks", "statusLine"]
    assert b'\n    "model"' in file.path.read_bytes(), "indented as it was"


def test_twice_is_once_and_another_command_takes_the_place(file: SettingsFile) -> None:
    written(file, OTHERS).install(COMMAND)
    once = file.path.read_bytes()
    assert not file.install(COMMAND)
    assert file.path.read_bytes() == once
    assert file.install(f"{COMMAND} --namespace team")
    assert commands(file, "Stop") == ["say done", f"{COMMAND} --namespace team"]
    assert file.backup.read_bytes() == OTHERS


@pytest.mark.parametrize("content", [OTHERS, b"{}", b'{"hooks": {}}\n', b'{"hooks":{"Stop":[]}}'])
def test_taken_out_the_file_is_as_it_was_to_the_byte(file: SettingsFile, content: bytes) -> None:
    written(file, content).install(COMMAND)
    file.install(f"{COMMAND} --user mara")
    assert file.uninstall()
    assert file.path.read_bytes() == content
    assert list(file.path.parent.iterdir()) == [file.path]
    assert not file.uninstall()


def test_a_file_that_was_not_there_is_gone_again(file: SettingsFile) -> None:
    file.install(COMMAND)
    assert file.is_installed()
    file.uninstall()
    assert not file.path.exists()


def test_what_others_changed_meanwhile_stays_and_only_ours_goes(file: SettingsFile) -> None:
    written(file, OTHERS).install(COMMAND)
    held = json.loads(file.path.read_bytes())
    held["hooks"]["Stop"][1]["hooks"].append({"type": "command", "command": "log it"})
    held["model"] = "haiku"
    file.path.write_text(json.dumps(held))
    file.uninstall()
    assert commands(file, "Stop") == ["say done", "log it"]
    rest = json.loads(file.path.read_bytes())
    assert rest["model"] == "haiku"
    assert not has_entries(rest)
    assert not file.backup.exists()


@pytest.mark.parametrize("content", [b"{ // a comment\n}", b"[]", b"\xff"])
def test_a_file_that_is_no_object_is_left_alone(file: SettingsFile, content: bytes) -> None:
    written(file, content)
    with pytest.raises(NotSettings):
        file.install(COMMAND)
    with pytest.raises(NotSettings):
        file.uninstall()
    assert file.path.read_bytes() == content


def test_a_link_stays_one_and_the_mode_stays(file: SettingsFile, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.json"
    real.write_bytes(OTHERS)
    real.chmod(0o640)
    file.path.parent.mkdir()
    file.path.symlink_to(real)
    file.install(COMMAND)
    assert file.path.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o640
    file.uninstall()
    assert real.read_bytes() == OTHERS


def test_cursor_has_a_list_an_event_and_a_version(tmp_path: Path) -> None:
    file = SettingsFile(tmp_path / "hooks.json", AGENTS["cursor"])
    file.install("anamnesis-hook cursor")
    held = json.loads(file.path.read_bytes())
    assert held["version"] == 1
    assert [one["command"] for one in held["hooks"]["sessionStart"]] == ["anamnesis-hook cursor"]
    file.uninstall()
    assert not file.path.exists()
