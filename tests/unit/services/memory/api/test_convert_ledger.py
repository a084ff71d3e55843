"""What an append request is refused for before anything is stored."""

import pytest

from anamnesis.memory.v1 import event_pb2, ledger_service_pb2
from anamnesis_libs.errors import InvalidArgument
from anamnesis_memory.api.convert.ledger import to_append
from anamnesis_memory.memories.policy import Policy
from tests.support.records import BASE_US, DIMENSION


def request(*indices: int | None) -> ledger_service_pb2.AppendEventsRequest:
    """A request with events at some indices, or without."""
    events = [
        event_pb2.Event(role=event_pb2.ROLE_USER, content="text", index=index) for index in indices
    ]
    return ledger_service_pb2.AppendEventsRequest(
        namespace="n", session_id="s", events=events, allow_unknown_time=True
    )


@pytest.mark.parametrize("indices", [(0, 1), (None, None), (5,), ()])
def test_events_have_indices_all_or_none(indices: tuple[int | None, ...]) -> None:
    write = to_append(request(*indices), DIMENSION, BASE_US, Policy())
    assert tuple(event.index for event in write.events) == indices


@pytest.mark.parametrize("indices", [(0, None), (None, 0), (3, 3)])
def test_events_that_could_meet_at_one_index_are_refused(indices: tuple[int | None, ...]) -> None:
    with pytest.raises(InvalidArgument, match=r"events\[\d\]\.index"):
        to_append(request(*indices), DIMENSION, BASE_US, Policy())
