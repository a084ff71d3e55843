"""`anamnesis failures`: work of the pipeline that failed, and how to have it tried again."""

from collections.abc import Sequence

import click
import grpc

from anamnesis.ingestion.v1.ingestion_service_pb2 import ListFailuresRequest, RetryFailuresRequest
from anamnesis.ingestion.v1.ingestion_service_pb2_grpc import IngestionServiceStub
from anamnesis.memory.v1.work_pb2 import WORK_STATE_DEAD, WorkItem
from anamnesis_cli.call import run
from anamnesis_cli.learning import STAGES, stage_values, stage_word
from anamnesis_cli.output import as_dict, console, moment, new_table, note, one_line, print_json
from anamnesis_cli.target import ClientCommand, Target, pass_target, target_options

_PAGE_SIZE = 500
_EPILOG = """\
\b
Examples:
  anamnesis failures -n team-a
  anamnesis failures --session support-4711 --retry
  anamnesis failures --retry --stage extract
"""


@click.command(cls=ClientCommand, epilog=_EPILOG)
@click.option("--session", default="", metavar="ID", help="Only of this session.")
@click.option(
    "--stage", "stages", multiple=True, type=STAGES, help="Only this stage; may be repeated."
)
@click.option("--retry", is_flag=True, help="Retry the work now, dead work included.")
@target_options
@pass_target
def failures(target: Target, session: str, stages: tuple[str, ...], retry: bool) -> None:
    """List what could not be learned, why, and when it is tried again.

    A piece of work that fails is tried again by itself, each time later; one that failed too often
    is given up ("dead") and waits for --retry.
    """
    if retry:
        _retry(target, session, stages)
        return
    items = run(target, lambda channel: _listed(channel, target, session, stages))
    if target.as_json:
        print_json({"failures": [as_dict(item) for item in items]})
    elif items:
        _print(items)
    else:
        note(f"nothing failed in namespace {target.working_namespace}")


def _retry(target: Target, session: str, stages: Sequence[str]) -> None:
    request = RetryFailuresRequest(
        namespace=target.working_namespace, session_id=session, stages=stage_values(stages)
    )
    answer = run(
        target,
        lambda channel: IngestionServiceStub(channel).RetryFailures(
            request, timeout=target.timeout_s
        ),
    )
    if target.as_json:
        print_json(answer)
    else:
        note(f"{answer.retried:,} pieces of work are due now; `anamnesis learn` waits for them")


def _listed(
    channel: grpc.Channel, target: Target, session: str, stages: Sequence[str]
) -> list[WorkItem]:
    request = ListFailuresRequest(
        namespace=target.working_namespace, session_id=session, page_size=_PAGE_SIZE
    )
    rpc, wanted = IngestionServiceStub(channel).ListFailures, set(stage_values(stages))
    items: list[WorkItem] = []
    while True:
        page = rpc(request, timeout=target.timeout_s)
        items += (item for item in page.failures if not wanted or item.kind in wanted)
        if not page.next_page_token:
            return items
        request.page_token = page.next_page_token


def _print(items: Sequence[WorkItem]) -> None:
    table = new_table("stage", "session", "tries", "next try", "why")
    for item in items:
        due = moment(item.due_time) if item.HasField("due_time") else "-"
        next_try = "dead" if item.state == WORK_STATE_DEAD else due
        told = (stage_word(item.kind), item.session_id, str(item.attempts), next_try, item.reason)
        table.add_row(*map(one_line, told))
    console().print(table)
    dead = sum(item.state == WORK_STATE_DEAD for item in items)
    if dead:
        note(f"{dead:,} were given up; `anamnesis failures --retry` has them tried again")
