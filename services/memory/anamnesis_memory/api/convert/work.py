"""Work, leases and claims between the wire and the model."""

from collections.abc import Iterable, Mapping

from anamnesis.memory.v1 import ledger_service_pb2, work_pb2
from anamnesis_libs.errors import invalid_field
from anamnesis_memory.api.convert.enums import WORK_KIND, WORK_STATE
from anamnesis_memory.api.convert.values import to_timestamp
from anamnesis_memory.model.memory import Namespace, Work
from anamnesis_memory.model.sleep_runs import HANDED_OUT
from anamnesis_memory.model.work import Lease, WorkItem, WorkState
from anamnesis_memory.ports.pipeline import WorkFilter
from anamnesis_memory.runtime.claiming import ClaimedWork, ClaimRequest

LEASE_S_DEFAULT = 60
LEASES_DEFAULT = 1
_SECOND_US = 1_000_000
_OWN = (Work.RETAIN, Work.REINFORCE, Work.TIER, Work.FORGET, Work.SHARE)
"""Work that the memory service does itself, and nobody else may claim."""
_OF_NAMESPACE = (Work.CLUSTER, *HANDED_OUT)
"""Work of other services on the whole namespace."""


def lease_us(seconds: int) -> int:
    """Microseconds for which a lease holds."""
    return (seconds or LEASE_S_DEFAULT) * _SECOND_US


def to_lease(lease: work_pb2.Lease, field: str = "lease", kind: Work | None = None) -> Lease:
    """A lease, of one kind where that is given.

    Raises:
        InvalidArgument: the lease is of another kind, lacks its session, or has one too many.
    """
    given = WORK_KIND.from_pb(lease.kind)
    if kind is not None and given is not kind:
        raise invalid_field(
            f"{field}.kind", f"must be {kind.name}, the work that this call belongs to"
        )
    if given in _OWN and given is not Work.RETAIN:
        raise invalid_field(f"{field}.kind", f"{given.name} is done by the memory service itself")
    if (given in _OF_NAMESPACE) is bool(lease.session_id):
        one = "must be empty" if lease.session_id else "must not be empty"
        raise invalid_field(f"{field}.session_id", f"{one} for {given.name}")
    return Lease(given, lease.session_id, lease.token)


def to_asked(request: ledger_service_pb2.ClaimWorkRequest) -> ClaimRequest:
    """The claim that a request asks for.

    Raises:
        InvalidArgument: the request sets a field that needs a namespace, and names none; or it
            names work that the memory service does itself.
    """
    if own := [kind.name for kind in map(WORK_KIND.from_pb, request.kinds) if kind in _OWN]:
        raise invalid_field("kinds", f"{own[0]} is done by the memory service itself")
    if run := [kind.name for kind in map(WORK_KIND.from_pb, request.kinds) if kind in HANDED_OUT]:
        raise invalid_field("kinds", f"{run[0]} is claimed by StartRun of the AdminService")
    if not request.namespace and request.even_if_early:
        raise invalid_field("even_if_early", "may be set only with `namespace`")
    if not request.namespace and request.session_id:
        raise invalid_field("session_id", "may be set only with `namespace`")
    return ClaimRequest(
        kinds=tuple(dict.fromkeys(map(WORK_KIND.from_pb, request.kinds))),
        holder=request.holder,
        limit=request.limit or LEASES_DEFAULT,
        lease_us=lease_us(request.lease_seconds),
        session_id=request.session_id,
        even_if_early=request.even_if_early,
    )


def to_work_filter(
    request: ledger_service_pb2.ListWorkRequest,
) -> WorkFilter:
    """The filter for listing work."""
    return WorkFilter(
        kinds=tuple(map(WORK_KIND.from_pb, request.kinds)),
        states=tuple(map(WORK_STATE.from_pb, request.states)),
        session_id=request.session_id,
    )


def from_item(item: WorkItem, namespace: Namespace, session_etag: str = "") -> work_pb2.WorkItem:
    """A piece of work for the wire; times that mean nothing in its state are left out."""
    waits = item.state in (WorkState.PENDING, WorkState.FAILED)
    claimed = item.state is WorkState.CLAIMED
    return work_pb2.WorkItem(
        namespace=namespace.name,
        kind=WORK_KIND.to_pb(item.kind),
        session_id=item.session_id,
        state=WORK_STATE.to_pb(item.state),
        token=item.token,
        holder=item.holder,
        expire_time=to_timestamp(item.expires_us) if claimed else None,
        due_time=to_timestamp(item.due_us) if waits else None,
        attempts=item.attempts,
        reason=item.reason,
        session_etag=session_etag,
        update_time=to_timestamp(item.update_time_us),
    )


def from_lease(lease: Lease) -> work_pb2.Lease:
    """A lease for the wire."""
    return work_pb2.Lease(
        kind=WORK_KIND.to_pb(lease.kind), session_id=lease.session_id, token=lease.token
    )


def from_found(found: ClaimedWork) -> ledger_service_pb2.ClaimWorkResponse:
    """The work that was claimed."""
    return ledger_service_pb2.ClaimWorkResponse(
        items=[from_item(item, namespace, etag) for namespace, item, etag in found.items],
        next_due_time=to_timestamp(found.next_us),
    )


def from_counts(counts: Mapping[tuple[Work, WorkState], int]) -> Iterable[work_pb2.WorkCount]:
    """Counts by kind and state, in the order of the contract."""
    made = [
        work_pb2.WorkCount(kind=WORK_KIND.to_pb(kind), state=WORK_STATE.to_pb(state), count=count)
        for (kind, state), count in counts.items()
    ]
    return sorted(made, key=lambda one: (one.kind, one.state))
