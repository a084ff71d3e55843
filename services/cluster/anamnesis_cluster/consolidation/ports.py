"""The port to the memory service, for all scopes: what may be one, and under which claim."""

from typing import Protocol

from anamnesis_cluster.consolidation.model import Decision, Duplicate, DuplicatesPage, Verdict
from anamnesis_cluster.runs import Run, Runs


class Duplicates(Runs, Protocol):
    """Duplicates of namespaces, and runs that settle them."""

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
