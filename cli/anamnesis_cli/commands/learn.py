"""`anamnesis learn`: learn now from the conversations of a namespace."""

import click

from anamnesis_cli.learning import STAGES, last_learned, learn_now, print_learned
from anamnesis_cli.target import ClientCommand, Target, pass_target, target_options, user_option

_EPILOG = """\
\b
Examples:
  anamnesis learn -n team-a
  anamnesis learn --session support-4711
  anamnesis learn --stage segment --stage label
"""


@click.command(cls=ClientCommand, epilog=_EPILOG)
@click.option("--session", default="", metavar="ID", help="Only from this session.")
@click.option(
    "--stage",
    "stages",
    multiple=True,
    type=STAGES,
    help="Only this stage; may be repeated (default: segment, label and extract).",
)
@user_option
@target_options
@pass_target
def learn(target: Target, session: str, stages: tuple[str, ...]) -> None:
    """Learn facts, lessons and procedures from conversations now, and wait for it.

    Each session is cut into tasks (segment), each task is measured (label), and what it teaches is
    stored (extract). The server does this by itself once a session has ended or has been silent for
    a while; this command does not wait for that, and takes sessions that are still open too.

    Stopped half-way, what was learned stays, and running it again goes on. The exit code is 1 where
    something failed. It takes as long as it takes: --timeout does not apply.
    """
    learned = learn_now(target, last_learned(target), session, stages)
    print_learned(learned, target)
    if learned.failures:
        raise click.exceptions.Exit(1)
