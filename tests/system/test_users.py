"""Twenty users of one namespace, nothing said of who may see what: each sees their own."""

import random
import uuid
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path

import pytest
from grpc import StatusCode

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.ingestion.v1 import ingestion_service_pb2 as ingestion_pb
from anamnesis.memory.v1 import event_pb2
from anamnesis.retrieval.v1 import retrieval_service_pb2 as retrieval_pb
from anamnesis_libs.participants import is_of, is_of_several
from tests.support.clients import Clients, clients_of, everywhere
from tests.support.processes import start
from tests.support.seen_intrusions import intrusions
from tests.support.seen_reads import READS, Ask, read, tell
from tests.support.seen_world import AGENTS, NAMESPACES, TO_USER, World, fill

STATIC = {"ANAMNESIS_MODELS__EMBEDDER": "static", "ANAMNESIS_INGESTION__PIPELINE_EVERY_S": "3600"}
SERVER = (pytest.mark.server, pytest.mark.long, pytest.mark.timeout(600))
USERS = tuple(f"person-{number}" for number in range(12))
ROUNDS = 4
_WORLDS: dict[str, World] = {}


@pytest.fixture(scope="module", params=["sqlite", pytest.param("neo4j", marks=SERVER)])
def address(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """Where a suite of its own is, on each store."""
    data_dir: Path = tmp_path_factory.mktemp("users") / "data"
    backend: Mapping[str, str] = {}
    if request.param == "neo4j":
        backend = {
            "ANAMNESIS_STORAGE__BACKEND": "neo4j",
            "ANAMNESIS_STORAGE__NEO4J_URI": request.getfixturevalue("neo4j_address").uri,
            "ANAMNESIS_STORAGE__NEO4J_CATALOGUE": f"test-{uuid.uuid4().hex}",
        }
    process = start(data_dir, settings={**STATIC, **backend})
    yield process.address
    assert process.stop() == 0, "".join(process.output)


@pytest.fixture
async def world(address: str) -> AsyncIterator[World]:
    """What each of them said, read out and stated, and what was learned from it."""
    async with clients_of(everywhere(address)) as clients:
        if address not in _WORLDS:
            made = World(clients, random.Random(11), users=USERS, unsaid=True)
            _WORLDS[address] = await fill(made, sessions=40, stated=40)
        made = _WORLDS[address]
        made.clients = clients
        yield made


def _somebody(world: World) -> Caller:
    agent, user = world.rng.choice(["", *AGENTS]), world.rng.choice(["", *USERS])
    return Caller(agent_id=agent, user_id=user)


async def test_all_of_it_is_somebodys_own(world: World) -> None:
    assert len({owned.user for owned in world.sessions.values()}) > len(USERS) / 2
    assert any(is_of_several(owned.user) for owned in world.memories.values())
    everything = {*world.sessions.values(), *world.memories.values(), *world.segments.values()}
    assert {owned.visibility for owned in everything} == {TO_USER}


@pytest.mark.parametrize("rpc", READS)
async def test_no_answer_holds_another_users(world: World, rpc: str) -> None:
    for _ in range(ROUNDS):
        caller, namespace = _somebody(world), world.rng.choice(NAMESPACES)
        told = await read(Ask(world, namespace, caller), rpc)
        assert not told.leaks(world.secrets(namespace, caller)), (caller, told)
        if told.refused is not None:
            assert told.refused.code() is StatusCode.NOT_FOUND, told


async def test_nobody_writes_into_another_users_session(world: World) -> None:
    theirs = [one for one, owned in world.sessions.items() if owned.namespace == "harbour"]
    for session_id in world.rng.sample(theirs, 6):
        owner = world.sessions[session_id].user
        caller = Caller(user_id=next(user for user in USERS if not is_of(owner, user)))
        for rpc, request in intrusions(session_id, caller).items():
            told = await tell(world, rpc, request)
            assert told.refused is not None, rpc
            assert not told.leaks(world.secrets("harbour", caller)), told


async def _said(clients: Clients, namespace: str, user: str, lines: int) -> str:
    """Lines of one user; answers the revision of their write."""
    events = [
        event_pb2.Event(
            role=event_pb2.ROLE_USER, content=f"{user} waters the fern and pot {number}"
        )
        for number in range(lines)
    ]
    request = ingestion_pb.AppendEventsRequest(
        namespace=namespace,
        session_id=f"talk-of-{user}",
        user_id=user,
        events=events,
        use_server_time=True,
    )
    return (await clients.ingestion.AppendEvents(request)).revision


async def test_a_ranking_is_to_the_digit_what_it_is_alone(world: World) -> None:
    """With and without the others' memories, which say the same things."""
    written = {"alone": await _said(world.clients, "alone", "ada", lines=12)}
    for user in ("bob", "cleo", "ada", "dan"):
        written["among"] = await _said(world.clients, "among", user, lines=12)
    scores = []
    for namespace, revision in written.items():
        request = retrieval_pb.SearchRequest(
            namespace=namespace,
            query="who waters pot 7 and the fern",
            caller=Caller(user_id="ada"),
            limit=12,
            explain=True,
            at_least_revision=revision,
        )
        results = (await world.clients.retrieval.Search(request)).results
        scores.append(
            [
                (one.memory.summary, one.score, [(each.name, each.value) for each in one.factors])
                for one in results
            ]
        )
    assert len(scores[0]) == 12
    assert scores[0] == scores[1]
