"""Coding logs on their way into a namespace, by `anamnesis ingest`."""

import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.everyday.pi import session_of, unwrapped
from benchmarks.recall.datasets import DataMissing
from benchmarks.recall.suite import SuiteFailed, environment


def ingest_log(address: str, namespace: str, data_dir: Path, log: str) -> None:
    """Take in every file of a log, subagents included.

    Raises:
        DataMissing: there is no such log.
        SuiteFailed: a file was not taken in.
    """
    for file in files_of(data_dir, log):
        if session := session_of(file):
            _ingest_unwrapped(address, namespace, file, session)
        else:
            _ingest(address, namespace, file)


def files_of(data_dir: Path, log: str) -> list[Path]:
    """The files of a log: those whose path begins with its name, in folders those below.

    Raises:
        DataMissing: there is none.
    """
    begun = sorted(data_dir.glob(f"{log}*"))
    files = [path for path in begun if path.suffix == ".jsonl"]
    below = [path for folder in begun if folder.is_dir() for path in folder.rglob("*.jsonl")]
    if not files and not below:
        raise DataMissing(f"{data_dir} holds no log {log}; name the data's directory with --data")
    return files + sorted(below)


def _ingest_unwrapped(address: str, namespace: str, file: Path, session: str) -> None:
    with tempfile.TemporaryDirectory(prefix="anamnesis-log-") as folder:
        readable = Path(folder, file.name)
        readable.write_text(unwrapped(file), encoding="utf-8")
        _ingest(address, namespace, readable, "--session", session)


def _ingest(address: str, namespace: str, file: Path, *options: str) -> None:
    command = ["--server", address, "-n", namespace, "ingest", str(file), *options]
    done = subprocess.run(
        [sys.executable, "-m", "anamnesis_cli.main", *command],
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        raise SuiteFailed(f"{file} was not taken in: {done.stderr.strip()}")
