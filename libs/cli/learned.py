"""What was learned since a moment, by session: asked of the ledger, whoever learned it.

The server learns by itself too, and takes over work while a command waits; so what a command saw
done is only a part, and the whole is what the activity of the namespace tells.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

import grpc

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.ingestion.v1.ingestion_service_pb2 import RunPipelineResponse
from anamnesis.memory.v1.memory_service_pb2 import ListActivityRequest
from anamnesis.memory.v1.memory_service_pb2_grpc import MemoryServiceStub
from anamnesis.memory.v1.segment_pb2 import Activity
from libs.cli.call import error_of
from libs.cli.output import console, new_table, one_line
from libs.cli.target import Target
from libs.errors import NotFound, Unimplemented

COUNTS = ("segments", "facts", "lessons", "procedures", "refused")
_PAGE_SIZE = 500
_ROWS_MAX = 40

BySession = Mapping[str, Counter[str]]


def newest(channel: grpc.Channel, target: Target) -> Activity | None:
    """The last thing that was learned; None where nothing was, or the server cannot tell."""
    try:
        return next(_activities(channel, target, "", page_size=1), None)
    except grpc.RpcError as failed:
        if isinstance(error_of(failed, target.server), NotFound | Unimplemented):
            return None
        raise


def learned_since(
    channel: grpc.Channel, target: Target, session: str, mark: Activity | None
) -> BySession | None:
    """The counts of each session, of what was learned after `mark`; None if nobody can tell."""
    counts: dict[str, Counter[str]] = {}
    try:
        for done in _activities(channel, target, session, _PAGE_SIZE):
            if mark is not None and _is_no_later(done, mark):
                break
            counts.setdefault(done.session_id, Counter()).update(_counts(done))
    except grpc.RpcError as failed:
        if isinstance(error_of(failed, target.server), Unimplemented):
            return None
        raise
    return counts


def learned_here(steps: Iterable[RunPipelineResponse]) -> BySession:
    """The same, of what was seen done."""
    counts: dict[str, Counter[str]] = {}
    for step in steps:
        seen = {name: getattr(step, name) for name in COUNTS}
        counts.setdefault(step.session_id, Counter()).update(seen)
    return counts


def total(learned: BySession) -> Counter[str]:
    """The sum over all sessions."""
    counts: Counter[str] = Counter()
    for each in learned.values():
        counts.update(each)
    return counts


def print_table(learned: BySession) -> None:
    """A row a session, if they are not too many, and their sum."""
    table = new_table("session", *COUNTS)
    for column in table.columns[1:]:
        column.justify = "right"
    if len(learned) <= _ROWS_MAX:
        for session, counts in learned.items():
            table.add_row(one_line(session), *_cells(counts))
    if len(learned) > 1:
        table.add_section()
        table.add_row(f"{len(learned):,} sessions", *_cells(total(learned)), style="bold")
    console().print(table)


def _activities(
    channel: grpc.Channel, target: Target, session: str, page_size: int
) -> Iterator[Activity]:
    request = ListActivityRequest(
        namespace=target.working_namespace,
        caller=Caller(user_id=target.user_id),
        session_id=session,
        page_size=page_size,
    )
    rpc = MemoryServiceStub(channel).ListActivity
    while True:
        page = rpc(request, timeout=target.timeout_s)
        yield from page.activities
        if not page.next_page_token:
            return
        request.page_token = page.next_page_token


def _is_no_later(done: Activity, mark: Activity) -> bool:
    same = (done.segment_id, done.revision) == (mark.segment_id, mark.revision)
    return same or done.time.ToNanoseconds() < mark.time.ToNanoseconds()


def _counts(done: Activity) -> dict[str, int]:
    refused = sum(refusal.count for refusal in done.refusals)
    learned = {"facts": done.facts, "lessons": done.lessons, "procedures": done.procedures}
    return {"segments": 1, "refused": refused, **learned}


def _cells(counts: Counter[str]) -> list[str]:
    return [f"{counts[name]:,}" for name in COUNTS]
