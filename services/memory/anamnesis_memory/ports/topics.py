"""Topics and their members as a store reads them."""

from typing import Protocol

from anamnesis_memory.model.memory import Caller, Topic
from anamnesis_memory.ports.listing import Listing


class TopicReads(Protocol):
    """Topics, and how far lessons are sorted into them. Reads see committed state only."""

    async def topics(
        self, topic_id: str, caller: Caller | None, after: str, limit: int
    ) -> Listing[Topic]:
        """List topics by id with their centroids; None as caller sees all."""
        ...

    async def topic_progress(self) -> tuple[int, int]:
        """The revision at which topics last changed, and the one up to which all is assigned."""
        ...

    async def list_topic_members(self, topic_id: str, after: int, limit: int) -> Listing[str]:
        """List the ids of a topic's members in the order in which they were stored."""
        ...
