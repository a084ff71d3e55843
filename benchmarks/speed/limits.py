"""Lower bounds of a call's time: an empty call, a bare index, a bare commit, the bare model."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import apsw
import faiss
import numpy as np
from grpc import aio
from grpc_health.v1 import health_pb2, health_pb2_grpc

from anamnesis_libs.models.factory import load_embedder
from anamnesis_libs.models.ports import Matrix
from anamnesis_libs.settings import Models
from benchmarks.speed.timing import Timed, timed, timed_calls

TOP = 10


async def empty_call(address: str, memories: int, calls: int) -> Timed:
    """A call of gRPC that does nothing."""
    async with aio.insecure_channel(address) as channel:
        check = health_pb2_grpc.HealthStub(channel).Check  # type: ignore[attr-defined]  # stubs
        request = health_pb2.HealthCheckRequest()
        await check(request)
        return await timed_calls(
            "empty gRPC call", memories, range(calls), lambda _: check(request)
        )


def bare_index(memories: int, questions: Matrix) -> Timed:
    """The nearest ten of so many vectors, all compared, on one thread."""
    faiss.omp_set_num_threads(1)
    index = faiss.IndexFlatIP(questions.shape[1])
    rows = np.random.default_rng(0).standard_normal((memories, questions.shape[1]), np.float32)
    index.add(rows)
    each = [row.reshape(1, -1) for row in questions]
    return timed("bare FAISS, ten nearest", memories, each, lambda row: index.search(row, TOP))


def bare_commit(folder: Path, memories: int, texts: list[str]) -> Timed:
    """A commit of one text to a file of SQLite, on the disk when it answers."""
    connection = apsw.Connection(str(folder / "bare.db"))
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "full")
    connection.execute("create table kept (number integer primary key, text text)")
    numbers: Iterator[int] = count()
    added = timed(
        "bare SQLite commit",
        memories,
        texts,
        lambda text: connection.execute("insert into kept values (?, ?)", (next(numbers), text)),
    )
    connection.close()
    return added


async def bare_model(embedder: str, memories: int, texts: list[str]) -> tuple[Timed, Matrix]:
    """One text after the other through the model; and the vectors."""
    model = await load_embedder(Models(embedder=embedder))
    try:
        await model.embed(texts[:1])
        each = await timed_calls(
            "bare model, one text", memories, texts, lambda t: model.embed([t])
        )
        return each, await model.embed(texts)
    finally:
        await model.close()
