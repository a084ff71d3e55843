"""Finding candidates: what answers a question, over everything in its scope."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from anamnesis_libs.errors import EmbeddingModelMismatch, ModelUnavailable
from anamnesis_libs.index.port import ConversationKind, Hit, Query, ScoredHits
from anamnesis_libs.index.token_codes import telling_words
from anamnesis_libs.models.cache import CachedQueries
from anamnesis_memory.model.memory import Kind
from anamnesis_memory.model.memory_details import Fact
from anamnesis_memory.runtime.indexing.follow import ROW_S
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from anamnesis_memory.runtime.indexing.open_namespaces import OpenNamespaces

RECALL_MIN = 0.85
"""A smaller share of the nearest, of a scope that is not scored whole, is told with the answer."""

WAITING_MIN, WAITING_SHARE = 32, 0.05
"""Memories that wait for their vectors or tokens are told from this number on, and this share of
all: those that were just said have theirs in a moment."""

_FACT = Kind.SEMANTIC.value


@dataclass(frozen=True, slots=True)
class Candidates:
    """The best of a scope, and what could not take part.

    `model` is that of the vectors compared; empty where the query had none.
    """

    found: ScoredHits
    revision: int
    degraded: tuple[str, ...]
    model: str = ""


@dataclass(frozen=True, slots=True)
class CandidateFinder:
    """The verb behind `FindCandidates`."""

    namespaces: OpenNamespaces
    queries: CachedQueries

    async def find(
        self,
        opened: OpenNamespace,
        query: Query,
        at_least: int,
        timeout_s: float,
    ) -> Candidates:
        """Wait for the index, embed the query unless it comes with a vector, score the scope.

        What asks for the newest has nothing to embed.

        A namespace that was just opened is searched only when its index has caught up.

        Raises:
            DeadlineExceeded: the index did not reach the revision in time.
        """
        degraded: list[str] = []
        weighs_vectors = query.weights.dense or query.weights.dense_window
        if query.vector is None and weighs_vectors and not query.newest_first:
            query = await self._read(opened, query, degraded)
        if at_least < opened.store.revision and not opened.follower.due:
            await opened.follower.take_over(min(ROW_S, timeout_s))
        await opened.follower.wait_for(max(at_least, opened.opened_at), timeout_s)
        revision = opened.follower.watermark
        found = await opened.index.find(query)
        degraded += _behind(opened)
        if query.tokens is not None and found.scope.kind is not ConversationKind.PLAIN:
            degraded += _unread(opened)
        if found.recall < RECALL_MIN:
            degraded.append(
                f"so much is searched that not all of it was scored: of what is nearest by meaning "
                f"about {found.recall:.0%} is found"
            )
        model = "" if query.vector is None else opened.namespace.embedding_model
        return Candidates(found, revision, tuple(degraded), model)

    async def _read(self, opened: OpenNamespace, query: Query, degraded: list[str]) -> Query:
        """The query with its vector and tokens; without them, the text still answers."""
        text = query.meaning or query.text
        try:
            self.namespaces.check_model(opened.namespace)
            read = await self.queries.read(text, opened.follower.embedder)
            tokens = None if read.tokens is None else telling_words(text, read.tokens)
            return replace(query, vector=read.vector, tokens=tokens)
        except ModelUnavailable as error:
            degraded.append(f"no embedding of the query, text only: {error.message}")
        except EmbeddingModelMismatch as error:
            degraded.append(f"vectors are of another model, text only: {error.message}")
        return query


def _behind(opened: OpenNamespace) -> Iterator[str]:
    """Tell what of the store the index has not, or not whole."""
    if opened.behind_by_fault:
        yield "the newest memories are missing: indexing them failed, and is retried"
    waiting = opened.index.waiting_for_vectors
    if _are_many(waiting, opened):
        yield (
            f"{waiting:,} of {opened.index.size:,} memories wait for their vectors: text only "
            "for those"
        )
    elif opened.follower.failed:
        yield "not every memory of the namespace has a vector: text only for those"


def _unread(opened: OpenNamespace) -> Iterator[str]:
    """Tell that many memories have no tokens to compare with the question's."""
    unread = opened.index.unread
    if _are_many(unread, opened):
        yield (
            f"{unread:,} of {opened.index.size:,} memories are not read word by word yet: in "
            "that they count as average"
        )


def _are_many(memories: int, opened: OpenNamespace) -> bool:
    return memories >= max(WAITING_MIN, WAITING_SHARE * opened.index.size)


async def sources_of(opened: OpenNamespace, hits: Sequence[Hit]) -> Mapping[str, Sequence[str]]:
    """The drawers that facts among the hits were taken from; one read, none without facts."""
    facts = [hit.memory_id for hit in hits if hit.kind == _FACT]
    memories = await opened.store.memories(facts, None) if facts else []
    return {
        memory.memory_id: memory.part.source_memory_ids
        for memory in memories
        if isinstance(memory.part, Fact)
    }
