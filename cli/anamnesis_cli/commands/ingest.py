"""`anamnesis ingest`: conversations out of files, into a namespace."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypedDict, Unpack

import click
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.ingestion.v1.ingestion_service_pb2 import (
    FileShape,
    IngestFileHeader,
    IngestTextRequest,
)
from anamnesis_cli.call import run
from anamnesis_cli.dates import WrittenDate
from anamnesis_cli.failures import failure_of, resumable
from anamnesis_cli.ingest_report import SendProgress, print_problem, print_report
from anamnesis_cli.learning import last_learned, learn_now, print_learned
from anamnesis_cli.params import timestamp, words
from anamnesis_cli.scope import participants_option, to_visibility, visibility_option
from anamnesis_cli.sources import STDIN, Problem, Source, find_sources
from anamnesis_cli.target import (
    ClientCommand,
    Target,
    pass_target,
    target_options,
    user_option,
    usual_agent,
)
from anamnesis_cli.texts import ingest_texts
from anamnesis_cli.upload import Delivery, FileUpload
from anamnesis_libs.rpc.enums import enum_value

_MTIME = "mtime"
_EPILOG = """\
\b
Examples:
  anamnesis ingest chat.jsonl
  anamnesis -n team-a ingest ~/.claude/projects --agent claude-code
  anamnesis ingest notes.jsonl --user mara --time mtime --end
  anamnesis ingest exported.json --learn
  anamnesis ingest sprint-12.jsonl --project apollo
  anamnesis ingest conversations.json --user mara
  anamnesis ingest --text notes/ --user mara --learn
  export-chats | anamnesis ingest - --session support-4711
"""


_GO_ON = "what was taken in stays; the same command again adds what is missing"


class _EventTime(click.ParamType[Timestamp | str]):
    """A date or time, or the word mtime."""

    name = "time"

    def convert(
        self, value: Timestamp | str, param: click.Parameter | None, ctx: click.Context | None
    ) -> Timestamp | str:
        return _MTIME if value == _MTIME else WrittenDate().convert(value, param, ctx)


class IngestOptions(TypedDict):
    """The options of the command, by name."""

    agent: str
    visibility: str | None
    participants: tuple[str, ...]
    project: str
    session: str
    shape: str | None
    event_time: Timestamp | str | None
    time_zone: str
    end: bool
    as_text: bool
    learn: bool


@dataclass(frozen=True, slots=True)
class Taken:
    """The sessions of the files that were taken in, and true in `failed` if a file was not."""

    sessions: frozenset[str]
    failed: bool


@click.command(cls=ClientCommand, epilog=_EPILOG)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--agent", default=usual_agent, metavar="ID", help="The agent that took part.")
@click.option(
    "--project",
    default="",
    metavar="NAME",
    help="What new sessions are about: their wing in the palace, where no person is named.",
)
@click.option(
    "--session",
    default="",
    metavar="ID",
    help="The session (one file only). Default: the one the file names, else one made of agent "
    "and path, so that the same file is always the same session.",
)
@click.option(
    "--shape",
    type=words(FileShape),
    help="Shape of the lines (default: detected).",
)
@click.option(
    "--time",
    "event_time",
    type=_EventTime(),
    metavar="TIME|mtime",
    help="When it happened, for lines that do not say: a time, or each file's own last change.",
)
@click.option(
    "--time-zone",
    default="",
    metavar="ZONE",
    help="Where it was said, Asia/Shanghai or +08:00, for times that name no offset from UTC, "
    "those of a telephone's export among them (default: UTC, and the days of the namespace's "
    "zone).",
)
@click.option("--end", is_flag=True, help="No more lines will come: end the sessions.")
@click.option(
    "--text",
    "as_text",
    is_flag=True,
    help="The files are texts, such as notes in Markdown: each is a session, its events are its "
    "paragraphs, lists, tables and blocks of code.",
)
@click.option("--learn", is_flag=True, help="Then learn from the files at once, and wait.")
@visibility_option
@participants_option
@user_option
@target_options
@pass_target
def ingest(target: Target, paths: tuple[str, ...], **given: Unpack[IngestOptions]) -> None:
    """Remember conversations from files, directories, or standard input (`-`).

    A file's format is found out: one message a line, or one JSON document, in the OpenAI or
    Anthropic shape, of ShareGPT or LangChain; session files of Claude Code, Codex, Cursor, pi and
    OpenClaw; exports of ChatGPT, Claude.ai, Slack and WhatsApp. A directory is searched for such
    files by their names; hidden parts and symbolic links in it are left out. With --text it is
    searched for notes. Ingesting a file again adds only what
    is new in it, so an interrupted run is simply repeated.
    """
    _check(paths, given)
    with resumable(_GO_ON):
        mark = last_learned(target) if given["learn"] else None
        taken = (_take_texts if given["as_text"] else _take_files)(target, paths, given)
    failed = taken.failed
    if given["learn"] and taken.sessions:
        session = "" if len(taken.sessions) > 1 else min(taken.sessions)
        learned = learn_now(target, mark, session)
        print_learned(learned, target)
        failed = failed or bool(learned.failures)
    if failed:
        raise click.exceptions.Exit(1)


def _check(paths: tuple[str, ...], given: IngestOptions) -> None:
    if given["event_time"] == _MTIME and STDIN in paths:
        raise click.UsageError("standard input has no mtime; give --time a time")
    if given["as_text"] and (given["session"] or given["shape"]):
        raise click.UsageError("a text is a session of its own: leave --session and --shape out")
    if given["as_text"] and given["participants"]:
        raise click.UsageError("a text is one person's: leave --with out")
    if given["as_text"] and given["time_zone"]:
        raise click.UsageError("a text has one time of its own: leave --time-zone out")


def _take_texts(target: Target, paths: tuple[str, ...], given: IngestOptions) -> Taken:
    sources, problems = _found(paths, texts=True)
    common = IngestTextRequest(
        namespace=target.working_namespace,
        agent_id=given["agent"],
        user_id=target.user_id,
        visibility=to_visibility(given["visibility"]),
        project=given["project"],
        event_time=_stated(given),
    )
    for problem in problems:
        print_problem(problem.path, problem.reason, as_json=target.as_json)
    stored, refused = ingest_texts(target, sources, common)
    sessions = frozenset(each.answer.session_id for each in stored)
    return Taken(sessions, bool(problems or refused))


def _take_files(target: Target, paths: tuple[str, ...], given: IngestOptions) -> Taken:
    sources, problems = _found(paths, texts=False)
    if given["session"] and len(sources) > 1:
        raise click.UsageError(f"--session names one session, but there are {len(sources)} files")
    header = IngestFileHeader(
        namespace=target.working_namespace,
        agent_id=given["agent"],
        user_id=target.user_id,
        visibility=to_visibility(given["visibility"]),
        participants=given["participants"],
        project=given["project"],
        session_id=given["session"],
        shape=enum_value(FileShape, given["shape"]),
        default_event_time=_stated(given),
        time_zone=given["time_zone"],
        end_session=given["end"],
    )
    by_mtime = given["event_time"] == _MTIME
    delivery = _sent(target, sources, lambda source: _header_of(source, header, by_mtime))
    _tell(target, delivery, problems)
    return _taken(delivery, problems)


def _stated(given: IngestOptions) -> Timestamp | None:
    stated = given["event_time"]
    return stated if isinstance(stated, Timestamp) else None


def _found(paths: tuple[str, ...], *, texts: bool) -> tuple[list[Source], list[Problem]]:
    found = list(find_sources(paths, sys.stdin.buffer, texts=texts))
    sources = [item for item in found if isinstance(item, Source)]
    return sources, [item for item in found if isinstance(item, Problem)]


def _header_of(source: Source, common: IngestFileHeader, by_mtime: bool) -> IngestFileHeader:
    header = IngestFileHeader(label=source.label, size_bytes=source.size_bytes, names=source.names)
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
        upload = FileUpload(header, target, progress)
        return run(target, lambda channel: upload.deliver(channel, sources))


def _tell(target: Target, delivery: Delivery, problems: list[Problem]) -> None:
    for problem in problems:
        print_problem(problem.path, problem.reason, as_json=target.as_json)
    print_report(delivery, as_json=target.as_json)
    if delivery.stopped_by is not None:
        raise failure_of(delivery.stopped_by, target.server)


def _taken(delivery: Delivery, problems: list[Problem]) -> Taken:
    """Whatever was not taken in makes the command fail."""
    answers = [outcome.taken for outcome in delivery.outcomes if outcome.taken]
    sessions = {answer.session.session_id for answer in answers}
    sessions.update(side.session_id for answer in answers for side in answer.side_sessions)
    failed = bool(problems) or any(outcome.failed for outcome in delivery.outcomes)
    return Taken(frozenset(sessions), failed)
