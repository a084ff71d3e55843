"""The port to the memory service, for all scopes: what can be refined, and under which claim."""

from collections.abc import Sequence
from typing import Protocol

from anamnesis_cluster.refinement.model import Recorded, Refined, UnrefinedPage
from anamnesis_cluster.runs import Run


class Refinements(Protocol):
    """Memories of namespaces that a model can improve, and runs that do."""

    async def start(self, namespace: str) -> Run | None:
        """Begin a run in a namespace, or where one is due if none is named; None where none can.

        Raises:
            NamespaceNotFound: there is no namespace of this name.
        """
        ...

    async def renew(self, run: Run) -> bool:
        """Keep the claim of a run; True if it is still held."""
        ...

    async def finish(
        self, run: Run, counts: dict[str, int], model_tokens: int, reason: str, next_s: int
    ) -> None:
        """Record how a run ended; due again after so many seconds, 0 means when something changes.

        Raises:
            AnamnesisError: it is not recorded, and found by the end of its claim.
        """
        ...

    async def page(self, namespace: str, limit: int) -> UnrefinedPage:
        """List the next memories.

        Raises:
            NamespaceNotFound: there is no namespace of this name.
        """
        ...

    async def record(
        self, run: Run, model: str, refined: Sequence[Refined], through: str
    ) -> Recorded:
        """Write what a model said; with `through` all up to there has been asked about.

        Raises:
            LeaseLost: somebody else has the run by now.
        """
        ...
