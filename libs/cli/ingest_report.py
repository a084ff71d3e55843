"""What `ingest` tells: progress by bytes while it runs, then a table with a row a file.

With `--json` it is one line a file, as it is finished, and a last line with the sum.
"""

from collections.abc import Iterable, Sequence
from operator import itemgetter

from rich.progress import DownloadColumn, TransferSpeedColumn
from rich.table import Table

from anamnesis.ingestion.v1.ingestion_service_pb2 import IngestFileResponse
from libs.cli.failures import told
from libs.cli.output import (
    Json,
    as_dict,
    console,
    error_console,
    new_table,
    note,
    one_line,
    print_json,
)
from libs.cli.scope import who_sees
from libs.cli.sources import Source
from libs.cli.upload import Delivery, Outcome
from libs.cli.work_bar import Bar
from libs.errors import AnamnesisError

_SKIPPED_SHOWN_MAX = 10
_NOT_TEXT = "FILE_NOT_TEXT"
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

    def done(self, outcome: Outcome) -> None:
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
    if responses:
        console().print(_table(delivery.outcomes))
    for outcome in delivery.outcomes:
        _tell_lines_and_error(outcome)
    if delivery.left:
        note(
            f"{delivery.left} files were not taken in; the same command again adds what is missing"
        )
    for seen in sorted({_seen(response) for response in responses}):
        note(f"{seen}; --visibility says otherwise, `anamnesis policy` for all to come")
    if delivery.revision:
        note(f"revision {delivery.revision} (search --at-least-revision waits for it)")


def print_problem(path: str, reason: str, as_json: bool) -> None:
    """Tells of a path that was not taken in."""
    if as_json:
        print_json({"path": path, "error": reason}, indent=None)
        return
    line = f"[bold red]skipped:[/] {one_line(path)}: {one_line(reason)}"
    error_console().print(line, soft_wrap=True)


def _line(outcome: Outcome) -> Json:
    """One finished file as JSON."""
    if outcome.response is None:
        return {"path": outcome.source.shown, "error": _reason(outcome)}
    return {"path": outcome.source.shown, **as_dict(outcome.response)}


def _sum(responses: Sequence[IngestFileResponse]) -> Json:
    return {"files": len(responses), **dict(zip(_COUNTS, _totals(responses), strict=True))}


def _totals(responses: Sequence[IngestFileResponse]) -> list[int]:
    nothing = (0,) * len(_COUNTS)
    return [sum(column) for column in zip(nothing, *map(_counts, responses), strict=True)]


def _table(outcomes: Sequence[Outcome]) -> Table:
    rows = [(o.source.shown, o.response) for o in outcomes if o.response]
    table = new_table("file", "session", *_COUNTS)
    table.columns[1].no_wrap = True
    for column in table.columns[2:]:
        column.justify = "right"
    for path, response in sorted(rows, key=itemgetter(0)):
        counts = _shown(_counts(response))
        table.add_row(one_line(path), one_line(_sessions(response)), *counts)
    if len(rows) > 1:
        table.add_section()
        totals = _shown(_totals([response for _, response in rows]))
        table.add_row(f"{len(rows)} files", "", *totals, style="bold")
    return table


def _shown(counts: Iterable[int]) -> list[str]:
    return [f"{count:,}" for count in counts]


def _counts(response: IngestFileResponse) -> tuple[int, ...]:
    """In the order of `_COUNTS`."""
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


def _tell_lines_and_error(outcome: Outcome) -> None:
    path = outcome.source.shown
    if outcome.response is None:
        print_problem(path, _reason(outcome), as_json=False)
        if isinstance(outcome.error, AnamnesisError) and outcome.error.reason == _NOT_TEXT:
            note("plain text, such as notes, is taken with --text")
        return
    shown = outcome.response.skipped_lines[:_SKIPPED_SHOWN_MAX]
    for skipped in shown:
        note(f"{path}:{skipped.line}: skipped: {skipped.reason}")
    if outcome.response.skipped > len(shown):
        note(f"{path}: {outcome.response.skipped - len(shown)} more lines skipped; --json has them")


def _reason(outcome: Outcome) -> str:
    if isinstance(outcome.error, AnamnesisError):
        return told(outcome.error)
    return str(outcome.error.strerror if outcome.error else "").lower()
