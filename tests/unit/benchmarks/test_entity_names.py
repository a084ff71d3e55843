"""Names of texts: what is compared, and what is shown as merged."""

import json
from pathlib import Path

from benchmarks.entities.names import compare


def _file(folder: Path, *texts: list[tuple[str, str]]) -> Path:
    file = folder / "labels.jsonl"
    rows = [{"entities": [{"name": name, "type": kind} for name, kind in text]} for text in texts]
    file.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return file


def test_merges_within_a_text_and_across_are_told_apart(tmp_path: Path) -> None:
    file = _file(
        tmp_path,
        [("Acme Inc", "organization"), ("Acme", "organization"), ("Bo", "person"), ("x", "mood")],
        [("Bo", "person"), ("Dr. Ida Moor", "person")],
        [("Ida Moor", "person")],
    )
    apart = compare(file)
    assert apart is not None
    assert (apart.names, apart.compared) == (5, 4)
    assert [(each.one, each.other) for each in apart.merged] == [("Acme Inc", "Acme")]
    assert [{each.one, each.other} for each in apart.merged_across] == [
        {"Dr. Ida Moor", "Ida Moor"}
    ]


def test_without_the_data_there_is_nothing_to_say(tmp_path: Path) -> None:
    assert compare(tmp_path / "absent.jsonl") is None
