"""Documents: small records that a namespace keeps by name, whose inside only their owner reads.

The policy, working memories, runs of sleep, attempts to make skills, what an upgrade left to do and
what came from other namespaces are such. A document of a user, agent or session is erased with
them.
"""

from dataclasses import dataclass
from enum import StrEnum


class Collection(StrEnum):
    """The collections of documents."""

    POLICY = "policy"
    WORKING_MEMORY = "working_memory"
    RUN = "run"
    UPGRADE = "upgrade"
    CRYSTALLIZATION = "crystallization"
    SEED = "seed"
    SEEDED = "seeded"
    REFINING = "refining"


@dataclass(frozen=True, slots=True, order=True)
class DocumentKey:
    """The key of a document."""

    collection: Collection
    name: str


@dataclass(frozen=True, slots=True)
class Document:
    """A document; `body` is JSON."""

    collection: Collection
    name: str
    body: str
    update_time_us: int
    agent_id: str = ""
    user_id: str = ""
    session_id: str = ""

    @property
    def key(self) -> DocumentKey:
        """The key of the document."""
        return DocumentKey(self.collection, self.name)
