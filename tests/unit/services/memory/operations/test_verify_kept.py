"""What retention leaves and the archive, damaged on purpose: it is told, and left alone."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from anamnesis_memory.ledger.retention import ExpireSession
from anamnesis_memory.model.memory import Work
from anamnesis_memory.operations.findings import FindingKind
from anamnesis_memory.ports.upkeep import RecordType
from anamnesis_memory.preparation.archive import PutUpload
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from tests.support.clock import SetClock
from tests.support.embedders import SwitchedEmbedder
from tests.support.kept import RETAIN_DAYS, RETAIN_US, lease_of, run_pipeline, upload
from tests.support.operators import Operated, operated
from tests.unit.services.memory.operations.test_verify import sql, verified

pytestmark = pytest.mark.slow

UPLOAD = upload("what came, line by line, as long as it takes")
KEPT_ID = UPLOAD.upload.upload_id


@asynccontextmanager
async def expired(directory: Path) -> AsyncIterator[tuple[Operated, OpenNamespace]]:
    """A namespace with a session whose ledger has expired, and an upload."""
    clock = SetClock()
    async with operated(directory, SwitchedEmbedder(), clock=clock) as space:
        await space.fill("team")
        async with space.namespaces.reading("team") as opened:
            await run_pipeline(opened.store, clock)
            clock.move(days=RETAIN_DAYS)
            lease = await lease_of(opened.store, clock, Work.RETAIN)
            await opened.store.commit(ExpireSession(lease, RETAIN_US))
            await opened.store.commit(PutUpload(UPLOAD))
            await space.settle(opened)
            yield space, opened


async def test_drawers_outlive_their_ledger(tmp_path: Path) -> None:
    async with expired(tmp_path) as (space, opened):
        assert (await opened.store.list_events("s-1", -1, 9)).items == []
        findings, summary = await verified(space, opened)
        assert findings == []
        counted = {kind: summary.records[kind] for kind in (RecordType.STUBS, RecordType.UPLOADS)}
        assert [*counted.values()] == [3, 1]


STUB = "INSERT INTO event_stubs VALUES ('{0}', {1}, '{2}', x'00')"
KEPT = [
    (STUB.format("s-1", 9, ""), FindingKind.SESSION, "s-1"),
    (STUB.format("s-9", 0, ""), FindingKind.SESSION, "s-9"),
    ("UPDATE event_stubs SET memory_id = 'nobody' WHERE event_index = 1", FindingKind.LEDGER, ""),
    ("DELETE FROM event_stubs WHERE event_index = 1", FindingKind.LEDGER, ""),
    ("UPDATE uploads SET session_id = 's-9'", FindingKind.UPLOAD, KEPT_ID),
    ("UPDATE uploads SET packed = substr(packed, 1, 20)", FindingKind.UPLOAD, KEPT_ID),
    ("UPDATE uploads SET packed = x'00'", FindingKind.UPLOAD, KEPT_ID),
]


@pytest.mark.parametrize(("statement", "kind", "named"), KEPT)
async def test_what_is_kept_and_disagrees_is_told_and_left_alone(
    tmp_path: Path, statement: str, kind: FindingKind, named: str
) -> None:
    async with expired(tmp_path) as (space, opened):
        await sql(space, opened, statement)
        found, _ = await verified(space, opened, repair=True)
        assert {finding.kind for finding in found} == {kind}
        assert not any(finding.repaired for finding in found)
        assert named in {"", *(finding.id for finding in found)}
