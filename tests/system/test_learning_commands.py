"""Learning by the command line, against the suite as one process and as four."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from click.testing import CliRunner, Result
from google.protobuf.json_format import Parse
from google.protobuf.message import Message

from anamnesis.memory.v1.knowledge_service_pb2 import (
    AssertFactResponse,
    ListEntitiesResponse,
    RetractFactResponse,
)
from anamnesis.memory.v1.ledger_service_pb2 import ListSessionsResponse
from anamnesis_cli.main import anamnesis

Run = Callable[..., Result]
Answer = TypeVar("Answer", bound=Message)

_TALK = (
    ("user", "Mara", "My friend Lin Yue is coming on Thursday. She is allergic to peanuts."),
    ("assistant", "Juno", "Noted. I will look for a restaurant without peanuts."),
    ("user", "Mara", "I work at a bakery in Malmö, so mornings are hard for me."),
    ("assistant", "Juno", "Then I will book the table for the evening."),
)


@pytest.fixture
def run(addresses: dict[str, str]) -> Run:
    """Runs a command against the service named first."""

    def with_server(service: str, *words: str) -> Result:
        server = ("--server", addresses[service], "-n", "learning")
        return CliRunner().invoke(anamnesis, [*server, *words])

    return with_server


def _write(path: Path, lines: int) -> str:
    rows = [
        {"role": role, "name": name, "content": said, "timestamp": f"2026-03-02T09:0{minute}:00Z"}
        for minute, (role, name, said) in enumerate(_TALK[:lines])
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def _facts(run: Run) -> list[str]:
    """Those that hold, each once: what is told again stays the same fact."""
    document = json.loads(run("memory", "activity", "--user", "mara", "--json").stdout)
    told = [memory for done in document["activities"] for memory in done["memories"]]
    memories = {memory["memory_id"]: memory for memory in told}.values()
    active = [memory for memory in memories if memory["status"] == "MEMORY_STATUS_ACTIVE"]
    return [memory["content"] for memory in active if memory["kind"] == "MEMORY_KIND_SEMANTIC"]


def test_a_directory_is_taken_in_learned_from_and_looked_at(run: Run, tmp_path: Path) -> None:
    path = _write(tmp_path / "a-visit.jsonl", 2)
    taken = run("ingestion", "ingest", path, "--user", "mara", "--learn", "--json")
    assert taken.exit_code == 0, taken.output
    *_, sums = map(json.loads, taken.stdout.splitlines())
    assert (sums["sessions"], sums["failed"]) == (1, 0)
    assert any("peanuts" in fact for fact in _facts(run))

    again = run("ingestion", "ingest", path, "--user", "mara", "--learn", "--json")
    *_, file_sums, learned = map(json.loads, again.stdout.splitlines())
    assert (file_sums["appended"], file_sums["unchanged"]) == (0, 2)
    assert learned["facts"] == 0

    _write(tmp_path / "a-visit.jsonl", 4)
    grown = run("ingestion", "ingest", path, "--user", "mara", "--learn")
    assert grown.exit_code == 0, grown.output
    facts = _facts(run)
    assert any("bakery" in fact for fact in facts)
    assert sum("peanuts" in fact for fact in facts) == 1

    told = run("memory", "activity", "--user", "mara").stdout
    assert "fact" in told
    assert "peanuts" in told
    assert "nothing failed" in run("ingestion", "failures").stderr


def _told(answer: Result, kind: type[Answer]) -> Answer:
    """The answer that a command printed as JSON."""
    assert answer.exit_code == 0, answer.output
    return Parse(answer.stdout, kind())


def test_a_fact_is_stated_taken_back_and_forgotten(run: Run, tmp_path: Path) -> None:
    def memory(*words: str) -> Result:
        return run("memory", *words, "--user", "ada", "--json")

    taken = run("ingestion", "ingest", _write(tmp_path / "ada.jsonl", 4), "--user", "ada")
    assert taken.exit_code == 0, taken.output
    lund = ("fact", "add", "Ada", "lives_in", "Lund", "--from", "2026-03-01")
    malmo = ("fact", "add", "Ada", "lives_in", "Malmö", "--from", "2026-05", "--single-valued")
    fact_id = _told(memory(*lund), AssertFactResponse).fact.memory.memory_id
    moved = _told(memory(*malmo), AssertFactResponse)
    assert list(moved.closed_ids) == [fact_id]
    entities = _told(memory("entities"), ListEntitiesResponse).entities
    assert "Ada" in [entity.name for entity in entities]
    (session,) = _told(memory("sessions"), ListSessionsResponse).sessions
    assert (session.user_id, session.event_count) == ("ada", 4)

    back = memory("fact", "retract", moved.fact.memory.memory_id)
    assert list(_told(back, RetractFactResponse).reopened_ids) == [fact_id]
    assert '"object": "Lund"' in memory("get", fact_id).stdout
    assert '"deleted": []' in memory("forget", fact_id, "--dry-run").stdout
    assert memory("forget", fact_id, "--yes").exit_code == 0
    assert memory("get", fact_id).exit_code == 1


def test_one_json_document_and_training_rows(run: Run, tmp_path: Path) -> None:
    messages = [{"role": role, "content": said} for role, _, said in _TALK]
    path = tmp_path / "exported.json"
    path.write_text(json.dumps({"messages": messages}, indent=1), encoding="utf-8")
    options = ("--session", "exported", "--time", "2026-03-02", "--learn")
    taken = run("ingestion", "ingest", str(path), *options)
    assert taken.exit_code == 0, taken.output
    rows = run("ingestion", "sft", "--min-score", "0", "--json").stdout.splitlines()
    mine = [row for row in map(json.loads, rows) if row["session_id"] == "exported"]
    assert [m["content"] for row in mine for m in row["row"]["messages"]] == [
        said for _, _, said in _TALK
    ]


def test_a_session_that_is_not_there_is_named(run: Run) -> None:
    answer = run("ingestion", "learn", "--session", "nowhere")
    assert answer.exit_code == 1
    assert "nowhere" in answer.stderr
