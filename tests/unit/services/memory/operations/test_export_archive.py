"""Exports and imports of an archive: large ones too, and nothing of one that is damaged."""

import json
import random
import zlib
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from anamnesis_libs.errors import InvalidArgument
from anamnesis_memory.model.memory import Caller
from anamnesis_memory.model.uploads import NewUpload
from anamnesis_memory.operations.importing import BATCH_BYTES
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.upkeep import Record, RecordType
from anamnesis_memory.preparation.archive import PutUpload
from anamnesis_memory.storage.sqlite.namespace import SqliteNamespace
from tests.support.embedders import SwitchedEmbedder
from tests.support.kept import upload
from tests.support.operators import Operated, operated
from tests.unit.services.memory.operations.test_export_import import lines_of, sealed

MIB = 1 << 20
LARGEST = 10 * MIB
PACKING = 4096


@pytest.fixture
async def space(tmp_path: Path) -> AsyncIterator[Operated]:
    """A data directory with one namespace that has an upload."""
    async with operated(tmp_path, SwitchedEmbedder()) as opened:
        await opened.fill("team")
        await archive(opened, "what came", None)
        yield opened


async def archive(space: Operated, text: str, packed: bytes | None) -> None:
    """Keep an upload."""
    async with space.namespaces.writing("team") as opened:
        await opened.store.commit(PutUpload(upload(text, packed=packed)))


async def archived(store: NamespaceStore) -> list[tuple[str, bytes]]:
    """Every upload's id and content."""
    listed = await store.list_uploads("", Caller(), None, 99)
    return [(one.upload_id, await store.upload_content(one.upload_id)) for one in listed]


async def test_an_upload_is_one_line(space: Operated) -> None:
    lines = lines_of(await space.exported("team"))
    (told,) = [line for line in lines if line["type"] == "upload"]
    assert lines.index(told) == len(lines) - 3, "before cursors and trailer"
    assert told["upload_id"] == upload("what came").upload.upload_id
    counts = lines[0]["counts"]
    assert isinstance(counts, dict)
    assert (counts["uploads"], counts["stubs"]) == (1, 0)


@pytest.mark.slow
async def test_the_largest_uploads_come_through_a_few_at_a_time(
    space: Operated, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(3)
    for number in range(3):
        await archive(space, f"large {number}", zlib.compress(chance.randbytes(LARGEST), 0))
    batches: list[int] = []
    put = SqliteNamespace.import_batch

    async def noted(store: SqliteNamespace, records: Sequence[Record]) -> None:
        batches.append(sum(len(one.packed) for one in records if isinstance(one, NewUpload)))
        await put(store, records)

    monkeypatch.setattr(SqliteNamespace, "import_batch", noted)
    made = await space.imported("copy", await space.exported("team"), MIB)
    assert made.counts[RecordType.UPLOADS] == 4
    assert max(batches) <= BATCH_BYTES + LARGEST + PACKING
    assert sum(batches) > 3 * LARGEST
    async with (
        space.namespaces.reading("team") as team,
        space.namespaces.reading("copy") as copy,
    ):
        assert await archived(copy.store) == await archived(team.store)


@pytest.mark.parametrize(
    ("field", "value"),
    [("packed", "no base64!"), ("packed", None), ("format", "pdf"), ("session_id", "nobody")],
)
async def test_what_is_no_upload_makes_nothing(
    space: Operated, field: str, value: str | None
) -> None:
    lines = lines_of(await space.exported("team"))
    (told,) = [line for line in lines if line["type"] == "upload"]
    told[field] = value
    with pytest.raises(InvalidArgument) as refused:
        await space.imported("copy", sealed(json.loads(json.dumps(lines))))
    assert refused.value.reason == "EXPORT_DAMAGED"
    assert await space.stores.catalogue.get("copy") is None
