"""`anamnesis ingest`: conversations out of files, into a namespace."""

import sys
from collections.abc import Callable

import click
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.ingestion.v1.ingestion_service_pb2 import FileShape, IngestFileHeader
from libs.cli.call import run
from libs.cli.failures import failure_of
from libs.cli.ingest_report import SendProgress, print_problem, print_report
from libs.cli.params import Moment, timestamp, words
from libs.cli.sources import STDIN, Problem, Source, find_sources
from libs.cli.target import ClientCommand, Target, pass_target, target_options
from libs.cli.upload import Delivery, Upload

_MTIME = "mtime"
_EPILOG = """\
\b
Examples:
  anamnesis ingest chat.jsonl
  anamnesis -n team-a ingest ~/.claude/projects --agent claude-code
  anamnesis ingest notes.jsonl --user mara --time mtime --end
  export-chats | anamnesis ingest - --session support-4711
"""


class _EventTime(click.ParamType[Timestamp | str]):
    """A moment, or the word mtime."""

    name = "time"

    def convert(
        self, value: Timestamp | str, param: click.Parameter | None, ctx: click.Context | None
    ) -> Timestamp | str:
        return _MTIME if value == _MTIME else Moment().convert(value, param, ctx)


@click.command(cls=ClientCommand, epilog=_EPILOG, short_help="Remember conversations out of files.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--agent", default="", metavar="ID", help="The agent that took part.")
@click.option("--user", default="", metavar="ID", help="The person who took part.")
@click.option(
    "--session",
    default="",
    metavar="ID",
    help="The session (one file only). Default: the one the file names, else one made of agent "
    "and path, so that the same file is always the same session.",
)
@click.option(
    "--shape",
    type=words(FileShape.DESCRIPTOR, "FILE_SHAPE_"),
    help="How the lines are written (default: found out).",
)
@click.option(
    "--time",
    "event_time",
    type=_EventTime(),
    metavar="TIME|mtime",
    help="When it happened, for lines that do not say: a time, or each file's own last change.",
)
@click.option("--end", is_flag=True, help="No more lines will come: end the sessions.")
@target_options
@pass_target
def ingest(
    target: Target,
    paths: tuple[str, ...],
    agent: str,
    user: str,
    session: str,
    shape: str | None,
    event_time: Timestamp | str | None,
    end: bool,
) -> None:
    """Remember conversations from files, directories, or standard input (`-`).

    A file holds one message a line, as JSON: in the OpenAI or Anthropic shape, or as Claude Code
    writes it. A directory is searched for .jsonl files; hidden parts and symbolic links in it are
    left out. Ingesting a file again adds only what is new in it.
    """
    by_mtime = event_time == _MTIME
    if by_mtime and STDIN in paths:
        raise click.UsageError("standard input has no mtime; give --time a time")
    sources, problems = _found(paths)
    if session and len(sources) > 1:
        raise click.UsageError(f"--session names one session, but there are {len(sources)} files")
    header = IngestFileHeader(
        namespace=target.working_namespace,
        agent_id=agent,
        user_id=user,
        session_id=session,
        shape=FileShape.Value(f"FILE_SHAPE_{(shape or 'unspecified').upper()}"),
        default_event_time=event_time if isinstance(event_time, Timestamp) else None,
        end_session=end,
    )
    delivery = _sent(target, sources, lambda source: _header_of(source, header, by_mtime))
    _conclude(target, delivery, problems)


def _found(paths: tuple[str, ...]) -> tuple[list[Source], list[Problem]]:
    found = list(find_sources(paths, sys.stdin.buffer))
    sources = [item for item in found if isinstance(item, Source)]
    return sources, [item for item in found if isinstance(item, Problem)]


def _header_of(source: Source, common: IngestFileHeader, by_mtime: bool) -> IngestFileHeader:
    header = IngestFileHeader(label=source.label)
    header.MergeFrom(common)
    if by_mtime and source.changed is not None:
        header.default_event_time.CopyFrom(timestamp(source.changed))
    return header


def _sent(
    target: Target, sources: list[Source], header: Callable[[Source], IngestFileHeader]
) -> Delivery:
    if not sources:
        return Delivery()
    with SendProgress(sources, as_json=target.as_json) as progress:
        upload = Upload(header, target, progress)
        return run(target, lambda channel: upload.deliver(channel, sources))


def _conclude(target: Target, delivery: Delivery, problems: list[Problem]) -> None:
    """Tells what came of it; whatever was not taken in makes the command fail."""
    for problem in problems:
        print_problem(problem.path, problem.reason, as_json=target.as_json)
    print_report(delivery, as_json=target.as_json)
    if delivery.stopped_by is not None:
        raise failure_of(delivery.stopped_by, target.server)
    if problems or any(outcome.error for outcome in delivery.outcomes):
        raise click.exceptions.Exit(1)
