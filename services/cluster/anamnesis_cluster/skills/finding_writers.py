"""Who writes the skills of a namespace: the chat model within its budget, or the local writer.

Where the model fails the attempt failed: the local writer serves where no model is set, never in
its stead.
"""

from typing import Protocol

from anamnesis_cluster.skills.local_writer import LocalWriter
from anamnesis_cluster.skills.model_writer import ModelWriter
from anamnesis_cluster.skills.writers import Writer
from anamnesis_libs.models.budget import NamespaceBudgets
from anamnesis_libs.tokens import TokenCounter


class FindsWriters(Protocol):
    """Says who writes for a namespace."""

    async def of(self, namespace: str) -> Writer:
        """The writer of a namespace.

        Raises:
            AnamnesisError: there is nobody to ask now.
        """
        ...


class ConfiguredWriters:
    """Finds the writer of a namespace; one with a chat model reports what it spends."""

    def __init__(
        self, chats: NamespaceBudgets | None, counter: TokenCounter, budget_tokens: int
    ) -> None:
        """`budget_tokens` is what the lessons of one question may take."""
        self._chats = chats
        self._counter = counter
        self._budget_tokens = budget_tokens

    async def of(self, namespace: str) -> Writer:
        """The writer of a namespace."""
        if self._chats is None:
            return LocalWriter()
        return ModelWriter(await self._chats.of(namespace), self._counter, self._budget_tokens)
