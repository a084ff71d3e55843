"""No statement about the pipeline reads a whole table: SQLite says so of each, in its own plans."""

import re
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from anamnesis_libs.storage.sqlite import connect
from anamnesis_memory.storage.sqlite import catalogue
from anamnesis_memory.storage.sqlite.namespace import MIGRATIONS
from anamnesis_memory.storage.sqlite.queries import FILES, statements

PIPELINE = {
    name: statement
    for file in FILES
    for name, statement in statements(file).items()
    if file != "namespace"
}
COUNTS = {"count_task_types"}
"""What counts all there is has to read it."""
SORTED = {
    *("work_of_session", "list_usage", "memories_with_tags", "count_task_types", "list_due"),
    *("fresh_lessons", "edges_of", "copies_of", "hop", "rooms_of_entities"),
    *("tellings_of_line", "tellings_of_keys", "versions_of_line", "versions_of_keys"),
    *("memories_of_facts", "derived_of", "get_entities", "parts_of_entity", "parts_of_wholes"),
    *("list_facts_of_subjects", "list_facts_of_entities", "names_of_entities", "mentions_of"),
}
"""Sort what an index has narrowed down; every other list stops at its limit."""

NARROWED = {"up", "down", "page", "named", "held", "told"}
"""What statements call the rows that they have found by an index themselves."""


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[apsw.Connection]:
    """A namespace's file, empty; plans are only asked for."""
    opened = connect(tmp_path_factory.mktemp("plans") / "namespace.db", MIGRATIONS)
    yield opened
    opened.close()


def plan(connection: apsw.Connection, statement: str) -> list[str]:
    """What SQLite would do."""
    bindings = dict.fromkeys(re.findall(r":(\w+)", statement))
    return [str(row[3]) for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}", bindings)]


def whole_tables(steps: list[str]) -> list[str]:
    """Steps that read a table from end to end, by an index or not; a bound list is none."""
    scans = [step for step in steps if step.startswith("SCAN") and "VIRTUAL TABLE" not in step]
    found = [step for step in scans if "CONSTANT ROW" not in step and "(subquery" not in step]
    return [step for step in found if step.split()[1] not in NARROWED]


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
        ("line_is_single", "fact_tellings_single"),
        ("tellings_of_keys", "fact_tellings_standing"),
        ("versions_of_keys", "fact_versions_current"),
        ("keys_settled", "COVERING INDEX fact_versions_by_line"),
        ("line_settled", "COVERING INDEX fact_tellings_by_line"),
        ("memories_of_facts", "memories_by_fact"),
        ("derived_of", "edges_by_target (target_id=? AND type=?)"),
        ("delete_reasons_of_ground", "review_reasons_by_ground"),
        ("entities_of_folded", "entity_names_by_folded"),
        ("entities_of_core", "entity_names_by_core"),
        ("entities_of_head", "entity_names_by_head"),
        ("entities_of_tail", "entity_names_by_tail"),
        ("retell_name", "mentions_by_name"),
        ("move_parts", "entities_by_whole"),
        ("parts_of_wholes", "entities_by_whole"),
        ("hop", "edges_by_target"),
        ("memories_naming", "COVERING INDEX mentions_by_entity"),
        ("homes", "COVERING INDEX memories_by_room"),
        ("rooms_of_wing", "COVERING INDEX memories_by_room"),
        ("closets_of", "COVERING INDEX memories_by_room"),
        ("drawers_of", "memories_by_room"),
        ("memory_at", "memories_by_pointer"),
        ("given", "sessions_by_room"),
        ("named_documents", "memories_by_digest"),
        ("list_json_documents", "memories_by_document (document_scope=? AND document_path"),
        ("document_paths", "COVERING INDEX memories_by_document"),
    ],
)
def test_a_statement_uses_the_index_made_for_it(
    connection: apsw.Connection, name: str, index: str
) -> None:
    assert index in " ".join(plan(connection, PIPELINE[name]))


@pytest.mark.parametrize("name", ["list_due", "set_due", "move_due", "clear_due"])
def test_what_is_due_is_found_by_an_index(tmp_path: Path, name: str) -> None:
    opened = connect(tmp_path / "catalogue.db", catalogue.MIGRATIONS)
    steps = plan(opened, catalogue.QUERIES[name])
    opened.close()
    assert whole_tables(steps) == []
    if name == "list_due":
        assert "due_by_time" in " ".join(steps)
