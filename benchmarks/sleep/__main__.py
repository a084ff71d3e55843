"""`python -m benchmarks.sleep`: searches without and with a cycle of sleep, in turn, one table."""

import asyncio
import json
import statistics
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from anamnesis_libs import logs
from benchmarks.sleep.run import Outcome, measured


@click.command()
@click.option("--memories", default=50_000, show_default=True, help="In one namespace.")
@click.option("--rounds", default=3, show_default=True, help="Each without and with a cycle.")
@click.option("--searchers", default=2, show_default=True, help="Clients, each a call at a time.")
@click.option("--seconds", default=10.0, show_default=True, help="Of searches without a cycle.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write figures there.")
def main(
    memories: int, rounds: int, searchers: int, seconds: float, json_file: Path | None
) -> None:
    """Fill a namespace, let it sleep alone, then search while it sleeps and while it does not."""
    logs.configure("warning", "console")
    outcome = asyncio.run(measured(memories, rounds, searchers, seconds))
    _print(outcome)
    if json_file is not None:
        json_file.write_text(json.dumps(_figures(outcome), indent=1) + "\n", encoding="utf-8")


def _print(outcome: Outcome) -> None:
    figures = _figures(outcome)
    table = Table(title=f"{outcome.memories:,} memories, {outcome.searchers} searching at once")
    for heading in ("", "searches", "p50 ms", "p95 ms", "p99 ms"):
        table.add_column(heading, justify="right")
    for name, taken_s in (("awake", outcome.awake_s), ("asleep", outcome.asleep_s)):
        p50, p95, p99 = _parts_ms(taken_s)
        table.add_row(name, f"{len(taken_s):,}", f"{p50:.1f}", f"{p95:.1f}", f"{p99:.1f}")
    console = Console(width=100)
    console.print(table)
    console.print(
        f"asleep to awake: p50 x{figures['p50_ratio']}, p95 x{figures['p95_ratio']}; a cycle takes "
        f"{figures['first_cycle_s']} s the first time, {figures['cycle_alone_s']} s alone, "
        f"{figures['cycle_searched_s']} s while others search"
    )
    for phase, took_s in outcome.phases_s.items():
        console.print(f"  {phase}: {took_s:.1f} s alone")


def _figures(outcome: Outcome) -> dict[str, float | dict[str, float]]:
    awake, asleep = _parts_ms(outcome.awake_s), _parts_ms(outcome.asleep_s)
    names = ("p50_ms", "p95_ms", "p99_ms")
    return {
        "memories": outcome.memories,
        "awake": dict(zip(names, awake, strict=True)),
        "asleep": dict(zip(names, asleep, strict=True)),
        "p50_ratio": round(asleep[0] / awake[0], 2),
        "p95_ratio": round(asleep[1] / awake[1], 2),
        "first_cycle_s": round(outcome.first_cycle_s, 1),
        "cycle_alone_s": round(outcome.cycle_alone_s, 1),
        "cycle_searched_s": round(statistics.mean(outcome.cycle_searched_s), 1),
    }


def _parts_ms(taken_s: Sequence[float]) -> tuple[float, float, float]:
    """p50, p95 and p99."""
    parts = statistics.quantiles(taken_s, n=100)
    p50, p95, p99 = (round(parts[at] * 1000, 2) for at in (49, 94, 98))
    return p50, p95, p99


if __name__ == "__main__":
    main()
