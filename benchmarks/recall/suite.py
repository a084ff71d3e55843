"""The suite as users run it: a process of its own, on a free port, with a folder for its data."""

import os
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from anamnesis_libs.environment import USER_VARIABLE
from anamnesis_libs.errors import AnamnesisError
from benchmarks.recall.embedding import EmbedderName
from tools.source_path import source_path

ROOT = Path(__file__).resolve().parents[2]
START_S_MAX = 60.0
STOP_S_MAX = 30.0
_LOG_LINES_SHOWN = 20
_READY = re.compile(r"ready on (\S+):")


class SuiteFailed(Exception):
    """The suite did not start, or a call to it failed; the message has the end of its log."""


@contextmanager
def running_suite(embedder: EmbedderName, more_settings: str = "") -> Iterator[str]:
    """The address of a suite that runs until the block ends; its data is then gone.

    `more_settings` are sections of its configuration file besides `[models]`.
    """
    with tempfile.TemporaryDirectory(prefix="anamnesis-recall-") as folder:
        directory = Path(folder)
        log = directory / "serve.log"
        with log.open("w") as errors:
            settings = f'[models]\nembedder = "{embedder}"\n{more_settings}'
            process = _started(directory, settings, errors.fileno())
        try:
            yield _address(process, log)
        except AnamnesisError as failed:
            raise SuiteFailed(f"{failed}; the suite's log ends so:\n{_end_of(log)}") from failed
        finally:
            _stop(process)


def _started(directory: Path, settings: str, log_descriptor: int) -> "subprocess.Popen[str]":
    config = directory / "anamnesis.toml"
    config.write_text(settings)
    serve = ["serve", "--listen", "127.0.0.1:0", "--data-dir", str(directory / "data")]
    return subprocess.Popen(
        [sys.executable, "-m", "anamnesis_cli.main", *serve, "--config", str(config)],
        cwd=directory,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=log_descriptor,
        encoding="utf-8",
    )


def environment() -> Mapping[str, str]:
    """The environment for the suite: this checkout on the path, no settings, no user."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("ANAMNESIS_")}
    return own | {"PYTHONPATH": source_path(), USER_VARIABLE: ""}


def _address(process: "subprocess.Popen[str]", log: Path) -> str:
    """The address at which the suite listens, from the line that it prints when it is ready."""
    assert process.stdout is not None
    too_late = threading.Timer(START_S_MAX, process.kill)
    too_late.start()
    line = process.stdout.readline()
    too_late.cancel()
    ready = _READY.search(line)
    if ready is None:
        raise SuiteFailed(f"the suite did not start; its log ends so:\n{_end_of(log)}")
    return ready[1]


def _end_of(log: Path) -> str:
    return "\n".join(log.read_text().splitlines()[-_LOG_LINES_SHOWN:])


def _stop(process: "subprocess.Popen[str]") -> None:
    process.terminate()
    try:
        process.wait(STOP_S_MAX)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
