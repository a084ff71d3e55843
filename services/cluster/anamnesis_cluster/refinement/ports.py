"""The port to the memory service, for all scopes: what can be refined, and under which claim."""

from collections.abc import Sequence
from typing import Protocol

from anamnesis_cluster.refinement.model import Recorded, Refined, UnrefinedPage
from anamnesis_cluster.runs import Run, Runs


class Refinements(Runs, Protocol):
    """Memories of namespaces that a model can improve, and runs that do."""

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
