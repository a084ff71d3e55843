"""The ten chains of `tests/data/cascade` on every backend: what is marked, and nothing else."""

from dataclasses import dataclass, field

import pytest

from anamnesis_memory.domain.facts.interval import period
from anamnesis_memory.knowledge.intake import KnowledgeRules
from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.memories.editing.update import MemoryEdit
from anamnesis_memory.model.edges import EdgeType
from anamnesis_memory.model.ids import new_id
from anamnesis_memory.model.memory import Kind, Memory, Origin, Provenance, Visibility
from anamnesis_memory.model.memory_details import Fact, Lesson, Part, Procedure
from anamnesis_memory.ports import NamespaceStore, WriteSet
from tests.contract.test_facts_erased import delete, retract
from tests.support.cascade import CHAINS, NAMES, Chain, Node, text_of
from tests.support.clock import SetClock
from tests.support.life import edge, put
from tests.support.records import BASE_US
from tests.support.stating import change, faults, reviewed


@dataclass(slots=True)
class World:
    """What the chain calls its memories, and what they are called in the store."""

    store: NamespaceStore
    clock: SetClock
    ids: dict[str, str] = field(default_factory=dict)

    async def add(self, node: Node) -> None:
        self.clock.move(days=1)
        memory = self._memory(node)
        write = CreateMemories([memory], [None], knowledge=KnowledgeRules())
        (created,) = (await self.store.commit(write)).result or ()
        self.ids[node["id"]] = created.memory.memory_id
        if memory.kind is Kind.PROCEDURAL:
            # a procedure names no sources: its edge comes by itself
            edges = [edge(memory.memory_id, one, EdgeType.DERIVED_FROM) for one in self._of(node)]
            await put(self.store, WriteSet(edges=tuple(edges)))

    async def run(self, chain: Chain) -> None:
        for node in chain["memories"]:
            await self.add(node)
        for step in chain["steps"]:
            self.clock.move(days=1)
            if "assert" in step:
                await self.add(step["assert"])
            elif "retract" in step:
                await retract(self.store, await self.memory(step["retract"]))
            else:
                memory = await self.memory(step["confirm"])
                await change(
                    self.store, memory.memory_id, memory.user_id, MemoryEdit(needs_review=False)
                )

    async def memory(self, name: str) -> Memory:
        (found,) = await self.store.memories([self.ids[name]], None)
        return found

    async def marked(self) -> list[str]:
        names = [*self.ids]
        flags = await reviewed(self.store, [*self.ids.values()])
        return sorted(name for name, flag in zip(names, flags, strict=True) if flag)

    def _of(self, node: Node) -> tuple[str, ...]:
        return tuple(self.ids[one] for one in node["derived_from"])

    def _memory(self, node: Node) -> Memory:
        user = node.get("private_to", "")
        return Memory(
            memory_id=new_id(BASE_US),
            kind=Kind[node["kind"]],
            content=text_of(node),
            create_time_us=0,
            update_time_us=0,
            revision=0,
            provenance=Provenance(Origin.ASSERTED),
            visibility=Visibility.PRIVATE_TO_USER if user else Visibility.SHARED,
            user_id=user,
            part=self._part(node),
        )

    def _part(self, node: Node) -> Part:
        if node["kind"] == "PROCEDURAL":
            return Procedure(text_of(node))
        if node["kind"] == "LEARNING":
            return Lesson(evidence_memory_ids=self._of(node))
        begins = node.get("valid_from")
        return Fact(
            node["subject"],
            node["predicate"],
            node["object"],
            period(begins).first_us if begins else None,
            source=node.get("source", "chat"),
            single_valued=node.get("single_valued", False),
            source_memory_ids=self._of(node),
        )


@pytest.mark.parametrize("chain", CHAINS, ids=NAMES)
async def test_a_chain_marks_what_it_says(
    store: NamespaceStore, clock: SetClock, chain: Chain
) -> None:
    world = World(store, clock)
    await world.run(chain)
    assert await world.marked() == sorted(chain["needs_review"])
    assert set(chain["not"]) <= world.ids.keys() - set(await world.marked())
    assert not await faults(store)


@pytest.mark.parametrize("chain", CHAINS, ids=NAMES)
async def test_a_change_that_is_erased_has_marked_nothing(
    store: NamespaceStore, clock: SetClock, chain: Chain
) -> None:
    world = World(store, clock)
    for node in chain["memories"]:
        await world.add(node)
    before = await world.marked()
    steps = [step for step in chain["steps"] if "assert" in step]
    there = {*world.ids.values()}
    await world.run({**chain, "memories": [], "steps": steps})
    told = [step["assert"]["id"] for step in steps]
    for name in reversed(told):
        if world.ids[name] not in there:  # who told it again found it
            await delete(store, await world.memory(name))
            del world.ids[name]
    assert await world.marked() == before == []
    assert not await faults(store)
