"""The port to the memory service. The cluster service asks for itself: it sees all scopes."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Protocol

from anamnesis_cluster.leases import Lease
from anamnesis_cluster.model import Assignment, Label, Lesson, LessonChange, Topics


class Memory(Protocol):
    """Lessons, topics and changes of every namespace."""

    async def assigned_revision(self, namespace: str) -> str:
        """The revision up to which lessons have been assigned."""
        ...

    async def latest_revision(self, namespace: str) -> str:
        """The latest committed revision."""
        ...

    def watch(self, namespace: str, after_revision: str) -> AsyncGenerator[LessonChange, None]:
        """Changes of lessons after a revision, and then as they happen.

        Raises:
            CursorExpired: the log no longer reaches back so far.
        """
        ...

    async def lesson_ids(self, namespace: str) -> Sequence[str]:
        """Ids of all lessons, in the order in which they were stored."""
        ...

    async def lessons(self, namespace: str, memory_ids: Sequence[str]) -> Sequence[Lesson]:
        """Lessons with their vectors; those that are gone are left out."""
        ...

    async def topics(self, namespace: str) -> Topics:
        """All topics with their centroids."""
        ...

    async def homes(self, namespace: str) -> Mapping[str, str]:
        """The topic of each lesson that is in one."""
        ...

    async def members(self, namespace: str, topic_id: str, limit: int) -> Sequence[str]:
        """The lessons of a topic that were stored first; none where it is gone."""
        ...

    async def move(
        self,
        namespace: str,
        assignments: Sequence[Assignment],
        labels: Mapping[str, Label],
        expected_topics_revision: str,
    ) -> str:
        """Put lessons into topics and name topics, without a lease; the cursor stays.

        Returns:
            The revision at which topics changed with it.

        Raises:
            Conflict: topics changed since the expected revision.
        """
        ...

    async def assign(
        self,
        lease: Lease,
        assignments: Sequence[Assignment],
        expected_topics_revision: str,
        assigned_revision: str,
    ) -> None:
        """Put lessons into topics and move the cursor, unless that is empty.

        Raises:
            LeaseLost: somebody else follows the namespace by now.
            Conflict: topics changed since the expected revision.
        """
        ...
