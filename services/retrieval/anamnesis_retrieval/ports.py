"""The ports of the retrieval service: to memory, for one caller in one namespace; to a reranker."""

from collections.abc import AsyncGenerator, Sequence
from typing import Protocol

from anamnesis_retrieval.model import (
    NOTHING_BEHIND,
    Behind,
    CandidateSet,
    Joined,
    KnownFact,
    Part,
    Remembered,
    Weights,
)


class Memories(Protocol):
    """The memories of one scope, as one request sees them."""

    async def find(
        self,
        query: str,
        weights: Weights,
        at_least_revision: str,
        related_words: str = "",
        behind: Behind = NOTHING_BEHIND,
        memory_ids: Sequence[str] = (),
    ) -> CandidateSet:
        """The best candidates by the weighted sum of their features, and those behind them.

        `related_words` help finding. Only `memory_ids` take part, where there are any.
        """
        ...

    async def newest(self, part: Part, count: int, at_least_revision: str) -> CandidateSet:
        """The newest candidates of a part, the newest first; none where the filter has none."""
        ...

    async def joined(self, memory_ids: Sequence[str], revision: str) -> Joined:
        """The memories that the graph joins to some, each with the edges between; those too, at 0.

        What is not there, or not to be seen, is left out.
        """
        ...

    async def known_facts(
        self, subjects: Sequence[str], predicates: Sequence[str], at_least_revision: str
    ) -> Sequence[KnownFact]:
        """Facts about subjects with one of these predicates; an empty subject is who asks.

        Of each subject the oldest first. There are none where a filter narrows what may be told.
        """
        ...

    async def own_names(self, at_least_revision: str) -> Sequence[str]:
        """The names of who asks, none where they have no id.

        The one that their latest lines have comes first, then those that they told, then their id
        where that is a word.
        """
        ...

    async def fetch(self, memory_ids: Sequence[str], revision: str) -> Sequence[Remembered]:
        """Memories in the order asked for, at least as of a revision; those gone are left out."""
        ...

    async def fetch_of_page(
        self, memory_ids: Sequence[str], page: Sequence[str], revision: str
    ) -> Sequence[Remembered]:
        """As `fetch`, of memories of a page that will be shown: all of it is read, once."""
        ...

    async def report_shown(self, memory_ids: Sequence[str]) -> None:
        """Count memories as shown to the caller."""
        ...


class Reranker(Protocol):
    """A model that reads texts beside a question."""

    def scores(self, query: str, texts: Sequence[str]) -> AsyncGenerator[Sequence[float], None]:
        """Give the scores of the texts from the first on, part by part; higher is better.

        All parts are of one scale. Whoever stops reading between two parts has those before.

        Raises:
            AnamnesisError: the model gives none.
        """
        ...
