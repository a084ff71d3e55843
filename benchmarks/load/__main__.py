"""`python -m benchmarks.load`: writers and readers on one namespace, as a table a backend."""

import signal
import statistics
import sys
from collections.abc import Sequence

import click
from rich.console import Console
from rich.table import Table

from benchmarks.installation import ALL, FOUR, Backend
from benchmarks.load.run import Outcome, Plan, run


@click.command()
@click.option("--seconds", default=60.0, show_default=True, help="How long clients go on.")
@click.option(
    "--backend",
    "backends",
    type=click.Choice([each.value for each in Backend]),
    multiple=True,
    help="One backend; without it both, one after the other.",
)
@click.option("--writers", default=32, show_default=True, help="Half by one turn, half by 20.")
@click.option("--readers", default=32, show_default=True, help="They search, list and get in turn.")
@click.option("--four-processes", is_flag=True, help="Each service in a process of its own.")
def main(
    seconds: float, backends: Sequence[str], writers: int, readers: int, four_processes: bool
) -> None:
    """Have clients write to and read from one namespace, then read everything back.

    Ends with 1 where a call failed, or anything is lost, doubled, or was never sent.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends what was started
    targets = FOUR if four_processes else ALL
    outcomes = []
    for backend in backends or list(Backend):
        outcomes.append(run(Plan(Backend(backend), seconds, writers, readers, targets)))
        _print(outcomes[-1])
    if any(outcome.faults for outcome in outcomes):
        sys.exit("a call failed, or not everything is there once")


def _print(outcome: Outcome) -> None:
    plan = outcome.plan
    table = Table(
        title=f"{plan.backend}: {plan.writers} writers, {plan.readers} readers, "
        f"{outcome.elapsed_s:.1f} s, {len(plan.targets)} process(es)"
    )
    table.add_column("call")
    for heading in ("calls", "a second", "p50 ms", "p95 ms", "p99 ms", "errors"):
        table.add_column(heading, justify="right")
    for kind in sorted(outcome.taken_s.keys() | outcome.failures.keys()):
        table.add_row(kind, *_row(outcome, kind))
    console = Console(width=100)
    console.print(table)
    console.print(
        f"events a second {outcome.appended / outcome.elapsed_s:,.0f}; "
        f"acknowledged {outcome.acknowledged:,}, errors {outcome.errors}, lost {outcome.lost}, "
        f"doubled {outcome.doubled}, never sent {outcome.unknown}, wrong answers {outcome.wrong}"
    )
    for kind, failures in outcome.failures.items():
        for told, times in failures.items():
            console.print(f"{kind}: {told} {times:,}x")


def _row(outcome: Outcome, kind: str) -> list[str]:
    taken_s = outcome.taken_s.get(kind, ())
    parts = statistics.quantiles(taken_s, n=100) if len(taken_s) > 1 else [float("nan")] * 99
    return [
        f"{len(taken_s):,}",
        f"{len(taken_s) / outcome.elapsed_s:,.1f}",
        *(f"{parts[place] * 1000:,.0f}" for place in (49, 94, 98)),
        str(sum(outcome.failures.get(kind, {}).values())),
    ]


if __name__ == "__main__":
    main()
