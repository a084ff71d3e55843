"""Finding out what goes with memories, before the write that erases them. Reads only."""

from collections.abc import Iterable, Sequence

from anamnesis_libs.topic_labels import topic_label
from anamnesis_memory.erasure.erase_memories import Lineage, rests_on
from anamnesis_memory.erasure.ledger_traces import places_of
from anamnesis_memory.erasure.lineage import Fates, fates
from anamnesis_memory.knowledge.assert_fact import lines_wanted
from anamnesis_memory.knowledge.erasing import fact_of
from anamnesis_memory.memories.policy import POLICY_KEY, policy_of
from anamnesis_memory.model.edges import EdgeType
from anamnesis_memory.model.memory import Kind, Memory
from anamnesis_memory.model.memory_details import Lesson
from anamnesis_memory.model.memory_versions import Copy
from anamnesis_memory.ports import NamespaceStore, ReadView
from anamnesis_memory.ports.knowledge import LineWanted
from anamnesis_memory.ports.life import ErasureSubject, LifeReads

BATCH_MAX = 200
"""Memories erased in one transaction."""
_EDGES_MAX = 1_000_000
_MEMBERS_MAX = 200


async def trace(
    store: NamespaceStore,
    roots: Sequence[str],
    subject: ErasureSubject | None = None,
    *,
    ledger_stays: bool,
) -> tuple[Lineage, Fates]:
    """Trace what was derived from memories, as far as it goes with them.

    Args:
        store: of the namespace.
        roots: what is to be erased.
        subject: whose traces go, if it is a subject's.
        ledger_stays: whether the sessions of drawers stay, and with them the drawers' events.
    """
    looked_at: set[str] = set(roots)
    seen = ReadView()
    while True:
        seen = await _seen(store, looked_at)
        told = fates(seen, roots, looked_at, subject)
        if not told.unknown:
            break
        looked_at |= told.unknown
    lost = told.lost
    here = [seen.memories[one] for one in roots if one in seen.memories]
    lineage = Lineage(
        roots=tuple(roots),
        looked_at=frozenset(looked_at),
        beside=frozenset(seen.memories) - looked_at,
        places=places_of(here) if ledger_stays else (),
        topic_labels=await _labels(store, (seen.memories[one] for one in lost), lost),
        lines=await lines_of(
            store, (seen.memories[one] for one in looked_at & seen.memories.keys())
        ),
    )
    return lineage, told


async def lines_of(store: LifeReads, memories: Iterable[Memory]) -> tuple[LineWanted, ...]:
    """The lines on which these memories hold facts."""
    facts = [memory for memory in memories if fact_of(memory) is not None]
    if not facts:
        return ()
    predicates = policy_of(await store.document(POLICY_KEY)).predicates
    return lines_wanted(facts, predicates)


async def _seen(store: NamespaceStore, memory_ids: Iterable[str]) -> ReadView:
    """Memories with what hangs on them, and what else they rest on."""
    ids = sorted(memory_ids)
    edges = await store.edges_of(ids, (EdgeType.DERIVED_FROM,), _EDGES_MAX)
    found = {memory.memory_id: memory for memory in await store.memories(ids, None)}
    beside = {edge.target_id for edge in edges} | rests_on(found.values())
    more = await store.memories(sorted(beside - found.keys()), None)
    copies: dict[str, Sequence[Copy]] = {}
    for memory in found.values():
        if memory.kind is not Kind.EPISODIC:
            copies[memory.memory_id] = await store.copies_of(memory.memory_id)
    everything = found | {memory.memory_id: memory for memory in more}
    held = {memory_id: tuple(each) for memory_id, each in copies.items()}
    return ReadView(memories=everything, edges=tuple(edges), copies=held)


async def _labels(
    store: NamespaceStore, memories: Iterable[Memory], lost: frozenset[str]
) -> dict[str, str]:
    """The labels of topics that lose a member: each after the oldest member that it keeps."""
    lessons = [memory.memory_id for memory in memories if memory.kind is Kind.LEARNING]
    topics = await store.topics_of(lessons) if lessons else {}
    return {
        topic_id: await _label(store, topic_id, lost) for topic_id in dict.fromkeys(topics.values())
    }


async def _label(store: NamespaceStore, topic_id: str, lost: frozenset[str]) -> str:
    """The label of a topic after its oldest member that stays; empty where none does."""
    after: int | str | None = 0
    while isinstance(after, int):
        page = await store.list_topic_members(topic_id, after, _MEMBERS_MAX)
        staying = [one for one in page.items if one not in lost]
        if staying:
            (member,) = await store.memories(staying[:1], None) or (None,)
            return "" if member is None else label_of(member)
        after = page.next_after
    return ""


def label_of(memory: Memory) -> str:
    """The label of a topic that is named after a lesson, as if the lesson had founded it."""
    title = memory.part.title if isinstance(memory.part, Lesson) else ""
    return topic_label(title, memory.content)
