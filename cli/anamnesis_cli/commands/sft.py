"""`anamnesis sft`: training rows of the tasks that went well."""

import json
import sys

import click
import grpc
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.ingestion.v1.ingestion_service_pb2 import ExportSftRequest, ExportSftResponse
from anamnesis.ingestion.v1.ingestion_service_pb2_grpc import IngestionServiceStub
from anamnesis_cli.call import run
from anamnesis_cli.dates import WrittenDate
from anamnesis_cli.output import as_dict, json_text, note
from anamnesis_cli.scope import caller_of, caller_options
from anamnesis_cli.target import ClientCommand, Target, pass_target, target_options
from anamnesis_cli.work_bar import WorkBar

_EPILOG = """\
\b
Examples:
  anamnesis sft -n team-a > rows.jsonl
  anamnesis sft --min-score 0.9 --task-type coding --since 2026-03-01 > rows.jsonl
  anamnesis sft --render-tools --limit 100 --json
"""


@click.command(cls=ClientCommand, epilog=_EPILOG)
@click.option(
    "--min-score",
    type=click.FloatRange(0, 1),
    metavar="0..1",
    help="Least score of a task (default: the server's ingestion.sft_score_min).",
)
@click.option("--task-type", default="", metavar="NAME", help="Only tasks of this type.")
@click.option(
    "--since", type=WrittenDate(), metavar="TIME", help="Only tasks that ended at TIME or after."
)
@click.option(
    "--limit", type=click.IntRange(min=0), default=0, metavar="N", help="Most rows (default: all)."
)
@click.option(
    "--render-tools",
    is_flag=True,
    help="Write tool calls and their answers into the text, for templates that know no tools.",
)
@caller_options
@target_options
@pass_target
def sft(
    target: Target,
    min_score: float | None,
    task_type: str,
    since: Timestamp | None,
    limit: int,
    render_tools: bool,
    as_agent: str,
    as_session: str,
) -> None:
    """Write one JSON object a line to standard output for each task that went well.

    A row is {"messages": [...], "topic": "..."} in the OpenAI shape, whatever the chat template.
    With --json each line has the row together with its session, task, type and score. It takes as
    long as it takes: --timeout does not apply.
    """
    request = ExportSftRequest(
        namespace=target.working_namespace,
        task_type=task_type,
        min_score=min_score,
        since=since,
        limit=limit,
        render_tools=render_tools,
        caller=caller_of(target, as_agent, as_session),
    )
    rows = run(target, lambda channel: _write(channel, target, request))
    note(f"{rows:,} rows" if rows else "no task reaches the score; `anamnesis stats` shows theirs")


def _write(channel: grpc.Channel, target: Target, request: ExportSftRequest) -> int:
    rows = 0
    # On a terminal the rows themselves show how far it is, and a bar would stand among them.
    with WorkBar("rows", hidden=target.as_json or sys.stdout.isatty()) as bar:
        for exported in IngestionServiceStub(channel).ExportSft(request):
            rows += 1
            click.echo(_line(exported) if target.as_json else exported.row_json)
            bar.move("rows", rows, max(rows, request.limit))
    return rows


def _line(exported: ExportSftResponse) -> str:
    fields = {name: value for name, value in as_dict(exported).items() if name != "row_json"}
    return json_text({**fields, "row": json.loads(exported.row_json)})
