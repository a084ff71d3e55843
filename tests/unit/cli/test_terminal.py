"""Commands on a terminal of 80 columns: nothing stands in a line with a bar, no line is broken."""

import os
import pty
import re
import subprocess
import sys

import pytest

from anamnesis.ingestion.v1.ingestion_service_pb2 import ExportSftResponse
from anamnesis.retrieval.v1.retrieval_service_pb2 import SearchRequest
from tests.support.scripted_suite import Script
from tests.unit.cli.answers import found, result

pytestmark = pytest.mark.slow

_DEADLINE_S = 30.0


def _shown(script: Script, *words: str) -> list[str]:
    """The lines that a terminal gets, with what moves its cursor."""
    command = [sys.executable, "-m", "anamnesis_cli.main", "--server", script.address, *words]
    ours, theirs = pty.openpty()
    try:
        process = subprocess.Popen(
            command, stdout=theirs, stderr=theirs, env={**os.environ, "COLUMNS": "80"}
        )
        os.close(theirs)
        with os.fdopen(ours, "rb", closefd=False) as terminal:
            read = b"".join(iter(lambda: _read(terminal.fileno()), b""))
        assert process.wait(_DEADLINE_S) == 0
    finally:
        os.close(ours)
    return read.decode().replace("\r\n", "\n").splitlines()


def _read(terminal: int) -> bytes:
    """What is there; nothing once the command has ended, which Linux tells as an error."""
    try:
        return os.read(terminal, 4096)
    except OSError:
        return b""


def test_a_row_of_sft_has_its_line_for_itself(script: Script) -> None:
    rows = [f'{{"messages": [], "topic": "{number}"}}' for number in range(3)]
    script.answer("ExportSft", *(ExportSftResponse(row_json=row) for row in rows))
    assert [line for line in _shown(script, "sft") if "messages" in line] == rows


def test_a_narrow_terminal_gets_blocks(script: Script) -> None:
    script.answer("Search", found(result("peanuts, and nothing else", score=0.734)))
    plain = [re.sub("\x1b\\[[0-9;]*m", "", line) for line in _shown(script, "search", "x")]
    assert plain[:2] == [
        "1. 0.734  § W-001/R-002/D-003  2026-03-02 09:15 UTC  Mara",
        "   peanuts, and nothing else".ljust(80),
    ]
    assert script.asked(SearchRequest)
