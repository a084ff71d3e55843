"""Shows that the tests of the write path can fail: breaks the code on purpose and runs them.

    python -m tools.mutate --sample 100 --seed 0

Each mutant is one small change to one module (a condition turned, a statement left out, a
number off by one, arguments swapped, an awaited call or a keyword argument dropped, a
constant changed). It is made in a copy of the repository, never in place, and is caught
when the contract suite, the unit tests of the memory service, its slow ones or a few
simulated seeds fail, or do not end in time. What survives is listed with its diff, to be
explained or to be tested.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TimeElapsedColumn

from tools.mutations import Mutant, mutants_of
from tools.source_path import source_path

ROOT = Path(__file__).resolve().parent.parent
RULES = tuple(
    f"services/memory/anamnesis_memory/{folder}"
    for folder in (
        "dedup",
        "domain/lifecycle",
        "domain/facts",
        "domain/entities",
        "knowledge",
        "knowledge/graph",
        "knowledge/palace",
    )
)
MODULES = (
    *(
        f"services/memory/anamnesis_memory/{name}.py"
        for name in (
            "ledger/append",
            "memories/create",
            "erasure/delete_memory",
            "memories/topics",
            "model/work",
            "ledger/work",
            "ledger/cut",
            "memories/learn",
            "ledger/retention",
            "maintenance/usage/count",
            "memories/editing/update",
            "erasure/lineage",
            "runtime/indexing/follow",
            "runtime/indexing/open_namespaces",
            "runtime/indexing/snapshots",
            "storage/sqlite/namespace",
            "storage/sqlite/writes",
            "storage/sqlite/topics",
            "storage/sqlite/work",
            "storage/group_commit",
        )
    ),
    *(
        str(file.relative_to(ROOT))
        for folder in RULES
        for file in sorted((ROOT / folder).glob("*.py"))
        if file.stem != "__init__"
    ),
    "libs/anamnesis_libs/storage/sqlite.py",
)
COPIED = ("cli", "docs", "libs", "services", "tests", "tools", "pyproject.toml")
PYTEST = ("-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--no-header", "--timeout=30")
SUITES = {
    "contract and unit tests": (
        *PYTEST,
        *("-m", "not server and not slow and not long"),
        *("tests/contract", "tests/unit/services/memory"),
        "tests/sim/test_found.py",
    ),
    "slow tests": (
        *PYTEST,
        *("-m", "(slow or long) and not server", "tests/contract", "tests/unit/services/memory"),
    ),
    "simulation": (
        *("-m", "tests.sim", "--first", "--jobs", "1"),
        *("--runs", "30", "--power", "12", "--seed", "3000"),
    ),
}
TIMEOUT_S = 180.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """The check that caught a mutant; "" means that the mutant survived."""

    mutant: Mutant | None
    caught_by: str
    took_s: float


def main() -> int:
    """Make a sample of mutants and see who survives.

    Returns:
        1 where fewer were caught than asked for.
    """
    asked = _arguments()
    console = Console()
    modules = [module for module in MODULES if asked.only in module]
    everything = [
        mutant
        for module in modules
        for mutant in mutants_of(module, (ROOT / module).read_text(encoding="utf-8"))
    ]
    chance = random.Random(asked.seed)  # noqa: S311 - a sample, no secret
    sample = chance.sample(everything, min(asked.sample, len(everything)))
    console.print(f"{len(everything)} mutants of {len(modules)} modules, {len(sample)} of them run")
    verdicts = _judge_all(sample, asked.jobs, console)
    survivors = [one.mutant for one in verdicts if one.mutant and not one.caught_by]
    _show(verdicts, survivors, console)
    return int(len(survivors) > (1 - asked.least) * len(verdicts))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--sample", type=int, default=100, help="how many mutants are run")
    parser.add_argument("--only", default="", help="of modules with this in their path")
    parser.add_argument("--seed", type=int, default=0, help="which ones")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="at a time")
    parser.add_argument("--least", type=float, default=0.8, help="share that must be caught")
    return parser.parse_args()


def _judge_all(sample: list[Mutant], jobs: int, console: Console) -> list[Verdict]:
    columns = (*Progress.get_default_columns(), MofNCompleteColumn(), TimeElapsedColumn())
    with tempfile.TemporaryDirectory(prefix="mutants-") as scratch:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(jobs):
            copies.put(_copy(Path(scratch) / str(number)))
        original = _judge(None, copies)
        if original.caught_by:
            raise SystemExit(f"the code as it is fails: {original.caught_by}")
        with ThreadPoolExecutor(jobs) as pool, Progress(*columns, console=console) as shown:
            bar = shown.add_task("mutating", total=len(sample))
            verdicts = []
            for verdict in pool.map(lambda mutant: _judge(mutant, copies), sample):
                verdicts.append(verdict)
                shown.advance(bar)
                console.print(_line(verdict), markup=False)
    return verdicts


def _copy(target: Path) -> Path:
    """A repository of its own for one worker."""
    target.mkdir()
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, target / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target / name)
    return target


def _judge(mutant: Mutant | None, copies: "SimpleQueue[Path]") -> Verdict:
    """Run the tests on a mutant, the quick ones first; None runs them on the code as it is."""
    here = copies.get()
    started = time.monotonic()
    try:
        if mutant is not None:
            (here / mutant.module).write_text(mutant.after, encoding="utf-8")
        caught = next((name for name, command in SUITES.items() if _fails(command, here)), "")
        return Verdict(mutant, caught, time.monotonic() - started)
    finally:
        if mutant is not None:
            (here / mutant.module).write_text(mutant.before, encoding="utf-8")
        copies.put(here)


def _fails(command: tuple[str, ...], here: Path) -> bool:
    environment = {**os.environ, "PYTHONPATH": source_path(here), "PYTHONDONTWRITEBYTECODE": "1"}
    process = subprocess.Popen(  # noqa: S603 - our own tests
        (sys.executable, *command),
        cwd=here,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        return process.wait(TIMEOUT_S) != 0
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return True


def _line(verdict: Verdict) -> str:
    assert verdict.mutant is not None
    place = f"{verdict.mutant.module}:{verdict.mutant.line} {verdict.mutant.what}"
    return f"{verdict.caught_by or 'SURVIVED'} ({verdict.took_s:.0f} s): {place}"


def _show(verdicts: list[Verdict], survivors: list[Mutant], console: Console) -> None:
    by_suite = Counter(verdict.caught_by or "nobody" for verdict in verdicts)
    for mutant in survivors:
        console.rule(f"{mutant.module}:{mutant.line} {mutant.what}")
        console.print(mutant.diff, markup=False)
    caught = len(verdicts) - len(survivors)
    console.print(f"caught {caught} of {len(verdicts)}: {dict(by_suite)}")


if __name__ == "__main__":
    sys.exit(main())
