"""Everything read at the end, against what clients were told."""

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from anamnesis.ingestion.v1.ingestion_service_pb2 import AppendEventsRequest
from anamnesis.memory.v1.event_pb2 import ROLE_USER, Event
from anamnesis.retrieval.v1.retrieval_service_pb2 import SearchRequest
from benchmarks.reading import event_texts, memory_texts
from benchmarks.recovery.requests import SPACE, Request
from benchmarks.recovery.writing import Known, Told
from benchmarks.stubs import CALL_S_MAX, Stubs

SEARCHED = 40


@dataclass(frozen=True, slots=True)
class Count:
    """Texts: told, stored, and what must be none of them."""

    acknowledged: int
    in_doubt: int
    in_doubt_stored: int
    refused: int
    lost: int
    doubled: int
    refused_stored: int
    unknown: int
    not_found: int
    added_by_repeating: int

    @property
    def faults(self) -> int:
        """Number of faults, which must be none."""
        return (
            self.lost
            + self.doubled
            + self.refused_stored
            + self.unknown
            + self.not_found
            + self.added_by_repeating
        )


@dataclass(frozen=True, slots=True)
class Stored:
    """The stored texts, with their counts: events of sessions, and memories."""

    events: Counter[str]
    memories: Counter[str]

    @property
    def size(self) -> int:
        """Records of both."""
        return self.events.total() + self.memories.total()


async def count(stubs: Stubs, known: Known) -> Count:
    """Read everything, send everything again, read everything again, look for some of it."""
    stored = await _stored(stubs)
    told = {each: set(_texts(known.told[each])) for each in Told}
    lost = _missing(stored, known.told[Told.ACKNOWLEDGED])
    sent_once = told[Told.IN_DOUBT] & stored.memories.keys()
    found = stored.events.keys() | stored.memories.keys()
    await _repeat(stubs, known)
    added = (await _stored(stubs)).size - stored.size
    not_found = await _not_found(stubs, sorted(told[Told.ACKNOWLEDGED]))
    return Count(
        acknowledged=len(told[Told.ACKNOWLEDGED]),
        in_doubt=known.in_doubt,
        in_doubt_stored=known.in_doubt_stored + len(sent_once),
        refused=len(told[Told.REFUSED]),
        lost=lost,
        doubled=_doubled(stored.events) + _doubled(stored.memories),
        refused_stored=len(told[Told.REFUSED] & found),
        unknown=len(found.difference(*told.values())),
        not_found=not_found,
        added_by_repeating=added,
    )


async def _stored(stubs: Stubs) -> Stored:
    return Stored(await event_texts(stubs, SPACE), await memory_texts(stubs, SPACE))


def _texts(requests: Iterable[Request]) -> Iterable[str]:
    return (text for request in requests for text in request.texts)


def _missing(stored: Stored, acknowledged: Iterable[Request]) -> int:
    """Texts that are not a memory, or not an event where they were sent as one."""
    return sum(
        text not in stored.memories or (request.events and text not in stored.events)
        for request in acknowledged
        for text in request.texts
    )


def _doubled(found: Counter[str]) -> int:
    return sum(times - 1 for times in found.values())


async def _not_found(stubs: Stubs, acknowledged: list[str]) -> int:
    """Number of texts of a sample that a search for their word does not find.

    The index follows the store; a search that names a last write's revision waits for all.
    """
    last = AppendEventsRequest(
        namespace=SPACE,
        session_id="last",
        events=[Event(role=ROLE_USER, content="The end.")],
        use_server_time=True,
    )
    revision = (await stubs.ingestion.AppendEvents(last, timeout=CALL_S_MAX)).revision
    missed = 0
    for text in random.Random(SEARCHED).sample(acknowledged, min(SEARCHED, len(acknowledged))):
        word = text.split()[0]
        answer = await stubs.retrieval.Search(
            SearchRequest(namespace=SPACE, query=word, limit=3, at_least_revision=revision),
            timeout=CALL_S_MAX,
        )
        missed += text not in {result.memory.summary for result in answer.results}
    return missed


async def _repeat(stubs: Stubs, known: Known) -> None:
    """Send again what may be sent again."""
    for request in known.told[Told.ACKNOWLEDGED]:
        if request.repeatable:
            await request.send(stubs)
