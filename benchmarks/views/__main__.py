"""`python -m benchmarks.views`: profiles, episodes and pages out of a namespace of many memories.

A suite of its own runs as a process. Most memories are what people said; each person has as many
facts, of which one in ten replaces another. Views are asked for by turns, through a channel.
"""

import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import grpc
from google.protobuf.message import Message
from rich.console import Console
from rich.progress import track
from rich.table import Table

from anamnesis.cluster.v1 import projection_service_pb2 as pb
from anamnesis.cluster.v1.projection_service_pb2_grpc import ProjectionServiceStub
from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import event_pb2, ledger_service_pb2, memory_pb2, memory_service_pb2
from anamnesis.memory.v1.ledger_service_pb2_grpc import LedgerServiceStub
from anamnesis.memory.v1.memory_service_pb2_grpc import MemoryServiceStub
from anamnesis_client.embedded import Suite

SPACE = "views"
BATCH = 500
SHAPES = (
    ("likes", memory_pb2.FACT_KIND_PREFERENCE),
    ("uses", memory_pb2.FACT_KIND_PREFERENCE),
    ("knows", memory_pb2.FACT_KIND_RELATIONSHIP),
    ("plans", memory_pb2.FACT_KIND_GOAL),
    ("plays", memory_pb2.FACT_KIND_SKILL),
    ("did", memory_pb2.FACT_KIND_EXPERIENCE),
    ("member_of", memory_pb2.FACT_KIND_IDENTITY),
)


@click.command()
@click.option("--memories", default=100_000, show_default=True, help="In one namespace.")
@click.option("--users", default=100, show_default=True, help="People in it.")
@click.option("--facts", default=200, show_default=True, help="Facts of each, among the memories.")
@click.option("--rounds", default=300, show_default=True, help="Calls of each view.")
def main(memories: int, users: int, facts: int, rounds: int) -> None:
    """Fill one namespace and ask for the views of people in it; prints p50, p95 and p99."""
    os.environ.setdefault("ANAMNESIS_MODELS__EMBEDDER", "static")
    os.environ.setdefault("ANAMNESIS_INGESTION__PIPELINE_EVERY_S", "3600")
    with tempfile.TemporaryDirectory() as folder:
        suite = Suite(Path(folder))
        try:
            with grpc.insecure_channel(suite.address()) as channel:
                _fill(channel, memories, users, facts)
                _print(channel, users, rounds, f"{memories:,} memories, {facts} facts of each user")
        finally:
            suite.stop()


def _fill(channel: grpc.Channel, memories: int, users: int, facts: int) -> None:
    """Facts of every user, then what they said, until there are as many memories."""
    memory, ledger = MemoryServiceStub(channel), LedgerServiceStub(channel)
    rng = random.Random(0)
    people = track(range(users), "facts", console=Console(stderr=True), transient=True)
    for user in people:
        made = list(_facts(user, facts, rng))
        for start in range(0, facts, BATCH):
            memory.BatchCreateMemories(
                memory_service_pb2.BatchCreateMemoriesRequest(
                    namespace=SPACE, memories=made[start : start + BATCH]
                )
            )
    said = max(0, memories - users * facts)
    batches = range(0, said, BATCH)
    for start in track(batches, "talk", console=Console(stderr=True), transient=True):
        events = [
            event_pb2.Event(role=event_pb2.ROLE_USER, content=f"I said thing {start + at} today")
            for at in range(min(BATCH, said - start))
        ]
        ledger.AppendEvents(
            ledger_service_pb2.AppendEventsRequest(
                namespace=SPACE,
                session_id=f"s-{start}",
                user_id=f"user-{start // BATCH % users}",
                use_server_time=True,
                events=events,
            )
        )


def _facts(user: int, count: int, rng: random.Random) -> Iterator[memory_service_pb2.NewMemory]:
    for at in range(count):
        predicate, kind = rng.choice(SHAPES)
        if at % 10 == 0:
            predicate, kind = "lives_in", memory_pb2.FACT_KIND_IDENTITY
        fact = memory_pb2.Fact(
            subject=f"user-{user}",
            predicate=predicate,
            object=f"thing{at} of{rng.randrange(10_000)}",
            fact_kind=kind,
        )
        fact.valid_from.FromSeconds(1_500_000_000 + at * 86_400)
        yield memory_service_pb2.NewMemory(
            kind=memory_pb2.MEMORY_KIND_SEMANTIC,
            content=f"{fact.subject} {predicate.replace('_', ' ')} {fact.object}",
            fact=fact,
            user_id=f"user-{user}",
        )


def _print(channel: grpc.Channel, users: int, rounds: int, title: str) -> None:
    views = ProjectionServiceStub(channel)
    asked: dict[str, Callable[[dict[str, object], str], Message]] = {
        "GetUserProfile": lambda scope, _: views.GetUserProfile(
            pb.GetUserProfileRequest(**scope)  # type: ignore[arg-type]  # fields by name
        ),
        "ListEpisodes": lambda scope, _: views.ListEpisodes(
            pb.ListEpisodesRequest(**scope)  # type: ignore[arg-type]  # as above
        ),
        "GetKnowledgePage": lambda scope, name: views.GetKnowledgePage(
            pb.GetKnowledgePageRequest(**scope, name=name)  # type: ignore[arg-type]  # as above
        ),
    }
    table = Table(title=title)
    for heading in ("", "p50 ms", "p95 ms", "p99 ms"):
        table.add_column(heading, justify="right")
    for name, ask in asked.items():
        taken = sorted(_timed(ask, round_ % users) for round_ in range(rounds))
        p50, p95, p99 = (taken[int(share * (len(taken) - 1))] for share in (0.5, 0.95, 0.99))
        table.add_row(name, f"{p50:.1f}", f"{p95:.1f}", f"{p99:.1f}")
    Console(width=100).print(table)


def _timed(ask: Callable[[dict[str, object], str], Message], user: int) -> float:
    """Milliseconds of one call."""
    name = f"user-{user}"
    start_s = time.perf_counter()
    ask({"namespace": SPACE, "caller": Caller(user_id=name)}, name)
    return (time.perf_counter() - start_s) * 1000


if __name__ == "__main__":
    main()
