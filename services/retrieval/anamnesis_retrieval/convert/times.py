"""The time of the facts that a question asks for.

A question asks how things are, unless it names a time, asks for all, or asks for the past in words:
what had ended takes no part in its answer. What is to come does, for people ask for that too.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.retrieval.v1 import retrieval_service_pb2 as pb
from anamnesis_libs.clock import Clock
from anamnesis_libs.errors import invalid_field
from anamnesis_libs.zones import checked_zone, in_zone, moment_beside_facts
from anamnesis_retrieval.ranking.newest import is_about_past

Asked = pb.SearchRequest | pb.BuildContextRequest | pb.RouteQueryRequest
"""A request that may say when it is asked."""


@dataclass(frozen=True, slots=True)
class Times:
    """Facts that held at `as_of`, or that had not ended by `open_at`; all where neither is set."""

    as_of: Timestamp | None = None
    open_at: Timestamp | None = None


def times_of(request: pb.SearchRequest | pb.BuildContextRequest, clock: Clock) -> Times:
    """The times that a request asks for.

    Raises:
        InvalidArgument: the request asks for one time and for all.
    """
    if request.HasField("as_of"):
        if request.any_time:
            raise invalid_field("any_time", "does not go with as_of")
        return Times(as_of=request.as_of)
    if request.any_time or is_about_past(request.query):
        return Times()
    zone = zone_stated(request)
    now = asked_at(request, clock)
    return Times(open_at=optional_timestamp(moment_beside_facts(in_zone(now, zone or UTC))))


def zone_stated(request: Asked) -> tzinfo | None:
    """Where a request says that who asks is; None where it does not.

    Raises:
        InvalidArgument: there is no such zone.
    """
    return checked_zone(request.time_zone, "time_zone") if request.time_zone else None


def asked_at(request: Asked, clock: Clock) -> datetime:
    """When a question is asked: now, unless the request says otherwise."""
    return request.now.ToDatetime(UTC) if request.HasField("now") else clock.now()


def optional_timestamp(moment: datetime | None) -> Timestamp | None:
    """A moment for the wire, where there is one."""
    if moment is None:
        return None
    stamp = Timestamp()
    stamp.FromDatetime(moment.astimezone(UTC))
    return stamp
