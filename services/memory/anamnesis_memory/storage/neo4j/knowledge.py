"""Knowledge in Neo4j: what writes see and change, inside the transaction of a write.

Knowledge is seen at the write's turn, when the edits of the writes before are put. Puts are
drafted, but for reviews, which reach further (see `facts.review`).
"""

from dataclasses import dataclass, field

from anamnesis_memory.domain.entities.names import KnownEntity, Mention
from anamnesis_memory.domain.facts.versions import FactVersion, Telling
from anamnesis_memory.ports import ReadSet, ReadView, WriteSet
from anamnesis_memory.storage.neo4j.entities import put_entities, see_entities
from anamnesis_memory.storage.neo4j.facts import draw_facts, forget_facts, put_facts, see_lines
from anamnesis_memory.storage.neo4j.scope import ScopedTransaction


@dataclass(slots=True)
class KnowledgeDraft:
    """Edits to be put; later ones replace earlier ones of the same record."""

    tellings: dict[str, Telling] = field(default_factory=dict)
    removed_tellings: dict[str, None] = field(default_factory=dict)
    versions: dict[tuple[str, int], FactVersion] = field(default_factory=dict)
    removed_facts: dict[str, None] = field(default_factory=dict)
    entities: dict[str, KnownEntity] = field(default_factory=dict)
    mentions: dict[tuple[str, str, str], Mention] = field(default_factory=dict)
    unmentioned: dict[str, None] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Records to be put or removed."""
        removed = len(self.removed_tellings) + len(self.removed_facts) + len(self.unmentioned)
        told = len(self.tellings) + len(self.versions)
        return told + len(self.entities) + len(self.mentions) + removed

    def take(self, edits: WriteSet) -> None:
        """Take over the records of one write: what it removes, then what it puts.

        A memory that it deletes mentions nobody: an entity that was never named stays.
        """
        self._take_facts(edits)
        for memory_id in edits.unmentioned:
            self.unmentioned[memory_id] = None
            for key in [key for key in self.mentions if key[0] == memory_id]:
                del self.mentions[key]
        self.entities.update((one.entity_id, one) for one in edits.entities)
        self.mentions.update(
            ((one.memory_id, one.entity_id, one.spelling.name), one)
            for one in edits.mentions
            if one.memory_id not in edits.deleted_memories
        )

    def _take_facts(self, edits: WriteSet) -> None:
        self.removed_facts |= dict.fromkeys(edits.removed_facts)
        self.removed_tellings |= dict.fromkeys(edits.removed_tellings)
        for telling_id in edits.removed_tellings:
            self.tellings.pop(telling_id, None)
        for fact_id in edits.removed_facts:
            self._forget_fact(fact_id)
        self.tellings.update((one.telling_id, one) for one in edits.tellings)
        self.versions.update(
            ((one.state.fact_id, one.known_from_us), one) for one in edits.fact_versions
        )

    def _forget_fact(self, fact_id: str) -> None:
        for key in [key for key, one in self.tellings.items() if one.fact_id == fact_id]:
            del self.tellings[key]
        for version in [key for key in self.versions if key[0] == fact_id]:
            del self.versions[version]


def looks_at_knowledge(wanted: ReadSet) -> bool:
    """True if a write wants to see lines of facts, or entities and their mentions."""
    return bool(wanted.lines or wanted.names is not None or wanted.entities or wanted.mentions_of)


async def look_at_knowledge(tx: ScopedTransaction, wanted: ReadSet, seen: ReadView) -> ReadView:
    """The view, with the knowledge that the write wants to see."""
    if wanted.lines:
        seen = await see_lines(tx, wanted.lines, seen)
    return await see_entities(tx, wanted, seen)


async def put_knowledge(tx: ScopedTransaction, draft: KnowledgeDraft) -> None:
    """Put what was drafted, behind the memories that it hangs on."""
    await tx.each("delete_tellings", list(draft.removed_tellings))
    await forget_facts(tx, list(draft.removed_facts))
    await put_facts(tx, draft.tellings.values(), draft.versions.values())
    await put_entities(
        tx, list(draft.entities.values()), list(draft.unmentioned), draft.mentions.values()
    )
    facts = (*draft.removed_facts, *(fact_id for fact_id, _ in draft.versions))
    await draw_facts(tx, facts, (*draft.unmentioned, *(key[0] for key in draft.mentions)))


def reviews(edits: WriteSet) -> bool:
    """True if a write gives or takes away reasons to look at memories again."""
    return bool(edits.shaken or edits.lifted or edits.reviewed or edits.reasons)
