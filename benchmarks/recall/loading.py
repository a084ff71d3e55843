"""A data set on its way into the suite: each conversation a namespace, every turn indexed."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar

from google.protobuf.timestamp_pb2 import Timestamp

from benchmarks.recall.client import Client
from benchmarks.recall.conversations import Conversation, Dataset
from benchmarks.recall.embedding import Vectors
from benchmarks.recall.progress import Advance, stage

CALLS_AT_ONCE_MAX = 4
_POLL_S = 0.5
_STALLED_S_MAX = 300.0

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

    @property
    def asked_at(self) -> Timestamp:
        """A day after the last turn: the answers do not depend on the day of the run."""
        last = max(turn.time for turn in self.conversation.turns)
        stamp = Timestamp()
        stamp.FromDatetime(last + timedelta(days=1))
        return stamp


async def load(client: Client, dataset: Dataset, *, learn: bool) -> list[Loaded]:
    """Put every turn into the namespace of its conversation, and wait until all is indexed.

    Args:
        client: of the suite.
        dataset: what is put in.
        learn: run the pipeline of every namespace to its end.

    Raises:
        RunFailed: indexing stalls.
        AnamnesisError: a call fails.
    """
    loaded = await _ingest(client, dataset)
    if learn:
        await _learn(client, dataset, loaded)
    await _await_index(client, dataset, loaded)
    return loaded


async def check_model(client: Client, vectors: Vectors, namespaces: Iterable[str]) -> None:
    """Compare the suite's embedding model with that of the baselines.

    Raises:
        RunFailed: they differ, so that nothing would be compared.
    """
    theirs = {await client.embedding_model(namespace) for namespace in namespaces}
    if theirs != {vectors.model}:
        raise RunFailed(
            f"the server embeds with {', '.join(sorted(theirs))}, the baselines with "
            f"{vectors.model}; name the server's own with --embedder"
        )


async def each(
    items: Iterable[Item],
    work: Callable[[Item], Awaitable[Made]],
    at_once_max: int = CALLS_AT_ONCE_MAX,
) -> list[Made]:
    """Work on all, a few at once; an item is drawn when its turn comes.

    Returns:
        The results in the order of the items.
    """
    waiting = enumerate(items)
    made: dict[int, Made] = {}

    async def worker() -> None:
        for position, item in waiting:
            made[position] = await work(item)

    await asyncio.gather(*(worker() for _ in range(at_once_max)))
    return [made[position] for position in range(len(made))]


async def await_vectors(
    client: Client, name: str, namespaces: Sequence[str], turn_count: int, advance: Advance
) -> None:
    """Wait until so many turns of namespaces are indexed with their vectors.

    Raises:
        RunFailed: indexing stalls.
        AnamnesisError: a call fails.
    """
    done, moved_s = 0, asyncio.get_running_loop().time()
    while done < turn_count:
        now = sum([await client.embedded(namespace) for namespace in namespaces])
        now_s = asyncio.get_running_loop().time()
        if now > done:
            advance(now - done)
            done, moved_s = now, now_s
        elif now_s - moved_s > _STALLED_S_MAX:
            raise RunFailed(f"{name}: indexing stands still at {done} turns")
        if done < turn_count:
            await asyncio.sleep(_POLL_S)


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

        return await each(dataset.conversations, one)


async def _learn(client: Client, dataset: Dataset, loaded: Sequence[Loaded]) -> None:
    """Run the pipeline of every namespace to its end."""
    sessions = sum(len(one.conversation.sessions) for one in loaded)
    with stage(f"{dataset.name}: sessions learned from", sessions) as advance:
        for one in loaded:
            async for taught in client.learn(one.namespace):
                advance(taught)


async def _await_index(client: Client, dataset: Dataset, loaded: Sequence[Loaded]) -> None:
    """Wait until every turn is indexed with its vectors."""
    namespaces = [one.namespace for one in loaded]
    with stage(f"{dataset.name}: turns embedded", dataset.turn_count) as advance:
        await await_vectors(client, dataset.name, namespaces, dataset.turn_count, advance)
