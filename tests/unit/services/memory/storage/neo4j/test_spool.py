"""Rows come out of a file as they went in."""

from pathlib import Path

import pytest

from anamnesis_libs.errors import StoreUnavailable
from anamnesis_libs.storage.neo4j import Row
from anamnesis_memory.storage.neo4j.spool import Spool

PAGE: list[Row] = [
    {"text": "zwölf \n§", "number": -(2**63), "real": 0.1, "none": None, "flag": True},
    {"bytes": b"\x00\xff\n", "list": ["a", "b"], "inner": {"base64": "text", "more": 1}},
]


def _files(directory: Path) -> list[Path]:
    return list(directory.iterdir())


async def test_pages_come_back_in_order(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    await spool.put("memories", PAGE)
    await spool.put("events", PAGE[:1])
    assert [page async for page in spool.pages()] == [("memories", PAGE), ("events", PAGE[:1])]
    assert _files(tmp_path) == [], "the file has no name"
    spool.close()


async def test_what_was_put_before_a_new_beginning_is_gone(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    await spool.put("memories", PAGE * 100)
    await spool.clear()
    await spool.put("events", PAGE)
    assert [name async for name, _ in spool.pages()] == ["events"]
    spool.close()


def test_a_directory_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable):
        Spool(tmp_path / "gone")


async def test_only_properties_are_kept(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    with pytest.raises(TypeError, match="no property"):
        await spool.put("memories", [{"when": object()}])  # type: ignore[dict-item]
    spool.close()
