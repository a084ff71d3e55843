"""The cost of a redactor before its first text: seconds and memory, in its own process.

`python -m benchmarks.redaction.footprint NAME` prints both; `footprint` asks such a process.
"""

import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

_TEXT = "Dr. Nadia Rahmani, nadia@mail.example, 张伟"
_STATUS = Path("/proc/self/status")


@dataclass(frozen=True, slots=True)
class Footprint:
    """Time from nothing to the first text done, and what the process grew by."""

    seconds: float
    megabytes: float


def footprint(name: str) -> Footprint:
    """Measure one of `LOADED` in a fresh interpreter."""
    command = [sys.executable, "-m", __name__, name]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    seconds, megabytes = map(float, printed.split())
    return Footprint(seconds, megabytes)


def _default() -> None:
    from anamnesis_libs.redaction.redactor import PolicyRedactor

    PolicyRedactor().redact(_TEXT)


def _strict() -> None:
    from anamnesis_libs.redaction.policy import RedactionLevel, RedactionPolicy
    from anamnesis_libs.redaction.redactor import PolicyRedactor

    PolicyRedactor().redact(_TEXT, RedactionPolicy(RedactionLevel.STRICT))


def _presidio() -> None:
    from benchmarks.redaction.presidio import Presidio

    Presidio().find(_TEXT)


LOADED: Mapping[str, Callable[[], None]] = {
    "ours, DEFAULT": _default,
    "ours, STRICT": _strict,
    "Presidio": _presidio,
}


def _resident_mb() -> float:
    lines = _STATUS.read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


if __name__ == "__main__":
    before_mb, started = _resident_mb(), time.perf_counter()
    LOADED[sys.argv[1]]()
    print(time.perf_counter() - started, _resident_mb() - before_mb)
