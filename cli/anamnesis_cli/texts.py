"""`anamnesis ingest --text`: texts that are no conversations, such as notes, each a session."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

import grpc

from anamnesis.ingestion.v1.ingestion_service_pb2 import IngestTextRequest, IngestTextResponse
from anamnesis.ingestion.v1.ingestion_service_pb2_grpc import IngestionServiceStub
from anamnesis_cli.call import error_of, run
from anamnesis_cli.failures import told
from anamnesis_cli.file_rows import print_files
from anamnesis_cli.ingest_report import note_unarchived, print_problem
from anamnesis_cli.output import Json, as_dict, note, print_json
from anamnesis_cli.params import timestamp
from anamnesis_cli.scope import who_sees
from anamnesis_cli.sources import Problem, Source
from anamnesis_cli.target import Target
from anamnesis_cli.work_bar import WorkBar
from anamnesis_libs.errors import DeadlineExceeded, InvalidArgument, TooLarge

_SLOWEST_BYTES_PER_S = 16 * 1024
"""An event a paragraph: a text takes longer than a file of its size."""
_OF_ONE_TEXT = (DeadlineExceeded, InvalidArgument, TooLarge)


@dataclass(frozen=True, slots=True)
class Stored:
    """A text that was taken in."""

    source: Source
    answer: IngestTextResponse


def ingest_texts(
    target: Target, sources: Sequence[Source], common: IngestTextRequest
) -> tuple[list[Stored], list[Problem]]:
    """Send each text, and return the outcomes; `common` holds the fields that all share.

    Without a time of its own in `common` a file was written when it last changed, and standard
    input just now. What was taken in is told also where the rest cannot be.
    """
    stored: list[Stored] = []
    problems: list[Problem] = []

    def send(channel: grpc.Channel) -> None:
        for outcome in _sent(channel, target, sources, common):
            if isinstance(outcome, Stored):
                stored.append(outcome)
            else:
                problems.append(outcome)

    try:
        run(target, send)
    finally:
        _report(stored, problems, target, common.agent_id)
    return stored, problems


def _sent(
    channel: grpc.Channel, target: Target, sources: Sequence[Source], common: IngestTextRequest
) -> Iterator[Stored | Problem]:
    stub = IngestionServiceStub(channel)
    with WorkBar("texts", hidden=target.as_json) as bar:
        for done, source in enumerate(sources, start=1):
            try:
                request = _request(source, common)
                if not request.text.strip():
                    yield Problem(source.shown, "the file is empty")
                    continue
                timeout_s = target.timeout_s + source.size_bytes / _SLOWEST_BYTES_PER_S
                yield Stored(source, stub.IngestText(request, timeout=timeout_s))
            except (OSError, UnicodeDecodeError) as unreadable:
                yield Problem(source.shown, _why(unreadable))
            except grpc.RpcError as failed:
                error = error_of(failed, target.server)
                if not isinstance(error, _OF_ONE_TEXT):
                    raise
                yield Problem(source.shown, told(error))
            bar.move("texts", done, len(sources))


def _request(source: Source, common: IngestTextRequest) -> IngestTextRequest:
    with source.open() as file:
        request = IngestTextRequest(text=file.read().decode("utf-8-sig"))
    if source.changed is not None:  # standard input has no name that tells anything
        request.label = source.label
    request.MergeFrom(common)
    if not common.HasField("event_time"):
        _date(request, source.changed)
    return request


def _date(request: IngestTextRequest, changed: datetime | None) -> None:
    if changed is None:
        request.use_server_time = True
    else:
        request.event_time.CopyFrom(timestamp(changed))


def _why(error: OSError | UnicodeDecodeError) -> str:
    if isinstance(error, OSError):
        return (error.strerror or str(error)).lower()
    return (
        f"is not UTF-8 text: byte {error.start} cannot be read; write it anew in UTF-8, such as "
        "with iconv"
    )


def _report(
    stored: Sequence[Stored], problems: Sequence[Problem], target: Target, agent_id: str
) -> None:
    for problem in problems:
        print_problem(problem.path, problem.reason, as_json=target.as_json)
    if target.as_json:
        for each in stored:
            print_json(_line(each), indent=None)
        return
    if stored:
        rows = [(each.source, (each.answer.appended, each.answer.unchanged)) for each in stored]
        print_files(rows, ("new", "unchanged"))
        if len(stored) == 1:
            note(f"session {stored[0].answer.session_id}")
        note_unarchived([(each.source, each.answer.not_archived) for each in stored])
        note(
            f"revision {stored[-1].answer.revision} (search --at-least-revision waits for it); "
            "new and unchanged count its events"
        )
        answers = [each.answer for each in stored]
        for seen in sorted({who_sees(a.visibility, [a.user_id], agent_id) for a in answers}):
            note(f"{seen}; --visibility says otherwise, `anamnesis policy` for all to come")


def _line(each: Stored) -> Json:
    return {"path": each.source.shown, **as_dict(each.answer)}
