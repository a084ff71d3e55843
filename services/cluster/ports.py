"""What the cluster service needs of the memory service. It asks for itself: it sees all scopes."""

from collections.abc import AsyncGenerator, Sequence
from typing import Protocol

from services.cluster.model import Assignment, Change, Lesson, Topics


class Memory(Protocol):
    """Lessons, topics and changes of every namespace."""

    async def due_namespaces(self, page_token: str) -> tuple[Sequence[str], str]:
        """A page of namespaces whose lessons changed, and the token of the next page."""
        ...

    async def assigned_revision(self, namespace: str) -> str:
        """The revision up to which lessons have been assigned."""
        ...

    async def latest_revision(self, namespace: str) -> str:
        """The latest committed revision."""
        ...

    def watch(self, namespace: str, after_revision: str) -> AsyncGenerator[Change, None]:
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

    async def assign(
        self,
        namespace: str,
        assignments: Sequence[Assignment],
        expected_topics_revision: str,
        assigned_revision: str,
    ) -> str:
        """Put lessons into topics and move the cursor, unless that is empty; gives the revision.

        Raises:
            Conflict: topics changed since the expected revision.
        """
        ...
