"""The report of `ingest`: progress by bytes while it runs, then a row a file, then failures.

With `--json` it is one line a file, as it is finished, and a last line with the sum.
"""

from collections.abc import Iterable, Sequence

from rich.progress import DownloadColumn, TransferSpeedColumn

from anamnesis.ingestion.v1.ingestion_service_pb2 import IngestFileResponse
from anamnesis_cli.failures import told
from anamnesis_cli.file_rows import ROWS_MAX, print_files
from anamnesis_cli.output import Json, as_dict, error_console, note, one_line, print_json
from anamnesis_cli.scope import who_sees
from anamnesis_cli.sources import Source
from anamnesis_cli.upload import Delivery, FileOutcome
from anamnesis_cli.work_bar import Bar
from anamnesis_libs.errors import AnamnesisError, DeadlineExceeded
from anamnesis_libs.errors.exhausted import Later

_SKIPPED_SHOWN_MAX = 10
_FAILED_SHOWN_MAX = 20
_FORMATS = (
    "read are messages as JSON, a line each or in one document, in the shapes of OpenAI, "
    "Anthropic, ShareGPT and LangChain; session files of Claude Code, Codex, Cursor, pi and "
    "OpenClaw; exports of ChatGPT, Claude.ai, Slack and WhatsApp; plain text, such as notes, is "
    "taken with --text"
)
_NO_FORMAT = ("FILE_NOT_TEXT", "DOCUMENT_UNREADABLE")
_COUNTS = ("events", "appended", "replaced", "unchanged", "skipped", "ignored")


class SendProgress(Bar):
    """A bar on a terminal; with `as_json` a line of JSON for each finished file instead."""

    def __init__(self, sources: Sequence[Source], as_json: bool) -> None:
        self._as_json = as_json
        self._files, self._finished = len(sources), 0
        total = sum(source.size_bytes for source in sources)
        columns = DownloadColumn(), TransferSpeedColumn()
        super().__init__(self._description(), *columns, total=total, hidden=as_json)

    def sent(self, count_bytes: int) -> None:
        """Moves the bar."""
        self._progress.advance(self._task, count_bytes)

    def done(self, outcome: FileOutcome) -> None:
        """Counts the file, or prints its line."""
        self._finished += 1
        self._progress.update(self._task, description=self._description())
        if self._as_json:
            print_json(_line(outcome), indent=None)

    def _description(self) -> str:
        return f"{self._finished} of {self._files} files"


def print_report(delivery: Delivery, as_json: bool) -> None:
    """Prints the sum of it: with `as_json` the last line, else the table and what failed."""
    responses = [outcome.response for outcome in delivery.outcomes if outcome.response]
    if as_json:
        print_json({**_sum(responses), "revision": delivery.revision}, indent=None)
        return
    taken = [(outcome.source, outcome.taken) for outcome in delivery.outcomes if outcome.taken]
    print_files([(source, _counts(response)) for source, response in taken], _COUNTS)
    if len(taken) == 1:
        note(f"session {_sessions(taken[0][1])}")
    _tell_failed([outcome for outcome in delivery.outcomes if outcome.failed])
    retelling = sum(outcome.retells for outcome in delivery.outcomes)
    if retelling:
        note(f"{retelling} files with summaries alone, which retell what was said, were left out")
    _tell_skipped(taken)
    _tell_undated([response for _, response in taken])
    note_unarchived([(source, response.not_archived) for source, response in taken])
    if delivery.left:
        passes = isinstance(delivery.stopped_by, Later | DeadlineExceeded)
        again = "; the same command again adds what is missing" if passes else ""
        files = "1 file was" if delivery.left == 1 else f"{delivery.left:,} files were"
        note(f"{files} not taken in{again}")
    for seen in sorted({_seen(response) for _, response in taken}):
        note(f"{seen}; --visibility says otherwise, `anamnesis policy` for all to come")
    if delivery.revision:
        note(f"revision {delivery.revision} (search --at-least-revision waits for it)")


def note_unarchived(files: Iterable[tuple[Source, str]]) -> None:
    """Tells which files are not archived, by the reason."""
    by_reason: dict[str, list[str]] = {}
    for source, reason in files:
        if reason:
            by_reason.setdefault(reason, []).append(source.shown)
    for reason, paths in by_reason.items():
        which = f"{paths[0]} is" if len(paths) == 1 else f"{len(paths)} files are"
        note(f"{which} not archived: {reason}; what was said in it is stored all the same")


def print_problem(path: str, reason: str, as_json: bool) -> None:
    """Tells of a path that was not taken in."""
    if as_json:
        print_json({"path": path, "error": reason}, indent=None)
        return
    line = f"[bold red]not taken in:[/] {one_line(path)}: {one_line(reason)}"
    error_console().print(line, soft_wrap=True)


def _line(outcome: FileOutcome) -> Json:
    """One finished file as JSON."""
    error = {} if not outcome.failed else {"error": _reason(outcome)}
    counted = {} if outcome.response is None else as_dict(outcome.response)
    return {"path": outcome.source.shown, **counted, **error}


def _sum(responses: Sequence[IngestFileResponse]) -> Json:
    return {"files": len(responses), **dict(zip(_COUNTS, _totals(responses), strict=True))}


def _totals(responses: Sequence[IngestFileResponse]) -> list[int]:
    nothing = (0,) * len(_COUNTS)
    return [sum(column) for column in zip(nothing, *map(_counts, responses), strict=True)]


def _counts(response: IngestFileResponse) -> tuple[int, ...]:
    """The counts in the order of `_COUNTS`."""
    return (
        response.events,
        response.appended,
        response.replaced,
        response.unchanged,
        response.skipped,
        response.ignored,
    )


def _sessions(response: IngestFileResponse) -> str:
    beside = len(response.side_sessions)
    return response.session.session_id + (f" (+{beside})" if beside else "")


def _seen(response: IngestFileResponse) -> str:
    session = response.session
    return who_sees(session.visibility, session.participants or [session.user_id], session.agent_id)


def _tell_failed(outcomes: Sequence[FileOutcome]) -> None:
    """Report each file that gave nothing, and the formats that can be read."""
    for outcome in outcomes[:_FAILED_SHOWN_MAX]:
        print_problem(outcome.source.shown, _reason(outcome), as_json=False)
    if len(outcomes) > _FAILED_SHOWN_MAX:
        note(f"{len(outcomes) - _FAILED_SHOWN_MAX:,} more were not taken in; --json names them")
    if any(_is_of_no_format(outcome) for outcome in outcomes):
        note(_FORMATS)


def _is_of_no_format(outcome: FileOutcome) -> bool:
    error = outcome.error
    return error is None or (isinstance(error, AnamnesisError) and error.reason in _NO_FORMAT)


def _tell_skipped(taken: Sequence[tuple[Source, IngestFileResponse]]) -> None:
    """Lines that could not be read; of many files the number of lines alone."""
    lossy = [(source.shown, response) for source, response in taken if response.skipped]
    for path, response in lossy[:ROWS_MAX]:
        shown = response.skipped_lines[: _SKIPPED_SHOWN_MAX if len(taken) <= ROWS_MAX else 0]
        for skipped in shown:
            note(f"{path}:{skipped.line}: skipped: {skipped.reason}")
        if response.skipped > len(shown):
            more = " more" if shown else ""
            note(f"{path}: {response.skipped - len(shown)}{more} lines skipped; --json has them")
    if len(lossy) > ROWS_MAX:
        note(f"lines were skipped of {len(lossy) - ROWS_MAX:,} more files; --json has them")


def _tell_undated(taken: Sequence[IngestFileResponse]) -> None:
    """Events without a time, which no date finds, and what gives them one."""
    undated = sum(response.undated for response in taken)
    if undated:
        have = "1 event has" if undated == 1 else f"{undated:,} events have"
        note(
            f"{have} no time, and no date finds them: their lines state none that can be read (ISO "
            "8601, or seconds since 1970); to give them one, erase the session and take the file "
            "in again with --time TIME"
        )


def _reason(outcome: FileOutcome) -> str:
    """The reason why a file gave no event."""
    if outcome.response is not None:
        return _emptiness(outcome.response)
    if isinstance(outcome.error, AnamnesisError):
        return told(outcome.error)
    return str(outcome.error.strerror if outcome.error else "").lower()


def _emptiness(response: IngestFileResponse) -> str:
    if not response.lines:
        return "the file is empty"
    reasons = dict.fromkeys(skipped.reason for skipped in response.skipped_lines)
    why = f" ({', '.join(reasons)})" if reasons else ""
    where = f"its {response.lines:,} lines" if response.lines > 1 else "its only line"
    return f"no message was found in {where}{why}"
