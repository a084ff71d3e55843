"""One run: every turn in through the API, every question asked, and the baselines beside it.

Each conversation is a namespace. The suite is asked for its 50 best in its default mode, a few
questions at once; the baselines rank in this process, with vectors of the same embedder.
"""

import asyncio
import collections
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar

import numpy as np
from google.protobuf.timestamp_pb2 import Timestamp

from benchmarks.recall.baselines import NAMES as BASELINES
from benchmarks.recall.baselines import Baselines
from benchmarks.recall.client import Answer, Client, Place
from benchmarks.recall.conversations import Conversation, Dataset, Question
from benchmarks.recall.embedding import Vectors
from benchmarks.recall.metrics import LEARNED, RANKING_MAX, Judged, Ranking, judge
from benchmarks.recall.progress import Advance, stage
from benchmarks.recall.results import OURS, SetResult
from libs.models.ports import Matrix

CALLS_AT_ONCE_MAX = 4
_POLL_S = 0.5
_STALLED_S_MAX = 300.0
_TEXTS_AT_ONCE_MAX = 256

Item = TypeVar("Item")
Made = TypeVar("Made")


class RunFailed(Exception):
    """The suite did something that makes the figures meaningless; the message says what."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A conversation in its namespace; `revision` is that of its last write."""

    conversation: Conversation
    namespace: str
    revision: str


async def measure(
    client: Client, vectors: Vectors, dataset: Dataset, *, learn: bool = False
) -> SetResult:
    """Run one data set through the suite and the baselines; with `learn`, the pipeline before.

    What was learned takes its place among the hits, and counts as no evidence.

    Raises:
        RunFailed: indexing stalls, models differ, or a search answers what was never put in.
        AnamnesisError: a call fails.
    """
    loaded = await _ingest(client, dataset)
    if learn:
        await _learn(client, dataset, loaded)
    await _await_index(client, dataset, loaded)
    await _check_model(client, vectors, loaded)
    answers = await _ask(client, dataset, loaded)
    judged = {OURS: [_judged(one, asked, answer) for one, asked, answer in answers]}
    return SetResult(
        name=dataset.name,
        sha256=dataset.sha256,
        conversations=len(dataset.conversations),
        turns=dataset.turn_count,
        questions=dataset.question_count,
        judged=judged | await _rank_plainly(vectors, dataset),
        latencies_ms=[answer.latency_ms for _, _, answer in answers],
        profiles=collections.Counter(answer.profile for _, _, answer in answers),
        degraded=sorted({reason for _, _, answer in answers for reason in answer.degraded}),
    )


async def _ingest(client: Client, dataset: Dataset) -> list[Loaded]:
    """Put every turn into the namespace of its conversation, sessions in their order."""
    with stage(f"{dataset.name}: turns stored", dataset.turn_count) as advance:

        async def one(conversation: Conversation) -> Loaded:
            namespace = f"recall-{dataset.name}-{conversation.conversation_id}".lower()
            revision = ""
            for session in conversation.sessions:
                revision = await client.append(namespace, session)
                advance(len(session.turns))
            return Loaded(conversation, namespace, revision)

        return await _each(dataset.conversations, one)


async def _learn(client: Client, dataset: Dataset, loaded: Sequence[Loaded]) -> None:
    """Run the pipeline of every namespace to its end."""
    sessions = sum(len(one.conversation.sessions) for one in loaded)
    with stage(f"{dataset.name}: sessions learned from", sessions) as advance:
        for one in loaded:
            async for taught in client.learn(one.namespace):
                advance(taught)


async def _await_index(client: Client, dataset: Dataset, loaded: Sequence[Loaded]) -> None:
    """Wait until every turn is indexed with its vectors."""
    with stage(f"{dataset.name}: turns embedded", dataset.turn_count) as advance:
        done, moved_s = 0, asyncio.get_running_loop().time()
        while done < dataset.turn_count:
            now = sum([await client.embedded(one.namespace) for one in loaded])
            now_s = asyncio.get_running_loop().time()
            if now > done:
                advance(now - done)
                done, moved_s = now, now_s
            elif now_s - moved_s > _STALLED_S_MAX:
                raise RunFailed(f"{dataset.name}: indexing stands still at {done} turns")
            await asyncio.sleep(_POLL_S)


async def _check_model(client: Client, vectors: Vectors, loaded: Sequence[Loaded]) -> None:
    """The baselines must have the suite's vectors, or nothing is compared."""
    theirs = {await client.embedding_model(one.namespace) for one in loaded}
    if theirs != {vectors.model}:
        raise RunFailed(
            f"the server embeds with {', '.join(sorted(theirs))}, the baselines with "
            f"{vectors.model}; name the server's own with --embedder"
        )


async def _ask(
    client: Client, dataset: Dataset, loaded: Sequence[Loaded]
) -> list[tuple[Conversation, Question, Answer]]:
    """Ask every question of its namespace."""
    asked = [(one, question) for one in loaded for question in one.conversation.questions]
    with stage(f"{dataset.name}: questions asked", dataset.question_count) as advance:

        async def ask(pair: tuple[Loaded, Question]) -> tuple[Conversation, Question, Answer]:
            one, question = pair
            answer = await client.search(
                one.namespace, question.text, _now(one.conversation), one.revision, RANKING_MAX
            )
            advance(1)
            return one.conversation, question, answer

        return await _each(asked, ask)


def _now(conversation: Conversation) -> Timestamp:
    """A day after the last turn: the answers do not depend on the day of the run."""
    last = max(turn.time for turn in conversation.turns)
    stamp = Timestamp()
    stamp.FromDatetime(last + timedelta(days=1))
    return stamp


def _judged(conversation: Conversation, question: Question, answer: Answer) -> Judged:
    ranking = ranking_of(conversation, answer.places)
    return judge(question, ranking, conversation.session_of)


def ranking_of(conversation: Conversation, places: Sequence[Place]) -> Ranking:
    """The turns at these places.

    Raises:
        RunFailed: there is no turn at a place, or a place came twice.
    """
    turns = {
        Place(session.session_id, index): turn.turn_id
        for session in conversation.sessions
        for index, turn in enumerate(session.turns)
    }
    said = [place for place in places if not place.learned]
    unknown = [place for place in said if place not in turns]
    if unknown or len(set(said)) < len(said):
        raise RunFailed(
            f"{conversation.conversation_id}: a search answers "
            + (f"{unknown[0]}, which is no turn" if unknown else "the same turn twice")
        )
    return [LEARNED if place.learned else turns[place] for place in places]


async def _rank_plainly(vectors: Vectors, dataset: Dataset) -> dict[str, Sequence[Judged]]:
    """Judge the baselines on every question, in the order of `_ask`."""
    judged: dict[str, list[Judged]] = {name: [] for name in BASELINES}
    count = dataset.turn_count + dataset.question_count
    with stage(f"{dataset.name}: texts embedded for the baselines", count) as advance:
        for conversation in dataset.conversations:
            turns, questions = conversation.turns, conversation.questions
            rows = await _embed(vectors, [turn.text for turn in turns], advance)
            asked = await _embed(vectors, [question.text for question in questions], advance)
            baselines = Baselines(turns, rows)
            for question, vector in zip(questions, asked, strict=True):
                for name, ranking in baselines.rank(question.text, vector).items():
                    judged[name].append(judge(question, ranking, conversation.session_of))
    return dict(judged)


async def _embed(vectors: Vectors, texts: Sequence[str], advance: Advance) -> Matrix:
    parts = []
    for start in range(0, len(texts), _TEXTS_AT_ONCE_MAX):
        part = texts[start : start + _TEXTS_AT_ONCE_MAX]
        parts.append(await vectors.of(part))
        advance(len(part))
    return np.concatenate(parts)


async def _each(items: Iterable[Item], work: Callable[[Item], Awaitable[Made]]) -> list[Made]:
    """Work on all, a few at once; the results in the order of the items."""
    free = asyncio.Semaphore(CALLS_AT_ONCE_MAX)

    async def bounded(item: Item) -> Made:
        async with free:
            return await work(item)

    return await asyncio.gather(*map(bounded, items))
