"""Nobody is told what is not theirs to see, by any rpc, in any answer or refusal."""

import uuid
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path

import pytest
from grpc import StatusCode

from anamnesis.cluster.v1 import cluster_service_pb2 as cluster_pb
from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import (
    event_pb2,
    filter_pb2,
    knowledge_service_pb2,
    memory_pb2,
    palace_service_pb2,
)
from anamnesis.memory.v1 import ledger_service_pb2 as ledger_pb
from anamnesis.memory.v1 import memory_service_pb2 as memory_pb
from anamnesis_libs.rpc.admission.rights import AGENT_RPCS, RIGHTS
from tests.support.clients import clients_of, everywhere
from tests.support.every_rpc import every_rpc
from tests.support.processes import start
from tests.support.seen_intrusions import MEDDLING, OF_NOTHING, intrusions
from tests.support.seen_life import enliven
from tests.support.seen_reads import ABSENT, READS, WRITES, Ask, Told, address_to, read, tell
from tests.support.seen_world import (
    CALLERS,
    NAMESPACES,
    TO_AGENT,
    VISIBILITIES,
    Owned,
    World,
    memories,
    owned_scope,
    segments,
    settle,
    topics,
)

STATIC = {"ANAMNESIS_MODELS__EMBEDDER": "static", "ANAMNESIS_INGESTION__PIPELINE_EVERY_S": "3600"}
ROUNDS = 4
MANY_ROUNDS = {"sqlite": 8 * ROUNDS, "neo4j": 4 * ROUNDS}
SERVER = (pytest.mark.server, pytest.mark.long, pytest.mark.timeout(600))
MANY = pytest.mark.long


@pytest.fixture(scope="module", params=["sqlite", pytest.param("neo4j", marks=SERVER)])
def backend(request: pytest.FixtureRequest) -> str:
    """The store of a suite."""
    return str(request.param)


@pytest.fixture(scope="module")
def address(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, backend: str
) -> Iterator[str]:
    """Where a suite of its own is, on each store."""
    data_dir: Path = tmp_path_factory.mktemp("seen") / "data"
    own: Mapping[str, str] = {}
    if backend == "neo4j":
        own = {
            "ANAMNESIS_STORAGE__BACKEND": "neo4j",
            "ANAMNESIS_STORAGE__NEO4J_URI": request.getfixturevalue("neo4j_address").uri,
            "ANAMNESIS_STORAGE__NEO4J_CATALOGUE": f"test-{uuid.uuid4().hex}",
        }
    process = start(data_dir, settings={**STATIC, **own})
    yield process.address
    assert process.stop() == 0, "".join(process.output)


_WORLDS: dict[str, World] = {}


@pytest.fixture
async def world(address: str) -> AsyncIterator[World]:
    """What there is; made by the first test of a suite."""
    async with clients_of(everywhere(address)) as clients:
        if address not in _WORLDS:
            settled = await settle(clients, seed=7, sessions=8, stated=12)
            await enliven(settled, each=3)
            _WORLDS[address] = settled
        made = _WORLDS[address]
        made.clients = clients
        yield made


def test_every_rpc_is_known_to_read_to_write_or_to_be_an_operators() -> None:
    rpcs = {rpc.name.removeprefix("/") for rpc in every_rpc()}
    asked = {f"anamnesis.{rpc}" for rpc in {*READS, *WRITES}}
    operators = {rpc.removeprefix("/") for rpc in RIGHTS if rpc not in AGENT_RPCS}
    assert rpcs == asked | operators


async def test_there_is_something_of_everybody_to_be_seen(world: World) -> None:
    for namespace in NAMESPACES:
        kinds = {memory.kind for memory in await memories(world, namespace)}
        scopes = {topic.scope.partition(":")[0] for topic in await topics(world, namespace)}
        assert {memory_pb2.MEMORY_KIND_SEMANTIC, memory_pb2.MEMORY_KIND_LEARNING} < kinds
        assert scopes == {"shared", "agent", "user"}
    assert {owned.visibility for owned in world.sessions.values()} == set(VISIBILITIES)
    assert all((world.segments, world.uploads, world.words))


@pytest.mark.parametrize("rpc", READS)
async def test_no_answer_holds_what_its_caller_may_not_see(world: World, rpc: str) -> None:
    await _ask(world, rpc, ROUNDS)


@MANY
@pytest.mark.parametrize("rpc", READS)
async def test_no_answer_out_of_many_does(world: World, backend: str, rpc: str) -> None:
    full, tries = 0, 4
    while full <= 1 and tries:
        full, tries = full + await _ask(world, rpc, MANY_ROUNDS[backend]), tries - 1
    assert full > 1, "it was told of nothing"


async def _ask(world: World, rpc: str, rounds: int) -> int:
    """How many answers held something; none held what was not to be seen."""
    full = 0
    for _ in range(rounds):
        caller = world.rng.choice(CALLERS)
        namespace = world.rng.choice(NAMESPACES)
        told = await read(Ask(world, namespace, caller), rpc)
        assert not told.leaks(world.secrets(namespace, caller)), (caller, told)
        if told.refused is not None:
            assert told.refused.code() is StatusCode.NOT_FOUND, told
        full += any(one.ByteSize() > 0 for one in told.answers)
    return full


@pytest.mark.parametrize("caller", CALLERS[::3], ids=str)
async def test_lists_give_all_that_is_seen_in_full_pages(world: World, caller: Caller) -> None:
    for namespace in NAMESPACES:
        listed = memory_pb.ListMemoriesRequest(
            namespace=namespace,
            caller=caller,
            page_size=3,
            filter=filter_pb2.MemoryFilter(include_archived=True),
        )
        told = await tell(world, "memory.v1.MemoryService/ListMemories", listed)
        pages = told.pages("memories", "memory_id")
        assert all(len(page) == 3 for page in pages[:-1])
        assert {one for page in pages for one in page} == world.seen(
            world.memories, namespace, caller
        )
        sessions = ledger_pb.ListSessionsRequest(namespace=namespace, caller=caller, page_size=2)
        told = await tell(world, "memory.v1.LedgerService/ListSessions", sessions)
        pages = told.pages("sessions", "session_id")
        assert all(len(page) == 2 for page in pages[:-1])
        assert {one for page in pages for one in page} == world.seen(
            world.sessions, namespace, caller
        )


@pytest.mark.parametrize("caller", CALLERS[::3], ids=str)
async def test_counts_are_of_what_is_seen(world: World, caller: Caller) -> None:
    for namespace in NAMESPACES:
        request = memory_pb.FindCandidatesRequest(
            namespace=namespace,
            caller=caller,
            query="gateway",
            filter=filter_pb2.MemoryFilter(
                include_archived=True, kinds=memory_pb2.MemoryKind.values()[1:]
            ),
        )
        found = await world.clients.memory.FindCandidates(request)
        assert found.scope.size == len(world.seen(world.memories, namespace, caller))
        stats = await world.clients.ledger.GetTrajectoryStats(
            ledger_pb.GetTrajectoryStatsRequest(namespace=namespace, caller=caller)
        )
        counted = sum(one.segments for one in stats.task_types)
        assert counted == len(world.seen(world.segments, namespace, caller))


async def test_a_topic_is_of_one_scope_and_so_are_its_members(world: World) -> None:
    for namespace in NAMESPACES:
        for topic in await topics(world, namespace):
            owned = owned_scope(namespace, topic.scope)
            caller = Caller(agent_id=owned.agent, user_id=owned.user)
            request = cluster_pb.ListClusterMemoriesRequest(
                namespace=namespace, cluster_id=topic.topic_id, caller=caller, page_size=500
            )
            members = (await world.clients.cluster.ListClusterMemories(request)).memories
            assert len(members) == topic.member_count
            assert {world.memories[one.memory_id].visibility for one in members} == {
                owned.visibility
            }


async def test_what_is_learned_is_seen_by_those_who_see_its_session(world: World) -> None:
    for namespace in NAMESPACES:
        cut = {segment.segment_id for segment in await segments(world, namespace)}
        learned = [one for one in await memories(world, namespace) if one.provenance.segment_id]
        assert learned
        for memory in learned:
            assert memory.provenance.segment_id in cut
            if memory.memory_id not in world.narrowed:
                assert world.memories[memory.memory_id] == world.sessions[memory.session_id]


@pytest.mark.parametrize(
    ("rpc", "kind"),
    [
        ("memory.v1.MemoryService/GetMemory", "memories"),
        ("memory.v1.LedgerService/GetSession", "sessions"),
        ("memory.v1.LedgerService/ListEvents", "sessions"),
        ("memory.v1.LedgerService/GetUpload", "uploads"),
        ("memory.v1.TopicService/ListTopicMembers", "topics"),
        ("memory.v1.PalaceService/ListDrawers", "sessions"),
        ("memory.v1.PalaceService/ListClosets", "sessions"),
        ("ingestion.v1.IngestionService/GetPipelineStatus", "sessions"),
        ("cluster.v1.ClusterService/ListClusterMemories", "topics"),
        ("cluster.v1.ClusterService/ListCrystallizations", "topics"),
        ("cluster.v1.ClusterService/GetCluster", "topics"),
    ],
)
async def test_what_is_hidden_is_as_what_is_not_there(world: World, rpc: str, kind: str) -> None:
    field = {"memories": "memory_id", "sessions": "session_id", "uploads": "upload_id"}
    name = "cluster_id" if "Cluster" in rpc else field.get(kind, "topic_id")
    held: dict[str, Owned] = getattr(world, kind)
    hidden = [one for one in held if one in world.secrets("harbour", Caller())]
    for one in hidden[:6]:
        told = [await _named(world, rpc, name, asked) for asked in (one, ABSENT)]
        (mine, theirs) = [str(each.refused.details()) for each in told if each.refused]
        assert mine.replace(one, ABSENT) == theirs


async def test_a_name_is_known_to_those_who_see_who_spells_it(world: World) -> None:
    rpc = "memory.v1.KnowledgeService/GetEntity"
    for namespace in NAMESPACES:
        for word, owned in sorted(world.named.items()):
            caller = world.rng.choice(CALLERS)
            request = knowledge_service_pb2.GetEntityRequest(
                namespace=namespace, caller=caller, name=word
            )
            told = await tell(world, rpc, request)
            assert (told.refused is None) == owned.seen_by(namespace, caller), (word, owned, told)
            if told.refused is not None:
                assert told.refused.code() is StatusCode.NOT_FOUND


async def test_a_pointer_leads_those_who_see_its_drawer(world: World) -> None:
    rpc = "memory.v1.PalaceService/ResolvePointer"
    for caller in world.rng.sample(CALLERS, 6):
        for pointer in await _pointers(world):
            request = palace_service_pb2.ResolvePointerRequest(
                namespace="harbour", caller=caller, pointer=pointer.pointer
            )
            told = await tell(world, rpc, request)
            owned = world.memories[pointer.memory_id]
            assert (told.refused is None) == owned.seen_by("harbour", caller), (owned, told)


async def _pointers(world: World) -> list[memory_pb2.Memory]:
    """Drawers of the first namespace, some of them."""
    drawers = [one for one in await memories(world, "harbour") if one.pointer]
    return world.rng.sample(drawers, min(20, len(drawers)))


async def _named(world: World, rpc: str, field: str, asked: str) -> Told:
    request = READS[rpc](Ask(world, "harbour", Caller()))
    setattr(request, field, asked)
    request.namespace = "harbour"  # type: ignore[attr-defined]  # every one of them has it
    return await tell(world, rpc, request)


async def test_nobody_writes_into_a_session_that_is_not_theirs_to_see(world: World) -> None:
    for session_id, owned in world.sessions.items():
        for caller in world.rng.sample(CALLERS, 3):
            if owned.namespace != "harbour" or owned.seen_by("harbour", caller):
                continue
            before = await _session(world, session_id)
            for rpc, request in intrusions(session_id, caller).items():
                told = await tell(world, rpc, request)
                assert told.refused is not None, rpc
                assert not told.leaks(world.secrets("harbour", caller)), told
            assert await _session(world, session_id) == before


async def _session(world: World, session_id: str) -> event_pb2.Session:
    request = ledger_pb.GetSessionRequest(
        namespace="harbour", session_id=session_id, all_visibilities=True
    )
    return (await world.clients.ledger.GetSession(request)).session


@pytest.mark.parametrize("rpc", MEDDLING)
async def test_nobody_meddles_with_what_is_not_theirs_to_see(world: World, rpc: str) -> None:
    for caller in world.rng.sample(CALLERS, 6):
        seen = world.seen(world.memories, "harbour", caller) | world.narrowed
        hidden = sorted(set(_of_harbour(world)) - seen)
        before = await _held(world, hidden)
        for memory in world.rng.sample(list(before.values()), 4):
            told = await _meddle(world, rpc, memory, caller)
            absent = await _meddle(world, rpc, memory_pb2.Memory(memory_id=ABSENT), caller)
            assert not told.leaks(world.secrets("harbour", caller)), told
            outcome = told.outcome.replace(memory.memory_id, ABSENT)
            assert outcome.replace(memory.session_id or OF_NOTHING, OF_NOTHING) == absent.outcome
        assert await _held(world, hidden) == before


async def _meddle(world: World, rpc: str, memory: memory_pb2.Memory, caller: Caller) -> Told:
    request = MEDDLING[rpc](memory)
    address_to(request, "harbour", caller)
    return await tell(world, rpc.partition("#")[0], request)


def _of_harbour(world: World) -> list[str]:
    return [one for one, owned in world.memories.items() if owned.namespace == "harbour"]


async def _held(world: World, memory_ids: list[str]) -> dict[str, memory_pb2.Memory]:
    """Memories as an operator sees them, by id, but for what time changes."""
    request = memory_pb.BatchGetMemoriesRequest(
        namespace="harbour", memory_ids=memory_ids, all_visibilities=True
    )
    found = (await world.clients.memory.BatchGetMemories(request)).memories
    for one in found:
        one.ClearField("retention")
    return {one.memory_id: one for one in found}


async def test_a_page_token_is_of_use_to_its_caller_alone(world: World) -> None:
    mine = memory_pb.ListMemoriesRequest(namespace="harbour", caller=CALLERS[-1], page_size=1)
    token = (await world.clients.memory.ListMemories(mine)).next_page_token
    assert token
    mine.caller.CopyFrom(CALLERS[1])
    mine.page_token = token
    told = await tell(world, "memory.v1.MemoryService/ListMemories", mine)
    assert told.refused is not None
    assert told.refused.code() is StatusCode.INVALID_ARGUMENT


async def test_a_deletion_is_told_to_those_who_could_see_what_is_gone(world: World) -> None:
    private = memory_pb.NewMemory(
        kind=memory_pb2.MEMORY_KIND_PROCEDURAL,
        content="It goes again.",
        visibility=TO_AGENT,
        agent_id="agent-1",
    )
    request = memory_pb.CreateMemoryRequest(namespace="passing", memory=private)
    gone = (await world.clients.memory.CreateMemory(request)).memory.memory_id
    owner, stranger = Caller(agent_id="agent-1"), Caller(agent_id="agent-2")
    await world.clients.memory.DeleteMemory(
        memory_pb.DeleteMemoryRequest(namespace="passing", memory_id=gone, caller=owner)
    )
    rpc = "memory.v1.MemoryService/WatchMemories"
    watches = [
        await tell(world, rpc, memory_pb.WatchMemoriesRequest(namespace="passing", caller=caller))
        for caller in (owner, stranger)
    ]
    assert [gone.encode() in told.text for told in watches] == [True, False]
