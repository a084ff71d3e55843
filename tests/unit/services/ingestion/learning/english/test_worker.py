"""The process that reads English: started late, bounded, replaced when it dies."""

import subprocess
import sys
from datetime import UTC, datetime

import pytest

from services.ingestion.learning.english import worker
from services.ingestion.learning.english.claims import Turn
from services.ingestion.learning.english.worker import EnglishWorker

pytestmark = pytest.mark.slow

AT = datetime(2024, 5, 15, tzinfo=UTC)


def turn(*sentences: str) -> Turn:
    return Turn(sentences=sentences, subject="u7", shown="The user", said_at=AT)


async def test_turns_are_read_in_batches_and_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "BATCH_TURNS_MAX", 2)
    reader = EnglishWorker()
    turns = [turn("I live in Rome."), turn(), turn("I live in Oslo.")]
    claims = await reader.read(turns)
    reader.close()
    assert [[claim.object for claim in told] for told in claims] == [["Rome"], [], ["Oslo"]]


async def test_a_process_that_died_is_replaced() -> None:
    reader = EnglishWorker()
    pool = reader._started()
    future = pool.submit(sys.exit, 3)
    await reader.read([turn("I live in Rome.")])
    assert future.exception() is not None
    for process in list((pool._processes or {}).values()):
        process.kill()
    await reader.read([turn("I live in Rome.")])
    ((claim,),) = await reader.read([turn("I live in Rome.")])
    reader.close()
    assert claim.object == "Rome"


def test_who_never_learns_never_loads_the_parser() -> None:
    code = (
        "import sys, services.ingestion.wiring;"
        "sys.exit(any(name.split('.')[0] in {'spacy', 'thinc'} for name in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=False, env={"PYTHONPATH": ":".join(sys.path)}
    )
    assert done.returncode == 0
