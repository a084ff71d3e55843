"""`anamnesis consolidate`: make lessons that say the same one, and tell each decision."""

import click

from anamnesis_cli.call import run
from anamnesis_cli.consolidating import MERGES_MAX, consolidated, print_run
from anamnesis_cli.failures import resumable
from anamnesis_cli.target import ClientCommand, Target, pass_target, target_options

_EPILOG = """\
\b
Examples:
  anamnesis consolidate --dry-run
  anamnesis consolidate -n team-a
  anamnesis consolidate --merges-max 10 --json
"""


@click.command(cls=ClientCommand, epilog=_EPILOG)
@click.option("--dry-run", is_flag=True, help="Tell what would become of them; change nothing.")
@click.option(
    "--merges-max",
    type=click.IntRange(1, 1000),
    default=MERGES_MAX,
    show_default=True,
    help="Merges at most.",
)
@target_options
@pass_target
def consolidate(target: Target, *, dry_run: bool, merges_max: int) -> None:
    """Make lessons that say the same one, and tell each decision in plain words.

    With a chat model, the model says whether two lessons that are near are one, and words the text
    for both; what loses a number, a name or a "not", or says what neither says, is refused, and
    both stay as they are. Without a chat model, what is identical, and what would have been
    merged when it was written, is merged; the rest waits, and is told.

    The server does it by itself an hour after lessons have come. `UndoMerge` splits two again; see
    docs/duplicates.md. Stopped half-way, what was decided stays. It takes as long as it takes:
    --timeout does not apply. The exit code is 1 where it failed.
    """
    with resumable("what was decided stays; go on with: anamnesis consolidate"):
        ended = run(
            target,
            lambda channel: consolidated(channel, target, merges_max, dry_run=dry_run),
        )
    if not print_run(ended, target, dry_run=dry_run):
        raise click.exceptions.Exit(1)
