"""Checks after the year: forgotten memories are nowhere, protected ones are there.

Each check answers how many things it found in the wrong place, which must be none.
"""

from collections.abc import Sequence

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import memory_service_pb2 as memory
from anamnesis.memory.v1.memory_pb2 import MEMORY_STATUS_ACTIVE, Memory
from benchmarks.life.service import SPACE
from benchmarks.life.year import Life

_ASKED_MAX = 200
_BATCH = 200
_EDGES_MAX = 1000


async def checked(life: Life) -> dict[str, int]:
    """All checks, by name."""
    await life.service.catch_up()
    found = await life.service.memories()
    there = {one.memory_id for one in found}
    gone = [memory_id for memory_id in life.texts if memory_id not in there]
    archived = [one for one in found if one.status != MEMORY_STATUS_ACTIVE]
    return {
        "forgotten": len(gone),
        "forgotten_read_by_id": await _readable(life, gone),
        "forgotten_found_by_search": await _found(life, gone),
        "forgotten_words_left": await _words_left(life, gone),
        "forgotten_edges_left": await _edges_left(life, gone),
        "archived_found_by_search": await _found(life, [one.memory_id for one in archived]),
        "pinned": len(life.pinned),
        "pinned_missing": sum(
            one.memory_id in life.pinned and one.status != MEMORY_STATUS_ACTIVE for one in found
        )
        + len(life.pinned - there),
        "holding_facts": len(life.holding),
        "holding_facts_missing": len(life.holding - _active(found)),
        "central": sum(one.centrality >= 0.95 for one in found),
        "central_missing": sum(one.centrality >= 0.95 for one in archived),
    }


def faults(checks: dict[str, int]) -> dict[str, int]:
    """The checks that found something in the wrong place, with their counts."""
    wrong = ("_missing", "_left", "_by_id", "_by_search")
    return {name: count for name, count in checks.items() if count and name.endswith(wrong)}


def _active(found: Sequence[Memory]) -> set[str]:
    return {one.memory_id for one in found if one.status == MEMORY_STATUS_ACTIVE}


async def _readable(life: Life, gone: Sequence[str]) -> int:
    """Number of memories that are answered by their id."""
    count = 0
    for start in range(0, len(gone), _BATCH):
        request = memory.BatchGetMemoriesRequest(
            namespace=SPACE,
            memory_ids=gone[start : start + _BATCH],
            all_visibilities=True,
            purpose=memory.READ_PURPOSE_INTERNAL,
        )
        count += len((await life.service.memory.BatchGetMemories(request)).memories)
    return count


async def _found(life: Life, ids: Sequence[str]) -> int:
    """Number of memories that a search for their own words finds; of many, some are tried."""
    step = max(1, len(ids) // _ASKED_MAX)
    count = 0
    for memory_id in ids[::step]:
        request = memory.FindCandidatesRequest(
            namespace=SPACE, query=life.texts[memory_id], limit=50, caller=Caller(user_id="ada")
        )
        found = await life.service.memory.FindCandidates(request)
        count += any(one.memory_id == memory_id for one in found.candidates)
    return count


async def _words_left(life: Life, gone: Sequence[str]) -> int:
    """Forgotten words that any value of the store still holds; each occurs in one memory only."""
    words = [word for memory_id in gone for word in life.words_of(memory_id)]
    if not words:
        return 0
    async with life.service.store() as store:
        await store.scrub()
        left, _ = await store.occurrences(words)
    return len({one.needle for one in left})


async def _edges_left(life: Life, gone: Sequence[str]) -> int:
    count = 0
    async with life.service.store() as store:
        for start in range(0, len(gone), _BATCH):
            count += len(await store.edges_of(gone[start : start + _BATCH], (), _EDGES_MAX))
    return count
