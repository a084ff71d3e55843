"""No statement about the pipeline reads a whole table: SQLite says so of each, in its own plans."""

import re
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from libs.storage.queries import load_queries
from libs.storage.sqlite import connect
from services.memory.store import sqlite_catalogue
from services.memory.store.sqlite import MIGRATIONS
from services.memory.store.sqlite_pipeline import HERE

PIPELINE = {
    name: statement
    for file in ("pipeline.sql", "retention.sql", "uploads.sql", "life.sql")
    for name, statement in load_queries(HERE / file).items()
}
COUNTS = {"count_task_types"}
"""What counts all there is has to read it."""
SORTED = {
    *("work_of_session", "list_usage", "memories_with_tags", "count_task_types", "list_due"),
    *("fresh_lessons", "edges_of", "copies_of"),
}
"""Sort what an index has narrowed down; every other list stops at its limit."""


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[apsw.Connection]:
    """A namespace's file, empty."""
    opened = connect(tmp_path / "namespace.db", MIGRATIONS)
    yield opened
    opened.close()


def plan(connection: apsw.Connection, statement: str) -> list[str]:
    """What SQLite would do."""
    bindings = dict.fromkeys(re.findall(r":(\w+)", statement))
    return [str(row[3]) for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}", bindings)]


def whole_tables(steps: list[str]) -> list[str]:
    """Steps that read a table from end to end, by an index or not; a bound list is none."""
    scans = [step for step in steps if step.startswith("SCAN") and "VIRTUAL TABLE" not in step]
    return [step for step in scans if "CONSTANT ROW" not in step]


@pytest.mark.parametrize("name", PIPELINE)
def test_a_statement_begins_at_an_index(connection: apsw.Connection, name: str) -> None:
    steps = plan(connection, PIPELINE[name])
    if name not in COUNTS:
        assert whole_tables(steps) == []
    if name not in SORTED:
        assert [step for step in steps if "TEMP B-TREE FOR ORDER" in step] == []


@pytest.mark.parametrize(
    ("name", "index"),
    [
        ("claimable", "work_by_ready"),
        ("next_ready", "work_by_ready"),
        ("count_work", "work_by_state"),
        ("segments_of_session", "segments_by_place"),
        ("list_segments", "segments_by_place"),
        ("list_activities_of_session", "activities_by_session"),
        ("memories_with_tags", "memory_labels_by_tag"),
        ("forget_activity_memory", "activity_memories_by_memory"),
        ("lesson_of_digest", "memories_by_digest"),
        ("fresh_lessons", "memories_by_revision"),
        ("edges_of", "edges_by_target"),
        ("delete_edges_of_memory", "edges_by_target"),
        ("copies_of", "copies_by_memory"),
        ("list_copies_of_session", "copies_by_session"),
        ("erase_copies", "copies_by_session"),
        ("erase_documents", "documents_by_session"),
        ("old_requests", "requests_by_time"),
    ],
)
def test_a_statement_uses_the_index_made_for_it(
    connection: apsw.Connection, name: str, index: str
) -> None:
    assert index in " ".join(plan(connection, PIPELINE[name]))


@pytest.mark.parametrize("name", ["list_due", "set_due", "move_due", "clear_due"])
def test_what_is_due_is_found_by_an_index(tmp_path: Path, name: str) -> None:
    opened = connect(tmp_path / "catalogue.db", sqlite_catalogue.MIGRATIONS)
    steps = plan(opened, sqlite_catalogue.QUERIES[name])
    opened.close()
    assert whole_tables(steps) == []
    if name == "list_due":
        assert "due_by_time" in " ".join(steps)
