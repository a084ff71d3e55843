"""Retelling: what was learned before facts had lines and entities names, told and named anew.

A migration, or an import of an earlier format, leaves a document that says so (`RETELL_KEY`);
whoever opens the namespace next goes through its memories once and takes the document away.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from anamnesis_libs.errors import AnamnesisError
from anamnesis_libs.logs import logger
from anamnesis_memory.knowledge.entity_resolution import names_of
from anamnesis_memory.knowledge.intake import KnowledgeIntake, KnowledgeRules
from anamnesis_memory.knowledge.write_outcome import Created
from anamnesis_memory.memories.policy import POLICY_KEY, policy_of
from anamnesis_memory.model.documents import Collection, Document, DocumentKey
from anamnesis_memory.model.memory import Memory, MemoryFilter, Origin
from anamnesis_memory.model.memory_details import Fact
from anamnesis_memory.ports import (
    CommitStamp,
    Decision,
    IndexRecord,
    NamespaceStore,
    ReadSet,
    ReadView,
    WriteSet,
)

RETELL_KEY = DocumentKey(Collection.UPGRADE, "knowledge")
BATCH_MAX = 100
_LOG = logger("memory.retelling")


def retelling_due() -> Document:
    """The document that says that facts and names of before are to be told anew."""
    return Document(RETELL_KEY.collection, RETELL_KEY.name, "{}", 0)


async def retell(store: NamespaceStore, name: str) -> None:
    """Tell anew what a namespace learned before; what fails is left for the next opening."""
    if await store.document(RETELL_KEY) is None:
        return
    try:
        facts = await _retell_all(store)
    except AnamnesisError as error:
        _LOG.warning("namespace.retelling_failed", namespace=name, why=error.message)
        return
    _LOG.info("namespace.retold", namespace=name, facts=facts)


async def _retell_all(store: NamespaceStore) -> int:
    predicates = policy_of(await store.document(POLICY_KEY)).predicates
    where = MemoryFilter(include_archived=True)
    told = 0
    after: int | str | None = 0
    while isinstance(after, int):
        page = await store.list_memories(where, None, after, BATCH_MAX)
        for learned in (True, False):
            batch = [one for one in page.items if _is_learned(one) is learned and _tells(one)]
            if batch:
                write = Retell(batch, KnowledgeRules(predicates, learned=learned))
                told += (await store.commit(write)).result or 0
        after = page.next_after
    await store.commit(RetellingDone())
    return told


@dataclass(frozen=True, slots=True)
class Retell:
    """The write that tells the facts among memories on their lines, and notes whom all name.

    A fact that another memory holds by now is taken in by it, as if it were told today.
    """

    memories: Sequence[Memory]
    knowledge: KnowledgeRules

    def wanted(self) -> ReadSet:
        """The memories as they are now, their lines, and the entities that they may name."""
        ids = tuple(one.memory_id for one in self.memories)
        return self.knowledge.adding(ReadSet(memories=ids), self.memories)

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[int]:
        """Tell and name; the result is the number of facts."""
        intake = KnowledgeIntake(self.knowledge, seen, stamp)
        told: dict[str, Created] = {}
        for memory in self.memories:
            now = seen.memories.get(memory.memory_id)
            if now is None or now.part != memory.part:
                continue
            if isinstance(now.part, Fact) and not now.part.fact_id:
                stamped = replace(now, update_time_us=stamp.now_us, revision=stamp.revision)
                told[now.memory_id] = intake.tell(IndexRecord(stamped, None), now.part)
            holder = told[now.memory_id].memory if now.memory_id in told else now
            intake.mention(holder, names_of(now))
        gone = tuple(one for one, by in told.items() if by.memory.memory_id != one)
        return Decision(len(told), replace(intake.edits(), deleted_memories=gone))


@dataclass(frozen=True, slots=True)
class RetellingDone:
    """The write that takes away the document that said what was due."""

    def wanted(self) -> ReadSet:
        """Nothing."""
        return ReadSet()

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[None]:
        """Delete the document that asks for retelling."""
        return Decision(None, WriteSet(removed_documents=(RETELL_KEY,)))


def _is_learned(memory: Memory) -> bool:
    """True if a memory comes out of talk; else somebody stated it."""
    return memory.provenance.origin is not Origin.ASSERTED


def _tells(memory: Memory) -> bool:
    fact = memory.part
    return bool(names_of(memory)) or (isinstance(fact, Fact) and not fact.fact_id)
