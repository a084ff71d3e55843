"""`python -m benchmarks.recovery`: kills what holds the data, counts what is left, as a table."""

import signal
import statistics
import sys
from collections.abc import Sequence

import click
from rich.console import Console
from rich.table import Table

from benchmarks.installation import ALL, FOUR
from benchmarks.recovery.killing import Kills, Scenario
from benchmarks.recovery.run import Outcome, run

NAMES = {
    "embedded": Scenario.SERVICE_ON_EMBEDDED,
    "service": Scenario.SERVICE_ON_NEO4J,
    "neo4j": Scenario.NEO4J,
}


@click.command()
@click.option("--kills", default=20, show_default=True, help="Kills of each.")
@click.option("--writing-s", default=3.0, show_default=True, help="Most seconds before a kill.")
@click.option("--seed", default=0, show_default=True, help="Of the moments.")
@click.option(
    "--only", type=click.Choice(list(NAMES)), multiple=True, help="One scenario; may come twice."
)
@click.option("--one-process", is_flag=True, help="All four services in one process.")
def main(kills: int, writing_s: float, seed: int, only: Sequence[str], one_process: bool) -> None:
    """Kill the memory service, and Neo4j, while five clients write; count what is there.

    Ends with 1 where anything was lost or doubled, stored although it was refused, or INTERNAL.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends what was started
    targets = ALL if one_process else FOUR
    outcomes = []
    for name in only or NAMES:
        outcomes.append(run(NAMES[name], Kills(kills, writing_s, seed), targets))
        _print(outcomes[-1])
    if any(outcome.faults for outcome in outcomes):
        sys.exit("something was lost, doubled or made up")


def _print(outcome: Outcome) -> None:
    counted = outcome.count
    table = Table("what", "number", title=f"{outcome.scenario}: kill -9, {len(outcome.outages)}x")
    table.columns[1].justify = "right"
    for what, number in (
        ("texts acknowledged", counted.acknowledged),
        ("calls in doubt", counted.in_doubt),
        ("... known to have been stored", counted.in_doubt_stored),
        ("texts refused for good", counted.refused),
        ("acknowledged and lost", counted.lost),
        ("stored twice", counted.doubled),
        ("refused and stored", counted.refused_stored),
        ("stored and never sent", counted.unknown),
        ("acknowledged and not found by its word", counted.not_found),
        ("added when all was sent again", counted.added_by_repeating),
    ):
        table.add_row(what, f"{number:,}")
    for what, spans_s in (
        ("down", [each.down_s for each in outcome.outages]),
        ("from its return to the next acknowledged write", [e.back_s for e in outcome.outages]),
    ):
        table.add_row(f"{what}, median s", f"{statistics.median(spans_s):.1f}")
        table.add_row(f"{what}, most s", f"{max(spans_s):.1f}")
    for told, times in sorted(outcome.failures.items()):
        table.add_row(f"answered {told}", f"{times:,}")
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
