"""A fact changes, and whoever reads what was derived from it is told: over real processes.

Grounds of procedures cannot be stated by a caller, so those are here without.
"""

import asyncio
import uuid
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import event_pb2, filter_pb2, memory_pb2
from anamnesis.memory.v1 import knowledge_pb2 as known
from anamnesis.memory.v1 import knowledge_service_pb2 as pb
from anamnesis.memory.v1 import memory_service_pb2 as memory_pb
from anamnesis.retrieval.v1 import retrieval_service_pb2 as retrieval_pb
from anamnesis_memory.domain.facts.interval import period
from tests.support.cascade import CHAINS, NAMES, Chain, Node, text_of
from tests.support.clients import Clients, clients_of, everywhere
from tests.support.processes import start

STATIC = {"ANAMNESIS_MODELS__EMBEDDER": "static", "ANAMNESIS_INGESTION__PIPELINE_EVERY_S": "3600"}
READER = Caller(user_id="lin")
SERVER = (pytest.mark.server, pytest.mark.timeout(600))


@pytest.fixture(
    scope="module", params=["sqlite", pytest.param("neo4j", marks=(*SERVER, pytest.mark.long))]
)
def address(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """Where a suite of its own is, on each store."""
    backend: Mapping[str, str] = {}
    if request.param == "neo4j":
        backend = {
            "ANAMNESIS_STORAGE__BACKEND": "neo4j",
            "ANAMNESIS_STORAGE__NEO4J_URI": request.getfixturevalue("neo4j_address").uri,
            "ANAMNESIS_STORAGE__NEO4J_CATALOGUE": f"test-{uuid.uuid4().hex}",
        }
    data_dir: Path = tmp_path_factory.mktemp("cascade") / "data"
    process = start(data_dir, settings={**STATIC, **backend})
    yield process.address
    assert process.stop() == 0, "".join(process.output)


@pytest.fixture
async def clients(address: str) -> AsyncIterator[Clients]:
    """Stubs of it."""
    async with clients_of(everywhere(address)) as made:
        yield made


@dataclass(slots=True)
class World:
    """What the chain calls its memories, and what the suite calls them."""

    clients: Clients
    space: str
    ids: dict[str, str] = field(default_factory=dict)
    revision: str = ""

    async def run(self, chain: Chain) -> None:
        for node in chain["memories"]:
            await self.add(node)
        for step in chain["steps"]:
            if "assert" in step:
                await self.add(step["assert"])
            elif "retract" in step:
                await self.retract(step["retract"])
            else:
                await self.confirm(step["confirm"])

    async def add(self, node: Node) -> None:
        if node["kind"] == "SEMANTIC":
            told = await self.clients.knowledge.AssertFact(self._fact(node), timeout=30)
            self.ids[node["id"]] = told.fact.memory.memory_id
            self.revision = told.revision
            return
        request = memory_pb.CreateMemoryRequest(namespace=self.space, memory=self._other(node))
        created = await self.clients.memory.CreateMemory(request, timeout=30)
        self.ids[node["id"]] = created.memory.memory_id
        self.revision = created.revision

    async def retract(self, name: str) -> None:
        request = pb.RetractFactRequest(
            namespace=self.space, memory_id=self.ids[name], caller=READER
        )
        self.revision = (await self.clients.knowledge.RetractFact(request, timeout=30)).revision

    async def confirm(self, name: str) -> None:
        request = memory_pb.UpdateMemoryRequest(
            namespace=self.space,
            memory_id=self.ids[name],
            caller=READER,
            change=memory_pb.MemoryChange(needs_review=False),
            update_mask=FieldMask(paths=["needs_review"]),
        )
        self.revision = (await self.clients.memory.UpdateMemory(request, timeout=30)).revision

    async def marked(self) -> set[str]:
        """Those that say so when they are read."""
        reads = [
            self.clients.memory.GetMemory(
                memory_pb.GetMemoryRequest(namespace=self.space, memory_id=one, caller=READER),
                timeout=30,
            )
            for one in self.ids.values()
        ]
        answers = await asyncio.gather(*reads)
        return {
            name
            for name, answer in zip(self.ids, answers, strict=True)
            if answer.memory.needs_review
        }

    async def marked_in_search(self) -> set[str]:
        """Those that say so when they are found; what holds now is found by its own words."""
        texts = {one.memory_id: one.content for one in (await self._every()).memories}
        return {name for name, one in self.ids.items() if await self._found(one, texts[one])}

    async def flagged(self) -> set[str]:
        """Facts of which a list of facts says so."""
        request = pb.ListFactsRequest(namespace=self.space, caller=READER, page_size=500)
        facts = (await self.clients.knowledge.ListFacts(request, timeout=30)).facts
        ids = {one.memory.memory_id for one in facts if known.FACT_FLAG_NEEDS_REVIEW in one.flags}
        return {name for name, one in self.ids.items() if one in ids}

    async def _every(self) -> memory_pb.BatchGetMemoriesResponse:
        request = memory_pb.BatchGetMemoriesRequest(
            namespace=self.space, memory_ids=[*self.ids.values()], caller=READER
        )
        return await self.clients.memory.BatchGetMemories(request, timeout=30)

    async def _found(self, memory_id: str, text: str) -> bool:
        request = retrieval_pb.SearchRequest(
            namespace=self.space,
            query=text,
            caller=READER,
            limit=50,
            filter=filter_pb2.MemoryFilter(include_archived=True),
            at_least_revision=self.revision,
        )
        results = (await self.clients.retrieval.Search(request, timeout=30)).results
        found = [one.memory for one in results if one.memory.memory_id == memory_id]
        return any(one.needs_review for one in found)

    def _fact(self, node: Node) -> pb.AssertFactRequest:
        begins, user = node.get("valid_from"), node.get("private_to", "")
        sight = event_pb2.VISIBILITY_PRIVATE_TO_USER if user else event_pb2.VISIBILITY_SHARED
        since = Timestamp(seconds=period(begins).first_us // 1_000_000) if begins else None
        return pb.AssertFactRequest(
            namespace=self.space,
            subject=node["subject"],
            predicate=node["predicate"],
            object=node["object"],
            valid_from=since,
            source=node.get("source", "chat"),
            single_valued=node.get("single_valued", False),
            source_memory_ids=[self.ids[one] for one in node["derived_from"]],
            visibility=sight,
            user_id=user,
        )

    def _other(self, node: Node) -> memory_pb.NewMemory:
        text = text_of(node)
        if node["kind"] == "PROCEDURAL":
            return memory_pb.NewMemory(
                kind=memory_pb2.MEMORY_KIND_PROCEDURAL,
                content=text,
                procedure=memory_pb2.Procedure(name=text),
            )
        grounds = [self.ids[one] for one in node["derived_from"]]
        return memory_pb.NewMemory(
            kind=memory_pb2.MEMORY_KIND_LEARNING,
            content=text,
            category="pattern",
            lesson=memory_pb2.Lesson(evidence_memory_ids=grounds),
        )


def expected(chain: Chain) -> set[str]:
    """Those that are to be marked and could be told what they were derived from."""
    procedures = {one["id"] for one in chain["memories"] if one["kind"] == "PROCEDURAL"}
    return set(chain["needs_review"]) - procedures


@pytest.mark.parametrize("chain", CHAINS, ids=NAMES)
async def test_every_dependent_and_nothing_else_says_that_it_needs_review(
    clients: Clients, chain: Chain
) -> None:
    world = World(clients, f"chain-{uuid.uuid4().hex[:12]}")
    await world.run(chain)
    assert await world.marked() == expected(chain)
    assert await world.marked_in_search() == expected(chain)
    kinds = {one["id"]: one["kind"] for one in chain["memories"]}
    facts = {one for one in expected(chain) if kinds.get(one, "SEMANTIC") == "SEMANTIC"}
    assert await world.flagged() == facts


async def test_what_is_taken_back_lifts_what_it_had_marked(clients: Clients) -> None:
    (chain,) = (one for one in CHAINS if one["id"] == "en-01")
    world = World(clients, f"chain-{uuid.uuid4().hex[:12]}")
    await world.run(chain)
    assert await world.marked() == {"d1", "d2", "d3"}
    await world.confirm("d2")
    await world.retract("c1")
    assert await world.marked() == set()
    assert await world.marked_in_search() == set()


async def test_what_is_deleted_lifts_what_it_had_marked(clients: Clients) -> None:
    (chain,) = (one for one in CHAINS if one["id"] == "zh-01")
    world = World(clients, f"chain-{uuid.uuid4().hex[:12]}")
    await world.run(chain)
    assert await world.marked() == {"d1", "d2", "d3"}
    request = memory_pb.DeleteMemoryRequest(
        namespace=world.space, memory_id=world.ids.pop("c1"), caller=READER
    )
    world.revision = (await clients.memory.DeleteMemory(request, timeout=30)).revision
    assert await world.marked() == set()
    assert await world.marked_in_search() == set()
