"""What `serve` refuses, and what a polite stop keeps."""

import os
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from libs.cli.main import anamnesis
from tests.support.processes import command, environment, start


def serve(tmp_path: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run `anamnesis serve` to its end."""
    return subprocess.run(
        command("serve", *arguments),
        capture_output=True,
        text=True,
        env=environment(),
        cwd=tmp_path,
        timeout=60,
        check=False,
    )


def test_a_second_process_on_one_data_directory_is_refused(tmp_path: Path) -> None:
    first = start(tmp_path / "data")
    second = serve(tmp_path, "--listen", "127.0.0.1:0", "--data-dir", str(tmp_path / "data"))
    assert first.stop() == 0
    assert second.returncode != 0
    assert str(first.popen.pid) in second.stderr
    assert "Traceback" not in second.stderr


def test_what_is_kept_is_for_who_runs_the_server_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        process = start(tmp_path / "data", settings={"ANAMNESIS_MODELS__EMBEDDER": "static"})
    finally:
        os.umask(before)
    words = ("observe", "--session", "s", "--source", "user", "I live in Delft.")
    told = CliRunner().invoke(anamnesis, ["--server", process.address, *words])
    assert told.exit_code == 0, told.output
    assert process.stop() == 0
    kept = [tmp_path / "data", *(tmp_path / "data").rglob("*")]
    assert len(kept) > 4
    assert {oct(one.stat().st_mode & 0o077) for one in kept} == {"0o0"}


@pytest.mark.parametrize("listen", ["0.0.0.0:0", "[::]:0"])
def test_listening_beyond_this_machine_without_tls_and_keys_is_refused(
    tmp_path: Path, listen: str
) -> None:
    refused = serve(tmp_path, "--listen", listen)
    assert refused.returncode != 0
    assert "TLS" in refused.stderr
    assert not (tmp_path / "anamnesis-data").exists()


def test_a_misspelt_setting_is_refused_with_the_nearest_one(tmp_path: Path) -> None:
    config = tmp_path / "anamnesis.toml"
    config.write_text('[server]\nlissten = "127.0.0.1:0"\n')
    refused = serve(tmp_path, "--config", str(config))
    assert refused.returncode != 0
    assert "server.listen" in refused.stderr
