"""The ways of a query for the wire."""

from anamnesis.memory.v1 import filter_pb2
from anamnesis.retrieval.v1 import retrieval_pb2
from anamnesis_retrieval.convert.times import optional_timestamp
from anamnesis_retrieval.routing import Route


def from_route(route: Route) -> retrieval_pb2.Route:
    """A way, and why it is taken."""
    return retrieval_pb2.Route(
        name=route.name,
        reason=route.reason,
        words=route.words,
        times=[
            filter_pb2.TimeRange(
                start_time=optional_timestamp(one.since), end_time=optional_timestamp(one.until)
            )
            for one in route.times
        ],
    )
