"""Verification that topics are what their members make them."""

from collections.abc import AsyncIterator

import numpy as np

from anamnesis_memory.model.memory import Topic
from anamnesis_memory.model.scopes import scope_of
from anamnesis_memory.operations.findings import Finding, FindingKind
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.topics import TopicReads

PAGE = 500
CENTROID_TOLERANCE = 1e-3
_TRIES = 3


async def topic_ids(store: TopicReads) -> AsyncIterator[str]:
    """Ids of all topics."""
    after: str | None = ""
    while after is not None:
        page = await store.topics("", None, after, PAGE)
        for topic in page.items:
            yield topic.topic_id
        after = None if page.next_after is None else str(page.next_after)


async def check_topic(store: NamespaceStore, topic_id: str, *, repair: bool) -> Finding | None:
    """The finding about one topic; checked again where topics changed meanwhile."""
    fault = await _settled_fault(store, topic_id)
    if not fault:
        return None
    mended = False
    if repair:
        await store.repair_topics([topic_id])
        mended = not await _settled_fault(store, topic_id)
    return Finding(FindingKind.TOPIC, topic_id, fault, mended)


async def _settled_fault(store: NamespaceStore, topic_id: str) -> str:
    """The fault as of one state of the topics, as far as they come to rest."""
    fault = ""
    for _ in range(_TRIES):
        before = await store.topic_progress()
        found = (await store.topics(topic_id, None, "", 1)).items
        fault = await _fault_of(store, found[0]) if found else ""
        if not fault or (await store.topic_progress())[0] == before[0]:
            break
    return fault


async def _fault_of(store: NamespaceStore, topic: Topic) -> str:
    count, total, vectors, scopes = 0, np.zeros(1), 0, {topic.scope}
    after: int | None = 0
    while after is not None:
        page = await store.list_topic_members(topic.topic_id, after, PAGE)
        rows = await store.embeddings(page.items)
        count += len(page.items)
        vectors += len(rows)
        if rows:
            total = total + np.sum([each.mean(axis=0) for each in rows.values()], axis=0)
        scopes |= {scope_of(memory) for memory in await store.memories(page.items, None)}
        after = None if page.next_after is None else int(page.next_after)
    if len(scopes) > 1:
        return f"mixes who may see its members: {', '.join(sorted(scopes))}"
    if count != topic.member_count:
        return f"counts {topic.member_count} members and has {count}"
    mean = total / max(vectors, 1)
    if vectors and (
        mean.shape != topic.centroid.shape
        or not np.allclose(mean, topic.centroid, rtol=0, atol=CENTROID_TOLERANCE)
    ):
        return "has a centroid that is not the mean of its members"
    return ""
