"""`python -m benchmarks.hostile`: hostile input for the whole suite, its faults as a table."""

import signal
import sys
from collections import Counter
from collections.abc import Sequence

import click
from rich.console import Console
from rich.table import Table

from benchmarks.hostile.run import Attack, Outcome, run

PARTS = ("calls", "imports", "tokens")
_EPILOG = """
\b
Examples:
  python -m benchmarks.hostile                          # everything; some ten minutes
  python -m benchmarks.hostile --only tokens --seed 7   # another thousand tokens
"""


@click.command(epilog=_EPILOG)
@click.option("--calls", default=30_000, show_default=True, help="Mutated calls over all rpcs.")
@click.option("--imports", default=700, show_default=True, help="Broken exports, imported.")
@click.option("--tokens", default=1_000, show_default=True, help="Page tokens nobody gave.")
@click.option("--seed", default=0, show_default=True, help="Of everything that is drawn.")
@click.option("--only", type=click.Choice(PARTS), multiple=True, help="A part; may come twice.")
@click.option("--shown", default=40, show_default=True, help="Faults printed with what was sent.")
def main(calls: int, imports: int, tokens: int, seed: int, only: Sequence[str], shown: int) -> None:
    """Send what nobody should to a suite of its own, and count INTERNAL, UNKNOWN and hangs.

    Every rpc is called, out of its descriptor: with one good request in ten, with fields that
    are changed to extremes, and with bytes that are no message. Exports with changed records
    are imported, each into a namespace that is then read by every rpc that reads, verified,
    exported, written to, put to sleep and deleted. Page tokens are altered and shown to the list
    that gave them and to others. The suite runs in a process of its own on an empty store.

    No input may be answered with INTERNAL or UNKNOWN, or take over 10 seconds. Ends with 1
    where one was. The same seed sends the same, as far as answers are the same.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends what was started
    outcome = run(Attack(calls, imports, tokens, seed), only or PARTS)
    _print(outcome, shown)
    if outcome.failed:
        sys.exit("input was answered with a fault of the suite")


def _print(outcome: Outcome, shown: int) -> None:
    console = Console(width=None if sys.stdout.isatty() else 160, highlight=False, markup=False)
    table = Table("what was sent", "code", "times")
    table.columns[2].justify = "right"
    for (kind, code), times in sorted(outcome.tally.codes.items()):
        table.add_row(kind, code, f"{times:,}")
    console.print(table)
    console.print(
        f"{outcome.paged_rpcs} rpcs gave true tokens; resident before {outcome.before_mib} MiB, "
        f"after {outcome.after_mib} MiB{'' if outcome.alive else '; THE SUITE DIED'}"
    )
    faults = Counter((one.kind, one.rpc, one.code) for one in outcome.tally.faults)
    for place, times in outcome.places.most_common():
        console.print(f"{times:6,} logged {place}")
    for (kind, rpc, code), times in faults.most_common():
        console.print(f"{times:6,} {code} of {rpc}: {kind}")
    for fault in outcome.tally.faults[:shown]:
        console.print(f"{fault.code} {fault.rpc} {fault.message[:120]}\n    {fault.sent}")


if __name__ == "__main__":
    main()
