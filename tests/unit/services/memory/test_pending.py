"""What waits for its embedding says how often and why it failed, for whoever looks at the file."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import apsw

from anamnesis_memory.model.ids import new_incarnation
from anamnesis_memory.model.memory import Namespace
from anamnesis_memory.storage.sqlite.catalogue import SqliteStores
from tests.support.clock import SetClock
from tests.support.records import BASE_US, DIMENSION, append


async def test_failures_are_counted_with_their_last_reason(tmp_path: Path) -> None:
    namespace = Namespace("team-a", new_incarnation(BASE_US), BASE_US, "model", DIMENSION)
    with ThreadPoolExecutor(2) as executor:
        stores = await SqliteStores.open_directory(tmp_path, executor, SetClock())
        store = await stores.open(namespace)
        await store.commit(append("one", "two"))
        one, two = await store.pending_embeddings(10)
        await store.note_embedding_failures([one], "away")
        await store.note_embedding_failures([one, two, "gone"], "still away")
        await store.close()
        await stores.close()
    connection = apsw.Connection(str(tmp_path / "namespaces" / f"{namespace.incarnation}.db"))
    held = connection.execute("SELECT attempts, reason FROM pending_embeddings ORDER BY memory_no")
    assert held.fetchall() == [(2, "still away"), (1, "still away")]
    connection.close()
