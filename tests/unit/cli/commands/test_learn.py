"""`anamnesis learn`, and `ingest --learn`, against a scripted server."""

import json
from pathlib import Path

import pytest

from anamnesis.ingestion.v1.ingestion_service_pb2 import RunPipelineRequest, RunPipelineResponse
from anamnesis.memory.v1.admin_service_pb2 import GetNamespaceResponse
from anamnesis.memory.v1.event_pb2 import ROLE_TOOL, ROLE_USER
from anamnesis.memory.v1.memory_pb2 import Episode, Fact, Lesson, Memory
from anamnesis.memory.v1.memory_service_pb2 import (
    BatchGetMemoriesRequest,
    BatchGetMemoriesResponse,
    ListActivityRequest,
    ListActivityResponse,
)
from anamnesis.memory.v1.namespace_pb2 import Namespace
from anamnesis.memory.v1.segment_pb2 import Activity
from anamnesis.memory.v1.work_pb2 import (
    WORK_KIND_EXTRACT,
    WORK_KIND_LABEL,
    WORK_KIND_SEGMENT,
    WorkKind,
)
from anamnesis_cli.taught import SHOWN_MAX
from anamnesis_libs import errors
from anamnesis_libs.errors import not_found
from tests.support.scripted_suite import Script
from tests.unit.cli.answers import at, ingested
from tests.unit.cli.conftest import Run


def _step(stage: WorkKind.ValueType, session: str = "s-1", **counts: int) -> RunPipelineResponse:
    step = RunPipelineResponse(stage=stage, session_id=session)
    for name, count in counts.items():
        setattr(step, name, count)
    return step


_EXTRACTED = _step(WORK_KIND_EXTRACT, segments=2, facts=5, lessons=1, procedures=1, refused=3)
_STEPS = (
    _step(WORK_KIND_SEGMENT, segments=2, left=3),
    _step(WORK_KIND_SEGMENT, "s-2", segments=1, left=3),
    _step(WORK_KIND_LABEL, segments=2, left=1),
    _EXTRACTED,
)


def _taught(segment: str, session: str, minute: int, **counts: int) -> Activity:
    done = Activity(
        segment_id=segment, session_id=session, time=at(f"2026-03-02T09:{minute:02}:00")
    )
    for name, count in counts.items():
        setattr(done, name, count)
    return done


_BEFORE = _taught("g-0", "s-1", 1, facts=100)
_AFTER = (
    _taught("g-3", "s-2", 5, procedures=1),
    _taught("g-2", "s-1", 4, facts=1, lessons=2),
    _taught("g-1", "s-1", 4, facts=1200),
)
_AFTER[1].refusals.add(reason="unsupported", count=3)


def _script(script: Script, *steps: RunPipelineResponse) -> None:
    """Before it one task had taught; the server itself taught what is in `_AFTER`."""
    script.answer("RunPipeline", *steps)
    script.answer("GetNamespace", GetNamespaceResponse(namespace=Namespace(revision="r-40")))
    first = ListActivityResponse(activities=_AFTER[:1], next_page_token="t-2")
    rest = ListActivityResponse(activities=[*_AFTER[1:], _BEFORE])
    script.answer("ListActivity", ListActivityResponse(activities=[_BEFORE]), first, rest)


def test_the_sums_are_of_what_was_learned_since_whoever_did_it(run: Run, script: Script) -> None:
    _script(script, *_STEPS)
    answer = run("learn", "-n", "team-a")
    assert answer.exit_code == 0
    rows = [line.split() for line in answer.stdout.splitlines()]
    assert ["sessions", "segments", "facts", "lessons", "procedures", "refused"] in rows
    assert ["2", "3", "1,201", "2", "1", "3"] in rows
    assert "revision r-40" in answer.stderr
    assert script.asked(RunPipelineRequest)[0].namespace == "team-a"


def _drawer(memory_id: str, content: str) -> Memory:
    return Memory(
        memory_id=memory_id, content=content, episode=Episode(role=ROLE_USER, name="Mara")
    )


def _fact(memory_id: str, statement: str, *sources: str) -> Memory:
    fact = Fact(subject="x", predicate="y", object="z", source_memory_ids=sources)
    return Memory(memory_id=memory_id, summary=statement, fact=fact)


def _teach(script: Script, activities: list[Activity], *answers: list[Memory]) -> None:
    _script(script, *_STEPS)
    pages = [
        ListActivityResponse(activities=[_BEFORE]),
        ListActivityResponse(activities=activities),
    ]
    script.answer("ListActivity", *pages)
    read = (BatchGetMemoriesResponse(memories=memories) for memories in answers)
    script.answer("BatchGetMemories", *read)


def test_it_ends_with_what_was_learned_newest_first_and_whose_words_it_rests_on(
    run: Run, script: Script
) -> None:
    newer, older = _taught("g-2", "s-1", 5, facts=1), _taught("g-1", "s-1", 4, facts=1)
    newer.memory_ids.append("f-2")
    older.memory_ids.append("f-1")
    facts = [_fact("f-1", "Mara likes [x] tea"), _fact("f-2", "Mara avoids nuts", "d-1", "d-2")]
    drawers = [_drawer("d-1", "Good morning."), _drawer("d-2", "Hello.\nNo nuts for me, please.")]
    _teach(script, [newer, older, _BEFORE], facts, drawers)
    answer = run("learn", "-n", "team-a", "--user", "mara")
    assert answer.stdout.splitlines()[-2:] == [
        'Mara avoids nuts   because Mara said: "No nuts for me, please."',
        "Mara likes [x] tea",
    ]
    read = script.asked(BatchGetMemoriesRequest)
    assert [list(each.memory_ids) for each in read] == [["f-2", "f-1"], ["d-1", "d-2"]]
    assert {each.caller.user_id for each in read} == {"mara"}


def test_what_takes_many_lines_has_its_name_and_tools_answer(run: Run, script: Script) -> None:
    done = _taught("g-1", "s-1", 4, lessons=1)
    done.memory_ids.append("l-1")
    lesson = Lesson(title="Free the disk first", evidence_memory_ids=["d-1"])
    learned = Memory(memory_id="l-1", overview="very " * 99, lesson=lesson)
    drawer = Memory(memory_id="d-1", content="x\nfree: no disk space")
    drawer.episode.CopyFrom(Episode(role=ROLE_TOOL, name=f"Bash: df {'-h ' * 40}"))
    _teach(script, [done], [learned], [drawer])
    (line,) = [line for line in run("learn").stdout.splitlines() if "disk" in line]
    assert line.startswith("Free the disk first   because Bash: df -h")
    assert line.endswith('… answered: "free: no disk space"')


def test_of_much_the_last_is_told_and_how_to_see_the_rest(run: Run, script: Script) -> None:
    much = _taught("g-1", "s-1", 4, facts=34)
    much.memory_ids.extend(f"f-{number}" for number in range(34))
    facts = [_fact(f"f-{number}", f"Fact {number}") for number in range(SHOWN_MAX)]
    _teach(script, [much, _BEFORE], facts)
    answer = run("learn", "-n", "team-a")
    assert answer.stdout.count("Fact ") == SHOWN_MAX
    assert len(script.asked(BatchGetMemoriesRequest)[0].memory_ids) == SHOWN_MAX
    rest = f"anamnesis activity -n team-a --server {script.address}"
    assert f"these are the last 20 of 34; `{rest}` tells all" in answer.stderr


def test_a_fact_that_two_tasks_tell_is_told_once(run: Run, script: Script) -> None:
    told = [_taught(f"g-{number}", "s-1", 4, facts=1) for number in (2, 1)]
    for done in told:
        done.memory_ids.append("f-1")
    _teach(script, [*told, _BEFORE], [_fact("f-1", "Mara avoids nuts")])
    assert run("learn").stdout.count("Mara avoids nuts") == 1


@pytest.mark.usefixtures("narrow")
def test_at_80_columns_a_reason_that_is_too_long_stands_below(run: Run, script: Script) -> None:
    done = _taught("g-1", "s-1", 4, facts=1)
    done.memory_ids.append("f-1")
    words = "Nuts are what I never eat, since I was a child, in no cake and in no bread of yours."
    _teach(script, [done], [_fact("f-1", "Mara avoids nuts", "d-1")], [_drawer("d-1", words)])
    *_, statement, first, rest = run("learn").stdout.splitlines()
    assert statement == "Mara avoids nuts"
    assert first.startswith('   because Mara said: "Nuts are')
    assert rest.strip().endswith('of yours."')


def test_a_server_with_ingestion_alone_tells_what_it_did(run: Run, script: Script) -> None:
    script.answer("RunPipeline", *_STEPS)
    answer = run("learn")
    assert answer.exit_code == 0
    assert ["1", "2", "5", "1", "1", "3"] in [line.split() for line in answer.stdout.splitlines()]
    assert "revision" not in answer.stderr


def test_the_request_says_what_the_options_say(run: Run, script: Script) -> None:
    _script(script, _EXTRACTED)
    run("learn", "--session", "s-1", "--stage", "extract", "--stage", "label")
    (asked,) = script.asked(RunPipelineRequest)
    assert asked.session_id == "s-1"
    assert list(asked.stages) == [WORK_KIND_EXTRACT, WORK_KIND_LABEL]


def test_a_failure_is_told_with_its_reason_and_fails_the_command(run: Run, script: Script) -> None:
    failed = RunPipelineResponse(
        stage=WORK_KIND_LABEL, session_id="s-2", failure="MODEL_UNAVAILABLE: no answer"
    )
    _script(script, *_STEPS, failed)
    answer = run("learn")
    assert answer.exit_code == 1
    assert "failed: label of s-2: MODEL_UNAVAILABLE: no answer" in answer.stderr
    assert "anamnesis failures" in answer.stderr
    assert "1,201" in answer.stdout


def test_work_that_another_took_over_is_no_failure(run: Run, script: Script) -> None:
    lost = RunPipelineResponse(
        stage=WORK_KIND_SEGMENT, session_id="s-1", failure="LEASE_LOST: somebody else has it"
    )
    _script(script, lost, _EXTRACTED)
    answer = run("learn")
    assert answer.exit_code == 0
    assert "LEASE_LOST" not in answer.output


def test_nothing_to_learn_is_said(run: Run, script: Script) -> None:
    _script(script)
    script.answer("ListActivity", ListActivityResponse(activities=[_BEFORE]))
    answer = run("learn")
    assert (answer.exit_code, answer.stdout) == (0, "")
    assert "nothing new was learned" in answer.stderr


def test_a_session_that_is_not_there_is_no_success(run: Run, script: Script) -> None:
    _script(script)
    script.answer("GetPipelineStatus", not_found.SessionNotFound("s-7"))
    answer = run("learn", "--session", "s-7")
    assert answer.exit_code == 1
    assert "s-7" in answer.stderr


def test_json_is_a_line_a_piece_and_a_line_with_the_sums(run: Run, script: Script) -> None:
    _script(script, *_STEPS)
    *pieces, sums = map(json.loads, run("learn", "--json").stdout.splitlines())
    assert [(piece["stage"], piece["session_id"]) for piece in pieces[:2]] == [
        ("segment", "s-1"),
        ("segment", "s-2"),
    ]
    assert sums == {
        "sessions": 2,
        "segments": 3,
        "facts": 1201,
        "lessons": 2,
        "procedures": 1,
        "refused": 3,
        "failed": 0,
        "revision": "r-40",
    }


def test_an_error_half_way_ends_it_as_any_other(run: Run, script: Script) -> None:
    _script(script)
    script.answer("RunPipeline", _STEPS[0], errors.StoreUnavailable("the disk is full"))
    answer = run("learn")
    assert answer.exit_code == 1
    assert "the disk is full" in answer.stderr


def test_ingest_may_learn_at_once_from_the_session_it_took_in(
    run: Run, script: Script, tmp_path: Path
) -> None:
    (tmp_path / "a.jsonl").write_text('{"role": "user", "content": "x"}\n')
    script.answer("IngestFile", ingested(3))
    _script(script, *_STEPS)
    answer = run("ingest", str(tmp_path / "a.jsonl"), "--learn")
    assert answer.exit_code == 0
    assert script.asked(RunPipelineRequest)[0].session_id == "s-1"
    assert "1,201" in answer.stdout


def test_ingest_learns_from_the_whole_namespace_after_several_sessions(
    run: Run, script: Script, tmp_path: Path
) -> None:
    (tmp_path / "a.jsonl").write_text('{"role": "user", "content": "x"}\n')
    two = ingested(3)
    two.side_sessions.add(session_id="s-1.a1")
    script.answer("IngestFile", two)
    _script(script, *_STEPS)
    assert run("ingest", str(tmp_path), "--learn").exit_code == 0
    assert script.asked(RunPipelineRequest)[0].session_id == ""


def test_ingest_counts_from_before_it_sent_anything(
    run: Run, script: Script, tmp_path: Path
) -> None:
    (tmp_path / "a.jsonl").write_text('{"role": "user", "content": "x"}\n')
    script.answer("IngestFile", ingested(3))
    _script(script, *_STEPS)
    script.answer("ListActivity", not_found.NamespaceNotFound("default"), ListActivityResponse())
    assert run("ingest", str(tmp_path), "--learn").exit_code == 0
    asked = [type(request) for request in script.requests]
    assert asked.index(ListActivityRequest) < asked.index(RunPipelineRequest)


def test_ingest_that_took_nothing_in_does_not_learn(
    run: Run, script: Script, tmp_path: Path
) -> None:
    assert run("ingest", str(tmp_path / "nowhere"), "--learn").exit_code == 1
    assert script.asked(RunPipelineRequest) == []


def test_ingest_fails_where_learning_failed(run: Run, script: Script, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"role": "user", "content": "x"}\n')
    script.answer("IngestFile", ingested(3))
    _script(script, RunPipelineResponse(stage=WORK_KIND_LABEL, session_id="s-1", failure="X: y"))
    assert run("ingest", str(tmp_path), "--learn").exit_code == 1
