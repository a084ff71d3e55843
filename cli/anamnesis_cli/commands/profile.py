"""`anamnesis profile`: what holds now of one person, ready for a prompt."""

import click

from anamnesis.cluster.v1.projection_pb2 import UserProfile
from anamnesis.cluster.v1.projection_service_pb2 import GetUserProfileRequest
from anamnesis.cluster.v1.projection_service_pb2_grpc import ProjectionServiceStub
from anamnesis_cli.call import run
from anamnesis_cli.output import console as answers
from anamnesis_cli.output import note, print_json, printable
from anamnesis_cli.scope import caller_of, caller_options
from anamnesis_cli.target import ClientCommand, Target, pass_target, target_options

_EPILOG = """\
\b
Examples:
  anamnesis profile --user mara
  anamnesis profile Mara
  anamnesis profile Lin Yue --budget 300
  anamnesis profile Mara --json
"""


@click.command(cls=ClientCommand, epilog=_EPILOG)
@click.argument("subject", nargs=-1, metavar="[USER]")
@click.option(
    "--budget",
    type=click.IntRange(1, 20_000),
    default=1_024,
    metavar="TOKENS",
    help="Tokens that the text may have (default 1,024).",
)
@caller_options
@target_options
@pass_target
def profile(
    target: Target, subject: tuple[str, ...], budget: int, as_agent: str, as_session: str
) -> None:
    """Show what holds now of USER: who they are, what they like, want and must not.

    USER is a user id or a name; without it the person of `--user`. What has ended, was replaced or
    taken back is not in it, nor what happened once: `anamnesis episodes` has that. The text is for
    the prompt of an agent as it is. `--json` has each line with its memories and drawers, how sure
    it is and who may see it.
    """
    request = GetUserProfileRequest(
        namespace=target.working_namespace,
        caller=caller_of(target, as_agent, as_session),
        subject=" ".join(subject),
        token_budget=budget,
    )
    answer = run(
        target,
        lambda channel: ProjectionServiceStub(channel).GetUserProfile(
            request, timeout=target.timeout_s
        ),
    )
    if target.as_json:
        print_json(answer)
    else:
        _print(answer.profile, request.subject or request.caller.user_id, target)


def _print(found: UserProfile, whose: str, target: Target) -> None:
    if found.text:
        answers().print(printable(found.text), soft_wrap=True)
    else:
        pages = target.command("pages", "list")
        note(
            f"nothing that holds now is known of {printable(whose) or 'them'} in namespace "
            f"{target.working_namespace}; `{pages}` says of whom something is: `profile NAME`"
        )
    if found.left_out:
        note(f"{found.left_out} more lines did not fit: raise --budget")
