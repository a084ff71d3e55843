"""Real replicas of memory on one Neo4j: one comes and one goes, and searches tell who was cold."""

import asyncio
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click
from grpc import aio

from anamnesis.ingestion.v1.ingestion_service_pb2_grpc import IngestionServiceStub
from anamnesis.retrieval.v1.retrieval_service_pb2_grpc import RetrievalServiceStub
from benchmarks.capacity.users import Users
from benchmarks.installation import Process
from benchmarks.speed.talk import Talk
from tools.neo4j.server import Neo4jServer

PLACES = 3
SEEN_S = 10.0
"""Until callers have found a replica that came: they look anew after two seconds at the latest."""
COLD_TIMES = 3.0
"""A search is cold that takes so many times the median of warm ones."""
_SECOND_S = 2.0


@dataclass(frozen=True, slots=True)
class Round:
    """One search in each namespace, after a change of the replicas; milliseconds."""

    change: str
    asked: int
    cold: int
    warm_ms: float
    cold_ms: float


class Replicas:
    """Places for memory, and an ingestion and a retrieval that know all of them."""

    def __init__(self, folder: Path, neo4j: Neo4jServer) -> None:
        stored = {
            "ANAMNESIS_MODELS__EMBEDDER": "static",
            "ANAMNESIS_STORAGE__BACKEND": "neo4j",
            "ANAMNESIS_STORAGE__NEO4J_URI": neo4j.uri,
            "ANAMNESIS_LOG__LEVEL": "warning",
        }
        self.memories = [
            Process("memory", _made(folder / f"memory-{at}"), stored) for at in range(PLACES)
        ]
        places = ",".join(each.address for each in self.memories)
        callers = stored | {"ANAMNESIS_PEERS__MEMORY": places}
        self.ingestion = Process("ingestion", _made(folder / "ingestion"), callers)
        self.retrieval = Process("retrieval", _made(folder / "retrieval"), callers)

    def kill(self) -> None:
        """End all."""
        for each in (*self.memories, self.ingestion, self.retrieval):
            each.kill()


def rounds(talk: Talk, namespaces: int, memories: int) -> list[Round]:
    """Two replicas, then three, then two again: a search in each namespace after each."""
    with (
        tempfile.TemporaryDirectory(prefix="anamnesis-bench-") as folder,
        _replicas(Path(folder)) as replicas,
    ):
        return asyncio.run(_rounds(replicas, talk, namespaces, memories))


@contextmanager
def _replicas(folder: Path) -> Iterator[Replicas]:
    neo4j = Neo4jServer(folder / "neo4j")
    replicas = Replicas(folder, neo4j)
    try:
        neo4j.start()
        for each in (*replicas.memories[:2], replicas.ingestion, replicas.retrieval):
            each.start()
        yield replicas
    finally:
        replicas.kill()
        neo4j.kill()


async def _rounds(replicas: Replicas, talk: Talk, namespaces: int, memories: int) -> list[Round]:
    names = [f"user-{number}" for number in range(namespaces)]
    async with (
        aio.insecure_channel(replicas.ingestion.address) as ingestion,
        aio.insecure_channel(replicas.retrieval.address) as retrieval,
    ):
        users = Users(IngestionServiceStub(ingestion), RetrievalServiceStub(retrieval), talk)
        for name in names:
            await users.say(name, memories)
        click.echo("filled", err=True)
        await _asked(users, names)
        warm_s = statistics.median(await _asked(users, names))
        found = [_round("none", await _asked(users, names), warm_s)]
        await asyncio.to_thread(replicas.memories[2].start)
        await asyncio.sleep(SEEN_S)
        found.append(_round("2 to 3", await _asked(users, names), warm_s))
        found.append(_round("none", await _asked(users, names), warm_s))
        replicas.memories[0].kill()
        await asyncio.sleep(_SECOND_S)
        found.append(_round("3 to 2", await _asked(users, names), warm_s))
        return found


async def _asked(users: Users, names: Sequence[str]) -> list[float]:
    return [await users.ask(name) for name in names]


def _round(change: str, taken_s: Sequence[float], warm_s: float) -> Round:
    cold = [each for each in taken_s if each > COLD_TIMES * warm_s]
    warm = [each for each in taken_s if each <= COLD_TIMES * warm_s]
    return Round(change, len(taken_s), len(cold), _median_ms(warm), _median_ms(cold))


def _median_ms(taken_s: Sequence[float]) -> float:
    return 1000 * statistics.median(taken_s) if taken_s else 0.0


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder
