"""The port to the memory service, for all scopes: what may be one, and under which claim."""

from typing import Protocol

from anamnesis_cluster.consolidation.model import Decision, Duplicate, DuplicatesPage, Verdict
from anamnesis_cluster.runs import Run


class Duplicates(Protocol):
    """Duplicates of namespaces, and runs that settle them."""

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

    async def page(self, namespace: str, token: str) -> DuplicatesPage:
        """List what may be one at the next lessons.

        Raises:
            NamespaceNotFound: there is no namespace of this name.
        """
        ...

    async def settle(
        self, namespace: str, run: Run | None, duplicate: Duplicate, verdict: Verdict
    ) -> Decision:
        """Write what became of two lessons; only compare the text where there is no run.

        Raises:
            LeaseLost: somebody else has the run by now.
            Conflict: one of the two has changed.
            NotFound: one of the two is gone.
        """
        ...
