"""`anamnesis note`: a text of one's own, put into a drawer."""

from datetime import datetime

import click
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.memory.v1.palace_service_pb2 import SaveNoteRequest, SaveNoteResponse
from anamnesis.memory.v1.palace_service_pb2_grpc import PalaceServiceStub
from anamnesis_cli.call import run
from anamnesis_cli.clocks import minutes_said
from anamnesis_cli.dates import WrittenMoment, expires_option
from anamnesis_cli.output import console, note, one_line, print_json
from anamnesis_cli.params import text_given, timestamp
from anamnesis_cli.scope import to_visibility, visibility_option
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
  anamnesis note "The spare key is with the neighbour" --user mara
  anamnesis note "We ship on Thursdays" --project apollo --user ''
  anamnesis note "The gate is painted green" --visibility shared
  anamnesis note "The bakery is closed until the oven comes" --user mara --expires 30d
  pbpaste | anamnesis note - --user mara --time 2026-03-14
"""


@click.command(name="note", cls=ClientCommand, epilog=_EPILOG)
@click.argument("text")
@click.option(
    "--project",
    default="",
    metavar="NAME",
    help="Project of the note: its wing, if the note is nobody's.",
)
@click.option("--agent", default=usual_agent, metavar="ID", help="The agent that notes it.")
@click.option(
    "--session", default="", metavar="ID", help="The room: a session (default: their notes)."
)
@click.option(
    "--time",
    "event_time",
    type=WrittenMoment(),
    metavar="TIME",
    help="Time of the event (default: now).",
)
@click.option(
    "--request-id", default="", metavar="ID", help="Sent twice, it is stored once (24 hours)."
)
@expires_option
@visibility_option
@user_option
@target_options
@pass_target
def save_note(
    target: Target,
    text: str,
    project: str,
    agent: str,
    session: str,
    event_time: datetime | None,
    visibility: str | None,
    expires: Timestamp | None,
    request_id: str,
) -> None:
    """Put TEXT into a drawer of its own; `-` reads it from standard input.

    It goes into the wing of the person, project or agent that is named, into the room of their
    notes or into a session of theirs; both are made where they are missing. The drawer is searched
    and learned from like any, and its pointer never moves.
    """
    request = SaveNoteRequest(
        namespace=target.working_namespace,
        content=text_given(text),
        user_id=target.user_id,
        project=project,
        agent_id=agent,
        session_id=session,
        event_time=None if event_time is None else timestamp(event_time),
        utc_offset_minutes=minutes_said(event_time),
        visibility=to_visibility(visibility),
        expire_time=expires,
        request_id=request_id,
    )
    answer = run(
        target,
        lambda channel: PalaceServiceStub(channel).SaveNote(request, timeout=target.timeout_s),
    )
    if target.as_json:
        print_json(answer)
    else:
        _print(answer)


def _print(answer: SaveNoteResponse) -> None:
    memory = answer.memory
    console().print(
        f"kept in [cyan]{one_line(memory.pointer)}[/], session {one_line(memory.session_id)}, "
        f"memory {one_line(memory.memory_id)}",
        soft_wrap=True,
    )
    note(f"revision {answer.revision} (search --at-least-revision waits for it)")
