"""The lease under which one namespace is followed: how it is taken, kept, and given back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Lease:
    """A claim of a namespace's clustering, with its fencing token."""

    namespace: str
    token: int


class Leases(Protocol):
    """The source of leases on the clustering of namespaces."""

    async def claim(self, limit: int) -> Sequence[Lease]:
        """Claim what has been due longest, at most so many namespaces."""
        ...

    async def claim_in(self, namespace: str) -> Lease | None:
        """Claim one namespace; None where nothing is due there, or somebody else is at it."""
        ...

    async def renew(self, lease: Lease) -> bool:
        """Keep a lease from expiring; True if it is still held."""
        ...

    async def complete(self, lease: Lease) -> None:
        """Nothing is left to assign.

        Raises:
            LeaseLost: somebody else has the lease by now.
        """
        ...

    async def fail(self, lease: Lease, reason: str, retry_after_s: int) -> None:
        """Give a lease back with work left, which may be claimed again after a pause.

        Raises:
            LeaseLost: somebody else has the lease by now.
        """
        ...
