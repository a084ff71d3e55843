"""Coding logs on their way into a namespace, by `anamnesis ingest`."""

import subprocess
import sys
from pathlib import Path

from benchmarks.recall.datasets import DataMissing
from benchmarks.recall.suite import SuiteFailed, environment


def ingest_log(address: str, namespace: str, data_dir: Path, log: str) -> None:
    """Take in every file of a log, subagents included.

    Raises:
        DataMissing: there is no such log.
        SuiteFailed: a file was not taken in.
    """
    for file in files_of(data_dir, log):
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


def _ingest(address: str, namespace: str, file: Path) -> None:
    command = ["--server", address, "-n", namespace, "ingest", str(file)]
    done = subprocess.run(
        [sys.executable, "-m", "anamnesis_cli.main", *command],
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        raise SuiteFailed(f"{file} was not taken in: {done.stderr.strip()}")
