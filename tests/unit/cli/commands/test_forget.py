"""`anamnesis get` and `anamnesis forget` against a scripted server."""

import json

import pytest

from anamnesis.memory.v1.event_pb2 import ROLE_TOOL
from anamnesis.memory.v1.knowledge_pb2 import (
    EDGE_TYPE_CAUSED_BY,
    EDGE_TYPE_FOLLOWED_BY,
    GraphNode,
    MemoryEdge,
)
from anamnesis.memory.v1.knowledge_service_pb2 import TraverseResponse
from anamnesis.memory.v1.memory_pb2 import (
    COPY_ROLE_VERSION,
    MEMORY_KIND_EPISODIC,
    MEMORY_KIND_SEMANTIC,
    Episode,
    Memory,
    MemoryCopy,
)
from anamnesis.memory.v1.memory_service_pb2 import (
    READ_PURPOSE_INTERNAL,
    BatchGetMemoriesRequest,
    BatchGetMemoriesResponse,
    DeleteMemoryRequest,
    DeleteMemoryResponse,
    GetMemoryResponse,
)
from anamnesis.memory.v1.palace_pb2 import POINTER_STATE_FOUND, POINTER_STATE_GONE
from anamnesis.memory.v1.palace_service_pb2 import ResolvePointerResponse
from anamnesis_libs.errors.not_found import MemoryNotFound
from tests.support.scripted_suite import Script
from tests.unit.cli.answers import found, result
from tests.unit.cli.conftest import Run

_FACT = Memory(memory_id="m-2", kind=MEMORY_KIND_SEMANTIC, content="The code is\x1b[2J 4711.")
_DRAWER = Memory(
    memory_id="m-1",
    kind=MEMORY_KIND_EPISODIC,
    pointer="§ W-001/R-01/D-003",
    content="The old door has a code.",
    summary="A door.",
    tags=["door"],
    episode=Episode(name="Mara"),
)
_RESOLVED = ResolvePointerResponse(
    state=POINTER_STATE_FOUND, pointer="§ W-001/R-01/D-003", memory=_DRAWER
)


@pytest.fixture
def kept(script: Script) -> Script:
    """A server with a fact and a drawer."""
    script.answer("BatchGetMemories", BatchGetMemoriesResponse(memories=[_FACT]))
    script.answer("ResolvePointer", _RESOLVED)
    script.answer("DeleteMemory", DeleteMemoryResponse(revision="r"))
    return script


def _deleted(script: Script) -> list[str]:
    return [asked.memory_id for asked in script.asked(DeleteMemoryRequest)]


def test_what_a_model_said_of_a_memory_is_shown(run: Run, script: Script) -> None:
    refined = Memory(memory_id="m-3", content="The ferry leaves at noon.", importance=0.8)
    told = refined.provenance.refinement
    told.model, told.importance_before, told.reason = "small", 0.45, "a\x1b[2J time"
    told.summary = told.overview = True
    told.time.FromSeconds(1_790_000_000)
    script.answer("BatchGetMemories", BatchGetMemoriesResponse(memories=[refined]))
    answer = run("get", "m-3")
    assert answer.exit_code == 0, answer.output
    line = next(line for line in answer.stdout.splitlines() if "refined" in line)
    assert "by small: importance was 0.45 (a" in line
    assert line.rstrip().endswith("wrote the summary and the overview")
    assert "\x1b[2J" not in answer.stdout


def test_memories_are_shown_in_full_and_not_used(run: Run, kept: Script) -> None:
    answer = run("get", "m-2", "W-1/R-1/D-3")
    assert answer.exit_code == 0, answer.output
    assert answer.stdout.index("semantic m-2") < answer.stdout.index("episodic § W-001/R-01/D-003")
    assert "\x1b" not in answer.stdout
    for told in ("The old door has a code.", "Mara", "door"):
        assert told in answer.stdout
    (asked,) = kept.asked(BatchGetMemoriesRequest)
    assert (list(asked.memory_ids), asked.purpose) == (["m-2"], READ_PURPOSE_INTERNAL)


def test_a_memory_is_shown_with_what_it_was(run: Run, kept: Script) -> None:
    before = MemoryCopy(role=COPY_ROLE_VERSION, memory=Memory(content="The code is 4700."))
    kept.answer("GetMemory", GetMemoryResponse(memory=_FACT, copies=[before]))
    assert "4700" in run("get", "m-2", "--history").stdout
    told = json.loads(run("get", "m-2", "--history", "--json").stdout)
    assert told["memories"][0]["copies"][0]["memory"]["content"] == "The code is 4700."


def test_what_led_to_a_memory_is_told_in_words(run: Run, kept: Script) -> None:
    answered = Memory(summary="Exit code 2", episode=Episode(role=ROLE_TOOL, name="Bash: make"))
    cause = MemoryEdge(source_id="m-2", target_id="m-3", type=EDGE_TYPE_CAUSED_BY)
    before = MemoryEdge(source_id="m-4", target_id="m-2", type=EDGE_TYPE_FOLLOWED_BY)
    nodes = [
        GraphNode(node_id="m-4", memory=Memory(summary="Then [b]this"), path=[before]),
        GraphNode(node_id="m-3", memory=answered, path=[cause]),
    ]
    kept.answer("Traverse", TraverseResponse(nodes=nodes))
    told = run("get", "m-2", "--links").stdout
    assert "because of  m-3 Bash: make: Exit code 2" in told
    assert told.index("because of") < told.index("came after  m-4 Then [b]this")
    as_json = json.loads(run("get", "m-2", "--links", "--json").stdout)
    assert [one["node_id"] for one in as_json["memories"][0]["links"]] == ["m-4", "m-3"]
    assert "links" not in run("get", "m-2", "--json").stdout


def test_what_is_not_there_is_said(run: Run, kept: Script) -> None:
    assert "there is no memory m-9" in run("get", "m-9").stderr
    kept.answer("ResolvePointer", ResolvePointerResponse(state=POINTER_STATE_GONE))
    assert "is gone" in run("get", "§ W-001/R-01/D-003").stderr
    kept.answer("ResolvePointer", ResolvePointerResponse(state=POINTER_STATE_FOUND))
    assert run("forget", "§ W-001", "--yes").exit_code == 2
    assert not _deleted(kept)


def test_they_go_when_their_number_is_typed(run: Run, kept: Script) -> None:
    answer = run("forget", "m-2", "§ W-001/R-01/D-003", stdin=b"2\n")
    assert answer.exit_code == 0, answer.output
    assert "A door." in answer.stdout
    assert _deleted(kept) == ["m-2", "m-1"]


@pytest.mark.parametrize("typed", [b"y\n", b"1\n", b""])
def test_nothing_goes_where_another_thing_is_typed(run: Run, kept: Script, typed: bytes) -> None:
    answer = run("forget", "m-2", "§ W-001/R-01/D-003", stdin=typed)
    assert answer.exit_code == 1
    assert not _deleted(kept)


def test_a_dry_run_shows_and_deletes_nothing(run: Run, kept: Script) -> None:
    assert "1 would be deleted" in run("forget", "m-2", "--dry-run").stderr
    told = json.loads(run("forget", "m-2", "--dry-run", "--json").stdout)
    assert told == {"memory_ids": ["m-2"], "deleted": [], "dry_run": True}
    assert not _deleted(kept)


def test_a_query_forgets_what_speaks_of_it(run: Run, kept: Script) -> None:
    beside = result("A garden.")
    beside.memory.memory_id, beside.routes[:] = "m-9", ["dense", "window"]
    relevant = result("The code.", score=0)
    relevant.memory.memory_id = "m-2"
    kept.answer("Search", found(beside, relevant))
    answer = run("forget", "--query", "door code", "--yes")
    assert answer.exit_code == 0
    assert "there may be more" not in answer.stderr
    assert _deleted(kept) == ["m-2"]
    kept.answer("Search", found(relevant))
    assert "there may be more" in run("forget", "--query", "x", "--limit", "1", "--dry-run").stderr


def test_one_that_went_with_another_counts_as_deleted(run: Run, kept: Script) -> None:
    kept.answer("DeleteMemory", DeleteMemoryResponse(), MemoryNotFound("m-1"))
    told = json.loads(run("forget", "m-2", "W-1/R-1/D-3", "--yes", "--json").stdout)
    assert told["deleted"] == ["m-2", "m-1"]


@pytest.mark.parametrize("words", [(), ("m-2", "--query", "x"), ("m-2", "--json")])
def test_a_call_that_does_not_say_which_is_refused(
    run: Run, kept: Script, words: tuple[str, ...]
) -> None:
    assert run("forget", *words).exit_code == 2
    assert not _deleted(kept)
