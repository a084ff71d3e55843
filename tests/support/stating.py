"""Facts as people state them, over any store: told, erased, moved, and whether all agrees."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from anamnesis_memory.domain.entities.names import Named
from anamnesis_memory.domain.facts.asof import known
from anamnesis_memory.domain.facts.predicates import SingleValued
from anamnesis_memory.domain.facts.versions import FactVersion
from anamnesis_memory.knowledge.intake import KnowledgeRules
from anamnesis_memory.knowledge.write_outcome import Created
from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.memories.editing.relatives import relatives_of
from anamnesis_memory.memories.editing.update import MemoryEdit, Relatives, UpdateMemory
from anamnesis_memory.model.ids import new_id
from anamnesis_memory.model.memory import Caller, Kind, Memory, Origin, Provenance, Visibility
from anamnesis_memory.model.memory_details import Fact
from anamnesis_memory.operations.findings import Finding
from anamnesis_memory.operations.verify_records import RecordChecks
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.knowledge import FactWhere
from tests.support.records import BASE_US, DIMENSION

YEAR_US = 365 * 86_400_000_000
RULES = SingleValued()
_MS_US = 1_000
_TOLD = count()
"""Ids sort as memories were made, as they do where a clock goes on."""


def said(
    city: str,
    since: int | None = None,
    *,
    user: str = "zarela",
    visibility: Visibility = Visibility.SHARED,
    sources: Sequence[str] = (),
    predicate: str = "lives_in",
    persons: Sequence[str] = (),
) -> Memory:
    """A user says where Nadia lives, since so many years."""
    part = Fact(
        "Nadia",
        predicate,
        city,
        None if since is None else since * YEAR_US,
        persons=tuple(persons),
        source_memory_ids=tuple(sources),
    )
    return Memory(
        memory_id=new_id(BASE_US + next(_TOLD) * _MS_US),
        kind=Kind.SEMANTIC,
        content=f"{user}: Nadia {predicate} {city}.",
        create_time_us=0,
        update_time_us=0,
        revision=0,
        provenance=Provenance(Origin.ASSERTED),
        visibility=visibility,
        user_id=user,
        part=part,
    )


async def tell(store: NamespaceStore, memory: Memory, *named: Named) -> Created:
    """State one, and what it names besides."""
    knowledge = KnowledgeRules(RULES, {memory.memory_id: named} if named else {})
    write = CreateMemories([memory], [None], knowledge=knowledge)
    (created,) = (await store.commit(write)).result or ()
    return created


async def change(store: NamespaceStore, memory_id: str, user: str, wanted: MemoryEdit) -> Memory:
    """Change a memory as its service does."""
    (memory,) = await store.memories([memory_id], None)
    relatives = Relatives()
    if wanted.visibility is not None:
        relatives = await relatives_of(store, memory, wanted.visibility)
    ids = new_id(BASE_US), new_id(BASE_US)
    write = UpdateMemory(memory_id, Caller(user_id=user), "", wanted, *ids, relatives)
    result = (await store.commit(write)).result
    assert result is not None
    return result


async def versions(store: NamespaceStore, known_at_us: int | None = None) -> list[FactVersion]:
    """All facts as they were known."""
    return [*await store.list_facts(FactWhere(known_at_us=known_at_us), None, None, 1000)]


async def stated(store: NamespaceStore, known_at_us: int | None = None) -> set[str]:
    """What is known, as lines that can be read: scope, city, years, sources, confidence, flags."""
    lines = set()
    for state in known(await versions(store, known_at_us), known_at_us):
        first, after = (
            None if one is None else one // YEAR_US
            for one in (state.interval.from_us, state.interval.to_us)
        )
        flags = "!" * state.contradicted + "x" * bool(state.closed_by)
        lines.add(
            f"{state.statement.scope} {state.statement.object} {first}..{after} "
            f"{'+'.join(state.sources)} {state.confidence:.2f} {flags}".rstrip()
        )
    return lines


async def faults(store: NamespaceStore, dimension: int = DIMENSION) -> list[Finding]:
    """What a verification of the records finds."""
    async with store.export() as export:
        checks = RecordChecks(export.revision, dimension)
        found = [one async for page in export.pages for one in checks.check(page)]
        found += checks.close(export.counts)
    return [*found, *await checks.knowledge.miscounted(store, store.revision)]


async def reviewed(store: NamespaceStore, ids: Sequence[str]) -> list[bool]:
    """Which of these say that they are to be reviewed, and have not ended themselves."""
    held = await store.memories(ids, None)
    return [
        one.needs_review and not (isinstance(one.part, Fact) and one.part.ended) for one in held
    ]


def fact_of(memory: Memory) -> Fact:
    """The part of a fact."""
    assert isinstance(memory.part, Fact)
    return memory.part


def private(memory: Memory) -> Memory:
    """The same, seen by its user alone."""
    return replace(memory, visibility=Visibility.PRIVATE_TO_USER)
