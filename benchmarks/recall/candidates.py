"""The candidates that memory finds for the questions of a conversation, as retrieval ranks them."""

from collections.abc import Sequence
from dataclasses import dataclass

from grpc import aio

from anamnesis.memory.v1.memory_service_pb2 import FindCandidatesRequest
from anamnesis.memory.v1.memory_service_pb2_grpc import MemoryServiceStub
from anamnesis_libs.rpc.peers import call
from anamnesis_retrieval.convert.search import from_weights, to_found
from anamnesis_retrieval.model import Mode, Ranked
from anamnesis_retrieval.ranking.rank import candidate_weights, rank
from benchmarks.recall.client import Client
from benchmarks.recall.contexts import turns_of
from benchmarks.recall.conversations import Question
from benchmarks.recall.loading import Loaded, each

_TIMEOUT_S = 120.0


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the turns that were found for it, best first."""

    question: Question
    turns: Sequence[tuple[str, Ranked]]


async def ask_conversation(channel: aio.Channel, loaded: Loaded, count: int) -> list[Asked]:
    """Every question of a conversation, each with at most `count` turns."""
    memory, turns = MemoryServiceStub(channel), await turns_of(Client(channel), loaded)

    async def ask(question: Question) -> Asked:
        request = FindCandidatesRequest(
            namespace=loaded.namespace,
            query=question.text,
            limit=count,
            weights=from_weights(candidate_weights(question.text, Mode.AUTO)),
            at_least_revision=loaded.revision,
        )
        answer = await call(memory.FindCandidates, request, timeout_s=_TIMEOUT_S, peer="memory")
        ranked = rank(question.text, to_found(answer), Mode.AUTO)
        return Asked(question, [(turns[hit.candidate.memory_id], hit) for hit in ranked])

    return await each(loaded.conversation.questions, ask)
