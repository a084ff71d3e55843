"""Ctrl-C: the command ends at once, says what stays, and how to go on."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from anamnesis.ingestion.v1.ingestion_service_pb2 import RunPipelineRequest, RunPipelineResponse
from anamnesis.memory.v1.work_pb2 import WORK_KIND_SEGMENT
from tests.support.scripted_suite import Script
from tests.unit.cli.answers import ingested

pytestmark = pytest.mark.slow

_DEADLINE_S = 30.0


def _interrupted(script: Script, asked: str, *words: str) -> tuple[int, str]:
    """Exit code and standard error of a command that is stopped when the server was asked."""
    command = [sys.executable, "-m", "anamnesis_cli.main", "--server", script.address, *words]
    # a job in the background hands on that it ignores the signal
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        process = subprocess.Popen(  # our own command
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8"
        )
    finally:
        signal.signal(signal.SIGINT, before)
    try:
        deadline_s = time.monotonic() + _DEADLINE_S
        while not (script.files if asked == "file" else script.asked(RunPipelineRequest)):
            assert time.monotonic() < deadline_s, "the command asked for nothing"
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=_DEADLINE_S)
    finally:
        process.kill()
        process.wait()
    return process.returncode, told


@pytest.mark.parametrize("count", [1, 9])
def test_ingest_says_that_it_may_be_repeated(script: Script, tmp_path: Path, count: int) -> None:
    for number in range(count):
        (tmp_path / f"{number}.jsonl").write_text('{"role": "user", "content": "x"}\n')
    script.answer("IngestFile", ingested())
    script.stall("IngestFile")
    code, told = _interrupted(script, "file", "ingest", str(tmp_path))
    assert code == 130
    assert "error: interrupted" in told
    assert "the same command again adds what is missing" in told
    assert "Traceback" not in told


def test_learn_says_how_to_go_on(script: Script) -> None:
    script.answer("RunPipeline", RunPipelineResponse(session_id="s-1", stage=WORK_KIND_SEGMENT))
    script.stall("RunPipeline")
    words = ("learn", "-n", "team-a", "--session", "s 1", "--stage", "label")
    code, told = _interrupted(script, "pipeline", *words)
    assert code == 130
    again = f"anamnesis learn --session 's 1' --stage label -n team-a --server {script.address}"
    assert f"go on with: {again}" in " ".join(told.split())
    assert "Traceback" not in told
