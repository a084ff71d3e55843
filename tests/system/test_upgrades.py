"""Namespaces that earlier versions wrote, each with data, opened by the suite as it is now.

`tests/data/schemas` has what each schema of a namespace's file held: one conversation, what was
learned from it where the version learned, and a fact, a lesson and a procedure that were stated.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from anamnesis_cli.main import anamnesis
from anamnesis_libs.storage.sqlite import connect
from anamnesis_memory.storage.sqlite import catalogue, namespace
from tests.support.processes import REPOSITORY, Process, start

SCHEMAS = sorted((REPOSITORY / "tests" / "data" / "schemas").glob("namespace_*.sql"))
EACH = pytest.mark.parametrize("schema", SCHEMAS, ids=lambda schema: schema.stem)
LEARNS_SINCE = 5
MODEL = "all-minilm-l6-v2:8199be6f699a395f"


def number(schema: Path) -> int:
    return int(schema.stem.rpartition("_")[2])


def made(data_dir: Path, schema: Path) -> None:
    """Put a namespace of an earlier schema, named after it, into a data directory."""
    incarnation = f"01a20b4e9d622e45{number(schema):04x}"
    (data_dir / "namespaces").mkdir(parents=True, exist_ok=True)
    file = data_dir / "namespaces" / f"{incarnation}.db"
    held = connect(file, namespace.MIGRATIONS[: number(schema)])
    held.execute(schema.read_text(encoding="utf-8"))
    held.close()
    names = connect(data_dir / "catalogue.db", catalogue.MIGRATIONS)
    row = (schema.stem, incarnation, 1795486206432291, MODEL, 384)
    names.execute("INSERT INTO namespaces VALUES (?, ?, ?, ?, ?)", row)
    names.close()


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """A server on a directory with a namespace of each schema."""
    data_dir = tmp_path_factory.mktemp("upgrades") / "data"
    for schema in SCHEMAS:
        made(data_dir, schema)
    process = start(data_dir, settings={"ANAMNESIS_MODELS__EMBEDDER": "minilm"})
    yield process
    assert process.stop() == 0, "".join(process.output)


def asked(suite: Process, schema: Path, *words: str) -> str:
    """What a command prints of a namespace."""
    place = ("--server", suite.address, "-n", schema.stem)
    env = {"ANAMNESIS_USER": "mara", "COLUMNS": "200"}
    done = CliRunner().invoke(anamnesis, [words[0], *place, *words[1:]], env=env)
    assert done.exit_code == 0, done.output
    return done.output


@EACH
def test_what_an_earlier_version_kept_is_known(suite: Process, schema: Path) -> None:
    facts = asked(suite, schema, "facts")
    assert "Harbour Bakery" in facts
    timeline = asked(suite, schema, "timeline", "Mara")
    assert "Harbour Bakery" in timeline
    assert "Harbour Bakery" in asked(suite, schema, "graph", "--around", "Mara")
    if number(schema) >= LEARNS_SINCE:
        for told in (facts, timeline):
            assert "hazelnuts" in told
    assert "hazelnuts" in asked(suite, schema, "search", "what is Mara allergic to?")
    assert "everything agrees" in asked(suite, schema, "verify")


@EACH
def test_what_comes_next_is_kept_beside_it(suite: Process, schema: Path, tmp_path: Path) -> None:
    told = tmp_path / "next.jsonl"
    line = {"role": "user", "name": "Mara", "content": "I am allergic to peanuts."}
    told.write_text(json.dumps({**line, "timestamp": "2026-05-02T09:00:00Z"}) + "\n")
    asked(suite, schema, "ingest", str(told), "--agent", "juno", "--end", "--learn")
    facts = asked(suite, schema, "facts")
    assert "peanuts" in facts
    assert "Harbour Bakery" in facts
    assert "everything agrees" in asked(suite, schema, "verify")


def test_there_is_data_of_every_schema_before_this_one() -> None:
    # 11 and 12 change no table, 13 to 17 add columns: they are tried as upgrades of those before
    assert [number(schema) for schema in SCHEMAS] == [*range(1, 11)]
    assert len(namespace.MIGRATIONS) == 17
