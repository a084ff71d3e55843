"""`anamnesis observe`: one thing an agent saw, as it happens."""

from datetime import datetime

import click
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.ingestion.v1.ingestion_service_pb2 import ObserveRequest, ObserveResponse
from anamnesis.ingestion.v1.ingestion_service_pb2_grpc import IngestionServiceStub
from anamnesis_cli.call import run
from anamnesis_cli.clocks import minutes_said
from anamnesis_cli.dates import WrittenMoment, expires_option
from anamnesis_cli.output import console, note, one_line, print_json
from anamnesis_cli.params import text_given, timestamp
from anamnesis_cli.scope import participants_option, to_visibility, visibility_option, who_sees
from anamnesis_cli.target import (
    ClientCommand,
    Target,
    pass_target,
    target_options,
    user_option,
    usual_agent,
)

_EPILOG = """\
\b
Examples:
  anamnesis observe "I moved the stand-up to 10:30"
  date | anamnesis observe --session deploy-17 --source tool -
"""


@click.command(cls=ClientCommand, epilog=_EPILOG)
@click.argument("content")
@click.option(
    "--session",
    default="",
    metavar="ID",
    help="The session it belongs to (default: one of the day and of --user).",
)
@click.option(
    "--source",
    default="user",
    show_default=True,
    metavar="WORD",
    help="user, assistant, tool, system, environment, or a word of your own.",
)
@click.option("--agent", default=usual_agent, metavar="ID", help="The agent that saw it.")
@click.option("--project", default="", metavar="NAME", help="Project of a new session.")
@click.option(
    "--time",
    "seen_at",
    type=WrittenMoment(),
    metavar="TIME",
    help="When it was seen (default: now).",
)
@click.option(
    "--request-id", default="", metavar="ID", help="Sent twice, it is stored once (24 hours)."
)
@expires_option
@visibility_option
@participants_option
@user_option
@target_options
@pass_target
def observe(
    target: Target,
    content: str,
    session: str,
    source: str,
    agent: str,
    visibility: str | None,
    participants: tuple[str, ...],
    project: str,
    seen_at: datetime | None,
    expires: Timestamp | None,
    request_id: str,
) -> None:
    """Remember CONTENT as the next event of a session; `-` reads it from standard input.

    It is scored for importance first; what matters too little is let go, and the answer says so.
    """
    request = ObserveRequest(
        namespace=target.working_namespace,
        session_id=session or _session_of_today(target.user_id),
        agent_id=agent,
        user_id=target.user_id,
        visibility=to_visibility(visibility),
        participants=participants,
        project=project,
        source=source,
        content=text_given(content),
        event_time=None if seen_at is None else timestamp(seen_at),
        utc_offset_minutes=minutes_said(seen_at),
        use_server_time=seen_at is None,
        expire_time=expires,
        request_id=request_id,
    )
    answer = run(
        target,
        lambda channel: IngestionServiceStub(channel).Observe(request, timeout=target.timeout_s),
    )
    if target.as_json:
        print_json(answer)
    else:
        _print(answer, agent)


def _session_of_today(user_id: str) -> str:
    """The session of what a user notes on one day, by this machine's calendar."""
    today = f"{datetime.now().astimezone():%Y-%m-%d}"
    return "-".join(filter(None, ("observed", today, user_id)))


def _print(answer: ObserveResponse, agent: str) -> None:
    importance = f"importance {answer.importance:.2f}"
    if not answer.stored:
        console().print(f"let go: {importance} is too little to remember")
        return
    users = answer.participants or [answer.user_id]
    console().print(
        f"stored as event {one_line(answer.event_id)}, memory {one_line(answer.memory_id)}, "
        f"{importance}, {who_sees(answer.visibility, users, agent)}",
        soft_wrap=True,
    )
    note(f"revision {answer.revision} (search --at-least-revision waits for it)")
