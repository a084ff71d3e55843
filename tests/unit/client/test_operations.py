"""Forgetting: a dry run unless it is said otherwise; other scopes of one client."""

import pytest

from anamnesis.memory.v1.memory_pb2 import Memory
from anamnesis.memory.v1.memory_service_pb2 import (
    BatchGetMemoriesRequest,
    BatchGetMemoriesResponse,
    DeleteMemoryRequest,
    DeleteMemoryResponse,
    ReadPurpose,
)
from anamnesis.retrieval.v1.retrieval_pb2 import SearchResult
from anamnesis.retrieval.v1.retrieval_service_pb2 import SearchResponse
from anamnesis_client.errors import InvalidArgument, NotFound
from anamnesis_client.revisions import Revisions
from tests.unit.client.flows import driven, operations

TWO = BatchGetMemoriesResponse(memories=[Memory(memory_id="m-1"), Memory(memory_id="m-2")])


def test_a_dry_run_tells_and_deletes_nothing() -> None:
    forgotten, (call,), _ = driven(operations().forget(["m-1", "m-2", "m-9"]), [TWO])
    assert isinstance(call.request, BatchGetMemoriesRequest)
    assert call.request.purpose == ReadPurpose.READ_PURPOSE_INTERNAL
    assert (forgotten.dry_run, forgotten.ids, forgotten.missing) == (
        True,
        ("m-1", "m-2"),
        ("m-9",),
    )


def test_what_is_named_is_deleted_and_what_went_with_it_is_no_error() -> None:
    revisions = Revisions()
    flow = operations(revisions=revisions).forget(["m-1", "m-2"], dry_run=False)
    went_with_it = NotFound("there is no memory 'm-2'", reason="MEMORY_NOT_FOUND")
    forgotten, calls, _ = driven(flow, [TWO, DeleteMemoryResponse(revision="a-4"), went_with_it])
    deletions = [call.request for call in calls if isinstance(call.request, DeleteMemoryRequest)]
    assert [each.memory_id for each in deletions] == ["m-1", "m-2"]
    assert all(each.request_id and each.caller.user_id == "mara" for each in deletions)
    assert (forgotten.dry_run, forgotten.revision) == (False, "a-4")
    assert revisions.of("app") == "a-4"


def test_a_query_tells_what_it_finds() -> None:
    found = SearchResponse(results=[SearchResult(memory=Memory(memory_id="m-1"), routes=["text"])])
    whole = BatchGetMemoriesResponse(memories=[Memory(memory_id="m-1", content="The key")])
    forgotten, _, _ = driven(operations().forget(query="key", limit=1), [found, whole])
    assert [memory.text for memory in forgotten.memories] == ["The key"]


@pytest.mark.parametrize(
    ("routes", "goes"),
    [
        ((["dense", "window"], ["text", "window"]), ("m-2",)),
        ((["dense"], ["window"]), ("m-1",)),
        ((["window"], ["window"]), ()),
    ],
    ids=["words", "meaning", "neither"],
)
def test_a_query_deletes_only_what_speaks_of_it(
    routes: tuple[list[str], ...], goes: tuple[str, ...]
) -> None:
    results = [
        SearchResult(memory=Memory(memory_id=f"m-{place}"), routes=by)
        for place, by in enumerate(routes, start=1)
    ]
    whole = BatchGetMemoriesResponse(memories=[one.memory for one in results])
    forgotten, _, _ = driven(
        operations().forget(query="key"), [SearchResponse(results=results), whole]
    )
    assert forgotten.ids == goes


@pytest.mark.parametrize("arguments", [{}, {"ids": "m-1", "query": "key"}], ids=["none", "both"])
def test_either_ids_or_a_query_are_named(arguments: dict[str, str]) -> None:
    with pytest.raises(InvalidArgument, match="ids or a query"):
        driven(operations().forget(**arguments), [])  # type: ignore[arg-type]


def test_another_scope_keeps_what_is_not_named_and_shares_the_revisions() -> None:
    mine = operations()
    other = mine.on_behalf(user="lin", session=None)
    assert (other.scope.user, other.scope.session) == ("lin", "s-1")
    mine.revisions.wrote("app", "a-5")
    assert other.seen == "a-5"
