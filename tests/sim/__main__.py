"""Many seeded runs with a progress bar: `python -m tests.sim --runs 1000 --power 200`.

A failing run is named by its kind and seed; `--replay KIND:SEED` runs it alone, with the
whole story of what was sent. The same seed gives the same run: the processes that run
them are started with a fixed hash seed. (Network runs are real time, and not repeatable
to the letter.)
"""

import argparse
import multiprocessing
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TimeElapsedColumn
from rich.table import Table

from tests.sim.run import Failed, Kind, Seeded, Told, simulate, simulate_some

CHUNK = 5
NETWORK_EVERY = 50
"""One of so many fault runs goes over a real network."""


@dataclass(slots=True)
class Report:
    """What many runs came to."""

    runs: Counter[Kind] = field(default_factory=Counter)
    fates: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    sums: Counter[str] = field(default_factory=Counter)
    failures: list[tuple[Kind, int, str]] = field(default_factory=list)

    def add(self, kind: Kind, seed: int, outcome: Told | str) -> None:
        """Count one run."""
        self.runs[kind] += 1
        if isinstance(outcome, str):
            self.failures.append((kind, seed, outcome))
            return
        self.fates.update(outcome.fates)
        self.faults.update(outcome.faults)
        for name in ("lives", "kills", "power_losses", "operations", "memories"):
            self.sums[name] += getattr(outcome, name)


def main() -> int:
    """Run what the command line asks for.

    Returns:
        1 where an invariant broke.
    """
    asked = _arguments()
    if os.environ.get("PYTHONHASHSEED") != "0":
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, "-m", "tests.sim", *sys.argv[1:]])  # noqa: S606 - itself
    console = Console()
    if asked.replay:
        kind, _, seed = asked.replay.rpartition(":")
        return _replay(Kind(kind or "faults"), int(seed), console)
    started = time.monotonic()
    report = _run_all(list(_work(asked.runs, asked.power, asked.seed)), asked, console)
    _show(report, time.monotonic() - started, console)
    return 1 if report.failures else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.sim", description=__doc__)
    parser.add_argument("--runs", type=int, default=1000, help="runs with faults and crashes")
    parser.add_argument("--power", type=int, default=0, help="runs with power losses on top")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--first", action="store_true", help="stop at the first that breaks")
    parser.add_argument("--replay", default="", metavar="KIND:SEED", help="one run, told in full")
    return parser.parse_args()


def _work(runs: int, power: int, seed: int) -> Iterator[Seeded]:
    for number in range(seed, seed + runs):
        yield (Kind.NETWORK if number % NETWORK_EVERY == NETWORK_EVERY - 1 else Kind.FAULTS), number
    for number in range(seed, seed + power):
        yield Kind.POWER, number


def _run_all(work: list[Seeded], asked: argparse.Namespace, console: Console) -> Report:
    report = Report()
    columns = (*Progress.get_default_columns(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as shown:
        bar = shown.add_task("simulating", total=len(work))
        for kind, seed, outcome in _outcomes(work, asked.jobs):
            report.add(kind, seed, outcome)
            shown.advance(bar)
            if isinstance(outcome, str):
                console.print(f"{kind}:{seed} {outcome}", markup=False)
                if asked.first:
                    break
    return report


def _outcomes(work: list[Seeded], jobs: int) -> Iterator[tuple[Kind, int, Told | str]]:
    """Run here, or in processes of their own."""
    if jobs == 1:
        for one in work:
            yield from simulate_some([one])
        return
    chunks = [work[at : at + CHUNK] for at in range(0, len(work), CHUNK)]
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        futures = [pool.submit(simulate_some, chunk) for chunk in chunks]
        try:
            for done in as_completed(futures):
                yield from done.result()
        finally:
            pool.shutdown(cancel_futures=True)


def _replay(kind: Kind, seed: int, console: Console) -> int:
    try:
        console.print(simulate(seed, kind))
    except Failed as failed:
        console.print(failed.story, markup=False, soft_wrap=True)
        raise
    return 0


def _show(report: Report, took_s: float, console: Console) -> None:
    table = Table("what", "count", title=f"simulation, {took_s:.0f} s")
    for kind, count in report.runs.items():
        table.add_row(f"runs: {kind}", str(count))
    for name, count in report.sums.items():
        table.add_row(name.replace("_", " "), f"{count:,}")
    for name, count in sorted(report.fates.items()):
        table.add_row(f"requests {name}", f"{count:,}")
    for name, count in sorted(report.faults.items()):
        table.add_row(f"fault: {name}", f"{count:,}")
    table.add_row("broken invariants", str(len(report.failures)))
    console.print(table)
    for kind, seed, what in report.failures:
        console.print(f"{kind}:{seed} {what}\n  python -m tests.sim --replay {kind}:{seed}")


if __name__ == "__main__":
    sys.exit(main())
