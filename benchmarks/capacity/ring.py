"""The ring of hashes by which gRPC places namespaces, and what moves as a replica comes or goes.

As gRPC builds it (gRFC A42): of 1,024 places or a few more each replica has as many, at the hashes
of its address and a number; a namespace belongs to the next place. gRPC's hash is another, as good.
"""

import bisect
import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass

PLACES_MIN = 1_024


@dataclass(frozen=True, slots=True)
class Moved:
    """The outcome of a change of the replicas."""

    moved_share: float
    """Of the namespaces."""
    fullest_share: float
    """Of the namespaces, with the fullest replica, after the change."""
    cold_share: float
    """Of the searches after the change, those that were the first of a moved namespace."""


class Ring:
    """Replicas by the hashes of their addresses."""

    def __init__(self, replicas: Sequence[str]) -> None:
        each = -(-PLACES_MIN // len(replicas))
        placed = sorted((_hash(f"{name}_{at}"), name) for name in replicas for at in range(each))
        self._hashes = [place for place, _ in placed]
        self._names = [name for _, name in placed]

    def replica_of(self, namespace: str) -> str:
        """The replica that serves a namespace."""
        at = bisect.bisect_left(self._hashes, _hash(namespace))
        return self._names[at % len(self._names)]


def change(before: int, after: int, namespaces: int, searches: int, seed: int = 0) -> Moved:
    """Go from one number of replicas to another, then draw searches, each of anybody's namespace.

    Replicas that stay keep their addresses. Only what is warm can become cold: all were.
    """
    addresses = [f"10.0.{at // 250}.{at % 250}:50051" for at in range(max(before, after))]
    old, new = Ring(addresses[:before]), Ring(addresses[:after])
    names = [f"user-{number}" for number in range(namespaces)]
    homes = {name: new.replica_of(name) for name in names}
    moved = {name for name in names if old.replica_of(name) != homes[name]}
    held = [0] * after
    for home in homes.values():
        held[addresses.index(home)] += 1
    drawn = random.Random(seed).choices(names, k=searches)
    cold = len(moved.intersection(drawn))
    return Moved(len(moved) / namespaces, max(held) / namespaces, cold / searches)


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")
