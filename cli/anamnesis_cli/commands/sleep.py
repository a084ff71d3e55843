"""`anamnesis sleep`: do now what a namespace does while nobody waits, or list what it did."""

import click

from anamnesis_cli.call import run
from anamnesis_cli.failures import resumable
from anamnesis_cli.sleep_runs import last_runs, print_runs
from anamnesis_cli.sleeping import PHASES, Ended, ended_well, phases_run, print_ended
from anamnesis_cli.target import ClientCommand, Target, pass_target, target_options

_EPILOG = """\
\b
Examples:
  anamnesis sleep -n team-a
  anamnesis sleep --phase tier --phase forget
  anamnesis sleep --runs
"""


@click.command(cls=ClientCommand, epilog=_EPILOG)
@click.option(
    "--phase",
    "phases",
    multiple=True,
    type=click.Choice(PHASES, case_sensitive=False),
    help="Only this phase; may be repeated (default: all).",
)
@click.option("--runs", is_flag=True, help="Run nothing; list what was done, the newest first.")
@target_options
@pass_target
def sleep(target: Target, phases: tuple[str, ...], *, runs: bool) -> None:
    """Run a cycle of sleep now, phase by phase, and tell what each came to.

    Episodes of more than 48 hours ago are summarised (compress), what is left to be learned is
    (extract), lessons that say the same are made one (merge), skills are made of clusters that
    are ready (crystallise), a chat model, where one is set, weighs what is in doubt and words
    long memories (refine), memories are ranked by their links (reinforce) and by their use
    (tier), what has faded is archived and later removed as the namespace's policy says (forget),
    ledgers that were kept long enough are deleted (retain), and what several users' lessons bear
    out is told to all where the policy says so (share). The server does all of it by itself; what
    it is doing now is passed over.

    Searches and writes go on meanwhile. Stopped half-way, what was done stays, and running it again
    goes on. The exit code is 1 where something failed. It takes as long as it takes: --timeout does
    not apply.
    """
    if runs:
        print_runs(run(target, lambda channel: last_runs(channel, target, phases)), target)
        return
    with resumable("what was done stays; go on with: anamnesis sleep"):
        ended = run(target, lambda channel: phases_run(channel, target, phases))
    _finish(ended, target)


def _finish(ended: list[Ended], target: Target) -> None:
    print_ended(ended, target)
    if not all(map(ended_well, ended)):
        raise click.exceptions.Exit(1)
