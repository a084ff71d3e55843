"""JSON that is no message of its rpc is told by its field, with what may stand there."""

import json

import pytest

from anamnesis.ingestion.v1.ingestion_service_pb2 import AppendEventsRequest
from anamnesis.retrieval.v1.retrieval_service_pb2 import SearchRequest
from anamnesis_libs.http.unread import unread


@pytest.mark.parametrize(
    ("sent", "field", "description"),
    [
        ({"events": [{}, {"role": "user"}]}, "events[1].role", "'user' is none of ROLE_USER"),
        ({"events": [{"text": "Hi"}]}, "events[0].text", "Event has no such field; its own are"),
        ({"messages": []}, "messages", "AppendEventsRequest has no such field"),
        ({"visibility": "private"}, "visibility", "'private' is none of VISIBILITY_SHARED"),
    ],
)
def test_the_field_is_named_and_what_it_may_be(
    sent: dict[str, object], field: str, description: str
) -> None:
    found = unread(json.dumps(sent).encode(), AppendEventsRequest.DESCRIPTOR.full_name)
    assert found is not None
    assert found.field == field
    assert description in found.description
    assert "UNSPECIFIED" not in found.description


def test_a_field_of_a_message_within_is_looked_for_there() -> None:
    found = unread(b'{"userId": "mara"}', SearchRequest.DESCRIPTOR.full_name)
    assert found is not None
    assert "no such field (that is in filter and caller); its own are name" in found.description


@pytest.mark.parametrize(
    "sent",
    [
        b"{bad",
        b"[]",
        b'{"limit": "many"}',
        b'{"now": {"a": 1}}',
        b'{"namespace": "n", "caller": {"user_id": "mara"}, "mode": "SEARCH_MODE_AUTO"}',
    ],
)
def test_other_faults_are_left_to_the_parser(sent: bytes) -> None:
    assert unread(sent, SearchRequest.DESCRIPTOR.full_name) is None
