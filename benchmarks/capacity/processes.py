"""The memory and processor time of a process, as the kernel counts them; the size of a folder."""

import os
from pathlib import Path

_TICKS_A_S = os.sysconf("SC_CLK_TCK")


def resident_mib(pid: int) -> float:
    """Resident memory."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024


def core_s(pid: int) -> float:
    """Seconds of a core so far, by all its threads."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS_A_S


def size_kib(folder: Path, *endings: str) -> float:
    """Size of the files below a folder, of those with an ending where any is named."""
    places = (Path(at) / name for at, _, names in os.walk(folder) for name in names)
    wanted = [place for place in places if not endings or place.suffix in endings]
    return sum(place.stat().st_size for place in wanted) / 1024
