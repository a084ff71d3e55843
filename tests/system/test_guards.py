"""What `serve` refuses, and what a polite stop keeps."""

import json
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import grpc
import pytest
from click.testing import CliRunner

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1.memory_service_pb2 import DeleteMemoryRequest, ListMemoriesRequest
from anamnesis.memory.v1.memory_service_pb2_grpc import MemoryServiceStub
from anamnesis_cli.main import anamnesis
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


def test_deleted_words_leave_the_files_within_their_time(tmp_path: Path) -> None:
    settings = {
        "ANAMNESIS_MODELS__EMBEDDER": "static",
        "ANAMNESIS_INDEX__DELETED_KEPT_S": "0.2",
        "ANAMNESIS_INDEX__SNAPSHOT_EVERY_S": "0.2",
        "ANAMNESIS_INDEX__SNAPSHOT_CHANGES_MIN": "1",
    }
    process = start(tmp_path / "data", settings=settings)
    server = ["--server", process.address, "--json"]
    words = ("observe", "--session", "s", "--source", "user", "I live in Grootzundert.")
    told = CliRunner().invoke(anamnesis, [*server, *words])
    assert told.exit_code == 0, told.output
    assert eventually(lambda: holding(tmp_path / "data") >= 1)
    channel = grpc.insecure_channel(process.address)
    (kept,) = (
        MemoryServiceStub(channel)
        .ListMemories(ListMemoriesRequest(namespace="default", all_visibilities=True))
        .memories
    )
    whose = Caller(user_id=kept.user_id, agent_id=kept.agent_id)
    MemoryServiceStub(channel).DeleteMemory(
        DeleteMemoryRequest(namespace="default", memory_id=kept.memory_id, caller=whose)
    )
    gone = eventually(lambda: not holding(tmp_path / "data"))
    channel.close()
    assert process.stop() == 0
    assert gone


def holding(directory: Path) -> int:
    """How many files of a data directory have the word, as it is or as it is stemmed."""
    files = [each for each in directory.rglob("*") if each.is_file()]
    return sum(_holds(each) for each in files)


def _holds(file: Path) -> bool:
    """True if the word stands in a file; one that is replaced meanwhile is read next time."""
    try:
        return b"rootzundert" in file.read_bytes().lower()
    except FileNotFoundError:
        return True


def eventually(true: Callable[[], bool]) -> bool:
    """Whether it becomes true within ten seconds."""
    for _ in range(100):
        if true():
            return True
        time.sleep(0.1)
    return False


@pytest.mark.long
def test_a_stop_does_not_wait_for_a_backlog(tmp_path: Path) -> None:
    process = start(tmp_path / "data")
    lines = (
        json.dumps({"role": "user", "content": f"I met Ann {n} in Ghent and we spoke for long."})
        for n in range(1500)
    )
    (tmp_path / "talk.jsonl").write_text("\n".join(lines))
    words = ("ingest", str(tmp_path / "talk.jsonl"), "--session", "s", "--end")
    told = CliRunner().invoke(anamnesis, ["--server", process.address, *words])
    assert process.stop() == 0
    assert told.exit_code == 0, told.output


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
