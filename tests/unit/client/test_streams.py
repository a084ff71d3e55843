"""Streams: a watch goes on behind what it told; learning is not begun again."""

import pytest

from anamnesis.ingestion.v1.ingestion_service_pb2 import RunPipelineResponse
from anamnesis.memory.v1.memory_pb2 import MemoryKind
from anamnesis.memory.v1.memory_service_pb2 import (
    ChangeType,
    WatchMemoriesRequest,
    WatchMemoriesResponse,
)
from anamnesis.memory.v1.work_pb2 import WorkKind
from anamnesis_client.errors import NotFound, OutOfRange, Unavailable
from anamnesis_client.steps import Patience
from anamnesis_client.streams import Learning, Watch
from tests.unit.client.flows import SCOPE

PATIENCE = Patience(30.0, 2, jitter=lambda: 0.5)
GONE = Unavailable("gone")


def watched(revision: str) -> WatchMemoriesResponse:
    return WatchMemoriesResponse(
        revision=revision,
        memory_id="m-1",
        change_type=ChangeType.CHANGE_TYPE_UPSERTED,
        kind=MemoryKind.MEMORY_KIND_SEMANTIC,
    )


def test_a_watch_goes_on_behind_the_last_change() -> None:
    watch = Watch(SCOPE, PATIENCE, after="a-1", kinds=("semantic",))
    first = watch.call().request
    assert isinstance(first, WatchMemoriesRequest)
    assert (first.after_revision, [*first.kinds]) == ("a-1", [MemoryKind.MEMORY_KIND_SEMANTIC])
    change = watch.take(watched("a-2"))
    assert change is not None
    assert (change.memory_id, change.kind, change.deleted) == ("m-1", "semantic", False)
    assert watch.take(WatchMemoriesResponse(revision="a-3", bookmark=True)) is None
    assert watch.pause_s(GONE) == 0.1
    again = watch.call().request
    assert isinstance(again, WatchMemoriesRequest)
    assert again.after_revision == "a-3"


def test_a_watch_gives_up_after_so_many_failures_in_a_row() -> None:
    watch = Watch(SCOPE, PATIENCE)
    assert [watch.pause_s(GONE), watch.pause_s(GONE)] == [0.1, 0.2]
    watch.take(watched("a-2"))
    assert [watch.pause_s(GONE), watch.pause_s(GONE)] == [0.1, 0.2]
    with pytest.raises(Unavailable):
        watch.pause_s(GONE)


def test_a_watch_waits_for_the_first_write_of_a_namespace() -> None:
    watch = Watch(SCOPE, PATIENCE)
    absent = NotFound("there is no namespace 'app'", reason="NAMESPACE_NOT_FOUND")
    assert [watch.pause_s(absent) for _ in range(5)] == [1.0] * 5


def test_a_cursor_that_is_too_old_is_told() -> None:
    with pytest.raises(OutOfRange):
        Watch(SCOPE, PATIENCE).pause_s(OutOfRange("list anew", reason="CURSOR_EXPIRED"))


def test_learning_tells_its_work_and_is_not_begun_again() -> None:
    learning = Learning(SCOPE, "s-1")
    learned = learning.take(
        RunPipelineResponse(stage=WorkKind.WORK_KIND_EXTRACT, session_id="s-1", facts=2)
    )
    assert (learned.stage, learned.session, learned.facts) == ("extract", "s-1", 2)
    with pytest.raises(Unavailable):
        learning.pause_s(GONE)
