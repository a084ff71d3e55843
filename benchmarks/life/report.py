"""The figures of the years as tables."""

import statistics
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from benchmarks.life.year import Year

_SHOWN_EVERY = 8


def print_years(years: Sequence[Year]) -> None:
    """A table a year, and a line of what was checked."""
    console = Console(width=110)
    for year in years:
        console.print(_looks(year))
        parts = statistics.quantiles(year.cycle_s, n=20) if len(year.cycle_s) > 1 else year.cycle_s
        console.print(
            f"{year.policy}: {len(year.cycle_s)} cycles, p50 {statistics.median(year.cycle_s):.2f} "
            f"s, p95 {parts[-1]:.2f} s; in all {year.taken_s:,.0f} s"
        )
        for phase, counts in year.counts.items():
            console.print(f"  {phase}: " + ", ".join(f"{v:,} {k}" for k, v in counts.items()))
        console.print("  checked: " + ", ".join(f"{k} {v:,}" for k, v in year.checks.items()))


def _looks(year: Year) -> Table:
    table = Table(title=f"A year under {year.policy.upper()}")
    headings = ("day", "stored", "active", "archived", "removed", "protected", "hot", "warm")
    for heading in (*headings, "cold", "R below 0.1"):
        table.add_column(heading, justify="right")
    for look in [*year.looks[::_SHOWN_EVERY], year.looks[-1]]:
        faded = sum(tenths[0] for tenths in look.retention.values())
        counts = (look.day, look.stored, look.active, look.archived, look.removed)
        tiers = (look.tiers.get(name, 0) for name in ("hot", "warm", "cold"))
        protected = look.protected.get("protected", 0)
        table.add_row(*(f"{count:,}" for count in (*counts, protected, *tiers, faded)))
    return table
