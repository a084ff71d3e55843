"""Ingestion and memory on two ends of a real channel that breaks before and after calls.

The channel repeats what was UNAVAILABLE by itself, and clients repeat what they may, so
the memory service sees requests twice that it has answered already.
"""

import asyncio
import random
from collections import Counter
from typing import TYPE_CHECKING, cast

import grpc
from grpc import aio

from anamnesis.ingestion.v1 import ingestion_service_pb2
from anamnesis.memory.v1 import ledger_service_pb2
from anamnesis.memory.v1.ledger_service_pb2_grpc import LedgerServiceServicer
from anamnesis_libs.errors import StoreUnavailable
from tests.sim import requests
from tests.sim.faults import Faults
from tests.sim.held import Held
from tests.sim.life import Life
from tests.sim.model import Fate, Model, Sent, check
from tests.support.ingestion_suite import ingestion_suite
from tests.support.ledger_server import LedgerServer

if TYPE_CHECKING:
    from tests.support.ingestion_suite import IngestionSuite

CLIENTS = 3
REQUESTS = 4
CUT_CHANCE = 0.15
TRIES_MAX = 4
CHANNEL_TRIES_MAX = 4
"""How often the channel itself sends what was UNAVAILABLE."""
IN_DOUBT = (
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.UNKNOWN,
)
Context = aio.ServicerContext[
    ledger_service_pb2.AppendEventsRequest, ledger_service_pb2.AppendEventsResponse
]


class CutLedger(LedgerServiceServicer):
    """The real ledger behind a network that is cut at times."""

    def __init__(self, life: Life, faults: Faults) -> None:
        self._ledger = life.ledger
        self._faults = faults

    async def AppendEvents(  # noqa: N802
        self, request: ledger_service_pb2.AppendEventsRequest, context: Context
    ) -> ledger_service_pb2.AppendEventsResponse:
        """Append, unless the request is lost; answer, unless the answer is."""
        self._cut("request")
        answer = await self._ledger.AppendEvents(request, context)
        self._cut("answer")
        return answer

    def _cut(self, what: str) -> None:
        if self._faults.happens(CUT_CHANCE, f"{what} lost on the network"):
            raise StoreUnavailable(f"the {what} was lost, as the simulation planned")


async def talk(life: Life, model: Model, names: list[str], faults: Faults) -> None:
    """Let some clients append through ingestion, over a network with faults."""
    generator = faults.generator
    ledger = cast("LedgerServer", CutLedger(life, faults))  # type: ignore[abstract]
    async with ingestion_suite(ledger) as suite:
        await asyncio.gather(
            *(_client(suite, model, names, generator, number) for number in range(CLIENTS))
        )


async def _client(
    suite: "IngestionSuite", model: Model, names: list[str], generator: random.Random, client: int
) -> None:
    """Append at indices or with a request id: both channels repeat calls by themselves."""
    for _ in range(REQUESTS):
        namespace, number = generator.choice(names), len(model.requests)
        texts = [
            requests.text_of(namespace, number, place, generator)
            for place in range(generator.randint(1, 3))
        ]
        indexed = generator.random() < 0.5
        first = generator.randrange(6)
        message = ingestion_service_pb2.AppendEventsRequest(
            namespace=namespace,
            session_id=f"s-{client % 2}",
            agent_id=requests.AGENT,
            events=[
                requests.event(text, first + place if indexed else None)
                for place, text in enumerate(texts)
            ],
            request_id="" if indexed and generator.random() < 0.5 else f"n-{number}",
        )
        sent = Sent(number, namespace, "ingest", message, tuple(texts))
        sent.sent_at = model.tick()
        model.send(sent)
        await _deliver(suite, model, sent)


async def _deliver(suite: "IngestionSuite", model: Model, sent: Sent) -> None:
    for _ in range(TRIES_MAX):
        sent.deliveries += CHANNEL_TRIES_MAX if sent.indexed else 1
        try:
            answer = await suite.stub.AppendEvents(
                cast("ingestion_service_pb2.AppendEventsRequest", sent.message), timeout=20.0
            )
        except aio.AioRpcError as error:
            check(error.code() in IN_DOUBT, f"ingestion answered {error.code()}")
            sent.doubtful()
            continue
        sent.fate = Fate.ACKNOWLEDGED
        model.told(sent.namespace, answer.revision)
        return


def check_ingested(held: Held, model: Model) -> None:
    """Everything that ingestion acknowledged is stored, and nothing is doubled.

    Raises:
        Broken: it is not.
    """
    stored = Counter(memory.content for memory in held.memories)
    for sent in model.of(held.name, "ingest", Fate.ACKNOWLEDGED):
        missing = [text for text in sent.texts if stored[text] == 0]
        check(not missing, f"ingest {sent.number}: {missing} were acknowledged and are lost")
