"""`anamnesis sessions`: the conversations of a namespace."""

import click

from anamnesis.memory.v1.event_pb2 import Session, SessionState
from anamnesis.memory.v1.ledger_service_pb2 import ListSessionsRequest, ListSessionsResponse
from anamnesis.memory.v1.ledger_service_pb2_grpc import LedgerServiceStub
from anamnesis_cli.call import run
from anamnesis_cli.output import (
    console,
    is_narrow,
    moment,
    new_table,
    note,
    one_line,
    print_below,
    print_json,
)
from anamnesis_cli.paging import note_more, page_options
from anamnesis_cli.scope import caller_of, caller_options, in_sight
from anamnesis_cli.target import ClientCommand, Target, pass_target, target_options
from anamnesis_libs.rpc.enums import enum_word

_EPILOG = """\
\b
Examples:
  anamnesis sessions
  anamnesis sessions --of-agent coder --limit 200
  anamnesis sessions --json
"""


@click.command(cls=ClientCommand, epilog=_EPILOG)
@click.option("--of-agent", default="", metavar="ID", help="Only of this agent.")
@click.option("--of-user", default="", metavar="ID", help="Only of this person.")
@page_options("Sessions", 50)
@caller_options
@target_options
@pass_target
def sessions(
    target: Target,
    of_agent: str,
    of_user: str,
    limit: int,
    page_token: str,
    as_agent: str,
    as_session: str,
) -> None:
    """List the sessions that you may see, by id: whose they are, how long, from when until when.

    What was said in one is in its room: `anamnesis palace` leads there. `anamnesis activity
    --session ID` shows what was learned from one.
    """
    request = ListSessionsRequest(
        namespace=target.working_namespace,
        agent_id=of_agent,
        user_id=of_user,
        page_size=limit,
        page_token=page_token,
        caller=caller_of(target, as_agent, as_session),
    )
    page = run(
        target,
        lambda channel: LedgerServiceStub(channel).ListSessions(request, timeout=target.timeout_s),
    )
    if target.as_json:
        print_json(page)
    else:
        _print(page, in_sight(request.namespace, request.caller))


def _print(page: ListSessionsResponse, seen: str) -> None:
    to = console()
    table = new_table("session", "of", "agent", "events", "from", "until", "state")
    for session in page.sessions:
        cells = _cells(session)
        if is_narrow(to):
            to.print(f"[bold]{cells[0]}[/]")
            named = zip(table.columns[1:], cells[1:], strict=True)
            print_below(to, ", ".join(f"{column.header} {cell}" for column, cell in named))
        else:
            table.add_row(*cells)
    if table.row_count:
        to.print(table)
    if not page.sessions:
        note(f"no sessions {seen}")
    note_more(page.next_page_token)


def _cells(session: Session) -> tuple[str, ...]:
    return (
        one_line(session.session_id),
        one_line(", ".join(session.participants) or session.user_id or session.project) or "-",
        one_line(session.agent_id) or "-",
        f"{session.event_count:,}",
        moment(session.start_time) if session.HasField("start_time") else "-",
        moment(session.end_time) if session.HasField("end_time") else "-",
        enum_word(SessionState, session.state),
    )
