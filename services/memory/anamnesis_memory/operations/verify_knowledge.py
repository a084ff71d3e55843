"""Verification that facts over time, names and reviews agree with their memories."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from anamnesis_memory.domain.entities.names import KnownEntity, Mention
from anamnesis_memory.domain.facts.review import ReviewReason
from anamnesis_memory.domain.facts.versions import FactVersion, Telling
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.model.memory_details import Fact
from anamnesis_memory.operations.findings import Finding, FindingKind
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.upkeep import Known

BATCH = 500

_Name = tuple[str, str, str]
"""An entity, a scope and a spelling."""


class KnowledgeChecks:
    """Takes records in the order of an export; ids and names are kept, bodies are not."""

    def __init__(self) -> None:
        self._memory_ids: set[str] = set()
        self._flagged: set[str] = set()
        self._reviewed: set[str] = set()
        self._facts: dict[str, bool] = {}
        """Facts that memories hold, and whether they were taken back."""
        self._told: set[str] = set()
        self._current: Counter[str] = Counter()
        self._wholes: dict[str, str] = {}
        self._names: Counter[_Name] = Counter()

    def note_memory(self, memory: Memory) -> Iterator[Finding]:
        """Remember a memory; a fact is held by one."""
        self._memory_ids.add(memory.memory_id)
        if memory.needs_review:
            self._flagged.add(memory.memory_id)
        if isinstance(memory.part, Fact) and memory.part.fact_id:
            if memory.part.fact_id in self._facts:
                told = f"is held by memory {memory.memory_id} and by another"
                yield Finding(FindingKind.FACT, memory.part.fact_id, told)
            self._facts[memory.part.fact_id] = memory.part.retracted

    def check(self, record: Known) -> Iterator[Finding]:
        """The findings about one record."""
        match record:
            case KnownEntity(entity_id):
                self._wholes[entity_id] = record.merged_into_id
            case Mention():
                yield from self._mention(record)
            case Telling():
                yield from self._held(record.fact_id, f"is told by {record.telling_id}")
                if record.known_to_us is None:
                    self._told.add(record.fact_id)
            case FactVersion(state):
                yield from self._held(state.fact_id, "has been known")
                self._current[state.fact_id] += record.known_to_us is None
            case ReviewReason():
                yield from self._reason(record)

    def close(self) -> Iterator[Finding]:
        """The findings that need all records to have been seen."""
        for fact_id, retracted in self._facts.items():
            yield from self._fact(fact_id, retracted=retracted)
        named = {entity_id for entity_id, _, _ in self._names}
        for entity_id, whole_id in self._wholes.items():
            if entity_id not in named:
                yield Finding(FindingKind.ENTITY, entity_id, "has no name: no memory mentions it")
            if whole_id and whole_id not in self._wholes:
                told = f"is part of entity {whole_id}, which is not there"
                yield Finding(FindingKind.ENTITY, entity_id, told)
        for memory_id in sorted(self._flagged - self._reviewed):
            yield Finding(FindingKind.REVIEW, memory_id, "says needs_review, and nothing says why")
        for memory_id in sorted((self._reviewed & self._memory_ids) - self._flagged):
            told = "has a reason to be reviewed, and does not say needs_review"
            yield Finding(FindingKind.REVIEW, memory_id, told)

    async def miscounted(self, store: NamespaceStore, revision: int) -> list[Finding]:
        """Names that are counted otherwise than they are mentioned.

        What has changed since the revision that was read is judged the next time.
        """
        findings: list[Finding] = []
        waiting = iter(self._wholes)
        while batch := list(islice(waiting, BATCH)):
            found = await store.entities(batch, None)
            if store.revision != revision:
                return []
            findings += self._miscounted(batch, found)
        return findings

    def _miscounted(
        self, entity_ids: Sequence[str], found: Sequence[KnownEntity]
    ) -> Iterator[Finding]:
        counted = {
            (one.entity_id, name.scope, name.spelling.name): name.count
            for one in found
            for name in one.names
        }
        asked = set(entity_ids)
        mentioned = {name: count for name, count in self._names.items() if name[0] in asked}
        for name in sorted(counted.keys() | mentioned.keys()):
            counts = counted.get(name, 0), mentioned.get(name, 0)
            if counts[0] != counts[1]:
                told = "counts a name in scope {!r} {} times, memories mention it {} times"
                yield Finding(FindingKind.ENTITY, name[0], told.format(name[1], *counts))

    def _mention(self, mention: Mention) -> Iterator[Finding]:
        if mention.entity_id not in self._wholes:
            told = f"is mentioned by memory {mention.memory_id} and is not there"
            yield Finding(FindingKind.ENTITY, mention.entity_id, told)
        if mention.memory_id not in self._memory_ids:
            told = f"is mentioned by memory {mention.memory_id}, which is not there"
            yield Finding(FindingKind.ENTITY, mention.entity_id, told)
        self._names[mention.entity_id, mention.scope, mention.spelling.name] += 1

    def _held(self, fact_id: str, what: str) -> Iterator[Finding]:
        if fact_id not in self._facts:
            yield Finding(FindingKind.FACT, fact_id, f"{what}, and no memory holds it")

    def _fact(self, fact_id: str, *, retracted: bool) -> Iterator[Finding]:
        """A fact that was not taken back is told, and has one current version; else neither."""
        current = self._current[fact_id]
        if current > 1 or (current == 1) == retracted:
            state = "taken back" if retracted else "not taken back"
            told = f"is {state}, and has {current} current versions"
            yield Finding(FindingKind.FACT, fact_id, told)
        if (fact_id in self._told) == retracted:
            told = "is taken back, and told" if retracted else "is told by nobody"
            yield Finding(FindingKind.FACT, fact_id, told)

    def _reason(self, reason: ReviewReason) -> Iterator[Finding]:
        self._reviewed.add(reason.memory_id)
        for end in dict.fromkeys((reason.memory_id, reason.ground_id)):
            if end not in self._memory_ids:
                told = f"is to be reviewed for memory {reason.ground_id}; {end} is not there"
                yield Finding(FindingKind.REVIEW, reason.memory_id, told)
