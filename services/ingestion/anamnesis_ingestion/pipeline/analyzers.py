"""The analyzers of a namespace: rules and the embedding model, or a chat model.

Where a chat model is configured it does the work, within the namespace's budget; where it fails
the work waits. The local methods serve where *no* model is configured, never in its stead.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from anamnesis_ingestion.learning.knowledge import Extractor
from anamnesis_ingestion.learning.local.extractor import LocalExtractor
from anamnesis_ingestion.learning.model import ModelExtractor
from anamnesis_ingestion.pipeline.compressing import LocalSummarizer, Summarizer
from anamnesis_ingestion.pipeline.ports import Sessions
from anamnesis_ingestion.pipeline.summarising import ModelSummarizer
from anamnesis_ingestion.segmentation.local import LocalSegmenter
from anamnesis_ingestion.segmentation.model import ModelSegmenter
from anamnesis_ingestion.segmentation.tasks import Segmenter
from anamnesis_ingestion.trajectory.judge import ModelJudge
from anamnesis_ingestion.trajectory.measures import Labeller
from anamnesis_ingestion.trajectory.rules import RulesLabeller
from anamnesis_libs.models.budget import NamespaceBudgets
from anamnesis_libs.models.ports import Matrix
from anamnesis_libs.tokens import TokenCounter


@dataclass(frozen=True, slots=True, kw_only=True)
class Analyzers:
    """All local, or all with the chat model."""

    segmenter: Segmenter
    labeller: Labeller
    extractor: Extractor
    summarizer: Summarizer


class FindsAnalyzers(Protocol):
    """Says who works for a namespace."""

    async def of(self, namespace: str) -> Analyzers:
        """The analyzers of a namespace.

        Raises:
            AnamnesisError: there is nobody to ask now.
        """
        ...


class ConfiguredAnalyzers:
    """Finds the analyzers of a namespace; those with a chat model report what they spend."""

    def __init__(
        self,
        sessions: Sessions,
        chats: NamespaceBudgets | None,
        counter: TokenCounter,
        chat_budget_tokens: int,
    ) -> None:
        """`chat_budget_tokens` is what the events of one question to the chat model may take."""
        self._sessions = sessions
        self._counter = counter
        self._chat_budget_tokens = chat_budget_tokens
        self._chats = chats
        self._extractor = LocalExtractor()

    async def of(self, namespace: str) -> Analyzers:
        """The analyzers of a namespace."""
        if self._chats is None:
            return self._local(namespace)
        chat = await self._chats.of(namespace)
        return Analyzers(
            segmenter=ModelSegmenter(chat),
            labeller=ModelJudge(chat, self._counter, self._chat_budget_tokens),
            extractor=ModelExtractor(chat),
            summarizer=ModelSummarizer(chat, self._counter, self._chat_budget_tokens),
        )

    async def close(self) -> None:
        """Report what has not been reported."""
        if self._chats is not None:
            await self._chats.close()

    def _local(self, namespace: str) -> Analyzers:
        async def embed(texts: Sequence[str]) -> Matrix:
            return await self._sessions.embed(namespace, texts)

        return Analyzers(
            segmenter=LocalSegmenter(embed),
            labeller=RulesLabeller(),
            extractor=self._extractor,
            summarizer=LocalSummarizer(self._counter),
        )
