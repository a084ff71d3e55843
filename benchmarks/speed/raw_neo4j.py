"""The rows of a namespace put by the driver alone: one `UNWIND` a batch, one transaction each."""

from collections.abc import Sequence

from neo4j import AsyncDriver

from anamnesis_libs.storage.neo4j import Row
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.neo4j.rows import memory_row
from benchmarks.speed.timing import Timed, timed_calls

EVENTS_MAX = 100_000
RAW_SPACE = "raw"
RAW = """
UNWIND $rows AS row
CREATE (e:Event {ns: $ns}) SET e += row.event
CREATE (m:Memory {ns: $ns, memory_id: row.memory.memory_id})
SET m += row.memory.fixed, m += row.memory.changing
"""


async def stored_rows(store: NamespaceStore, sessions: Sequence[str]) -> list[Row]:
    """Each event with its drawer, as a commit puts them."""
    events = [
        event
        for session_id in sessions
        for event in (await store.list_events(session_id, -1, EVENTS_MAX)).items
    ]
    found = await store.memories([event.memory_id for event in events], caller=None)
    drawers = {memory.memory_id: memory for memory in found}
    return [
        {"event": dict(rows.event_row(event)), "memory": memory_row(drawers[event.memory_id], at)}
        for at, event in enumerate(events, start=1)
    ]


async def raw_batches(driver: AsyncDriver, kept: Sequence[Row], size: int) -> Timed:
    """The rows, so many a transaction."""
    space = f"{RAW_SPACE}-{size}"
    batches = [kept[start : start + size] for start in range(0, len(kept), size)]

    async def put(batch: Sequence[Row]) -> None:
        async with driver.session() as session:
            await (await session.run(RAW, {"rows": list(batch), "ns": space})).consume()

    await put(batches[0])
    return await timed_calls(f"raw UNWIND of {size}", len(kept), batches[1:], put)
