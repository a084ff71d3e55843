"""The memories learned since a moment, by session: asked of the ledger, whoever learned them.

The server learns by itself too, and takes over work while a command waits; so what a command saw
done is only a part, and the whole is what the activity of the namespace tells.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import grpc

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.ingestion.v1.ingestion_service_pb2 import RunPipelineResponse
from anamnesis.memory.v1.memory_service_pb2 import ListActivityRequest
from anamnesis.memory.v1.memory_service_pb2_grpc import MemoryServiceStub
from anamnesis.memory.v1.segment_pb2 import Activity
from anamnesis_cli.call import error_of
from anamnesis_cli.output import console, new_table
from anamnesis_cli.target import Target
from anamnesis_libs.errors import NotFound, Unimplemented

COUNTS = ("segments", "facts", "lessons", "procedures", "refused")
_PAGE_SIZE = 500

BySession = Mapping[str, Counter[str]]


def newest(channel: grpc.Channel, target: Target) -> Activity | None:
    """The last thing that was learned; None where nothing was, or the server cannot tell."""
    try:
        return next(_activities(channel, target, "", page_size=1), None)
    except grpc.RpcError as failed:
        if isinstance(error_of(failed, target.server), NotFound | Unimplemented):
            return None
        raise


def activities_since(
    channel: grpc.Channel, target: Target, session: str, mark: Activity | None
) -> Sequence[Activity] | None:
    """The tasks that were learned from after `mark`, newest first; None if nobody can tell."""
    since: list[Activity] = []
    try:
        for done in _activities(channel, target, session, _PAGE_SIZE):
            if mark is not None and _is_no_later(done, mark):
                break
            since.append(done)
    except grpc.RpcError as failed:
        if isinstance(error_of(failed, target.server), Unimplemented):
            return None
        raise
    return since


def by_session(activities: Iterable[Activity]) -> BySession:
    """The counts of each session."""
    counts: dict[str, Counter[str]] = {}
    for done in activities:
        counts.setdefault(done.session_id, Counter()).update(_counts(done))
    return counts


def memory_ids(activities: Iterable[Activity]) -> Sequence[str]:
    """The ids of the learned memories, newest first; one that several tasks tell stands once."""
    return list(dict.fromkeys(each for done in activities for each in done.memory_ids))


def learned_here(steps: Iterable[RunPipelineResponse]) -> BySession:
    """The learned items by session, from the steps that the command saw."""
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


def print_sums(learned: BySession) -> None:
    """Print one row: the learned items, and the number of their sessions."""
    table = new_table("sessions", *COUNTS)
    for column in table.columns:
        column.justify = "right"
    counts = total(learned)
    table.add_row(f"{len(learned):,}", *(f"{counts[name]:,}" for name in COUNTS))
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
