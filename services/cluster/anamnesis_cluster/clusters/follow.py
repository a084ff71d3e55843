"""Following the lessons of one namespace: read what changed, decide, write, go on.

The cursor, kept by memory, says up to which revision every lesson has been looked at. It moves in
the transaction that assigns, and never past a lesson that has no vector yet: such a lesson is
tried again after a growing pause, while those that come after it are assigned. A follower that
dies is started again from the cursor; deciding twice does no harm. The cursor moves only when there
was something to look at: what follows it and is no lesson needs no assignment.

One by one, lessons are joined strictly, so that what belongs together may stand apart. When a third
of a namespace's lessons has come since, all are grouped anew.

Each write shows the lease under which the namespace is followed, and is refused when somebody else
has taken it over.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from anamnesis_cluster.clusters.assign import assign
from anamnesis_cluster.clusters.feed import Feed
from anamnesis_cluster.clusters.initial import run_initial
from anamnesis_cluster.clusters.naming import doubled, name, named_after, unworded
from anamnesis_cluster.clusters.thresholds import thresholds_of
from anamnesis_cluster.leases import Lease
from anamnesis_cluster.model import Lesson, LessonChange, Summary
from anamnesis_cluster.ports import Memory
from anamnesis_libs.clock import Clock
from anamnesis_libs.errors import Conflict, CursorExpired, LeaseLost
from anamnesis_libs.logs import Logger
from anamnesis_libs.revisions import reaches
from anamnesis_libs.settings import Clusters

CONFLICTS_MAX = 8
REGROUP_MIN = 24

_CONFLICT_PAUSE_S = 0.05
_VECTOR_PAUSE_S = 0.5
_VECTOR_PAUSE_S_MAX = 10.0


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one process, from its settings."""

    settings: Clusters

    @property
    def batch_max(self) -> int:
        """At most so many lessons in one step."""
        return self.settings.assign_batch_max

    def outgrown(self, members: int, joined: int) -> bool:
        """True if so many have joined since all were grouped that it is worth doing again."""
        return REGROUP_MIN <= members <= self.settings.regroup_lessons_max and joined >= members / 3

    def join_cosine_min(self, lessons: Sequence[Lesson]) -> float:
        """The least cosine for joining a topic; the vectors of a namespace are of one model."""
        return thresholds_of(lessons[0].model if lessons else "", self.settings).join


class Follower:
    """Assigns the lessons of one namespace as they come."""

    def __init__(
        self,
        lease: Lease,
        memory: Memory,
        rules: Rules,
        clock: Clock,
        logger: Logger,
        stopping: asyncio.Event,
    ) -> None:
        self.namespace = lease.namespace
        self.active_at_s = clock.monotonic_s()
        # Nothing is being written, so it may be closed.
        self.resting = False
        # It has caught up at least once with what there was when it was claimed.
        self.caught_up = False
        self._lease = lease
        self._memory = memory
        self._rules = rules
        self._clock = clock
        self._logger = logger
        self._stopping = stopping
        self._cursor = ""
        # What there was when it was claimed; what comes later makes the work due again.
        self._claimed_revision = ""
        # Lessons told and not assigned yet, in order; True for those not looked at yet.
        self._told: dict[str, bool] = {}
        # Everything up to here has been told.
        self._told_revision = ""
        self._last_revision = ""
        # Lessons in topics, and those that were assigned since all were grouped last.
        self._members = 0
        self._joined = 0
        # Topics that are to be named anew.
        self._to_name: frozenset[str] = frozenset()
        self._vector_pause_s = _VECTOR_PAUSE_S
        self._retry_at_s = 0.0

    @property
    def waiting(self) -> bool:
        """True if lessons wait for their vectors."""
        return bool(self._told)

    @property
    def settled(self) -> bool:
        """True if every lesson that had come when the namespace was claimed is assigned."""
        return self.resting and self.caught_up and not self._told

    async def run(self) -> None:
        """Follow until the process stops, or the watch breaks."""
        self._claimed_revision = await self._memory.latest_revision(self.namespace)
        self._cursor = await self._memory.assigned_revision(self.namespace)
        after = self._cursor
        while not self._stopping.is_set():
            try:
                await self._read(after)
            except CursorExpired:
                after = await self._list_anew()
        self.resting = True

    async def _read(self, after: str) -> None:
        """Follow the change log from a revision."""
        changes = self._memory.watch(self.namespace, after)
        feed = Feed(changes, self._stopping)
        try:
            while not self._stopping.is_set():
                await self._gather(feed)
                await self._settle()
        finally:
            await feed.close()

    async def _list_anew(self) -> str:
        """The log has forgotten too much: look at every lesson there is, as of a revision."""
        self._logger.warning("cluster.list_anew", namespace=self.namespace)
        revision = await self._memory.latest_revision(self.namespace)
        ids = await self._memory.lesson_ids(self.namespace)
        self._told = dict.fromkeys(ids, True)
        self._told_revision = self._last_revision = revision
        await self._settle()
        return revision

    async def _gather(self, feed: Feed) -> None:
        """Read until there is something to decide."""
        while not self._stopping.is_set():
            self.resting = True
            change = await feed.next(self._patience_s())
            self.resting = False
            if change is None:
                return
            if self._takes(change):
                return

    def _takes(self, change: LessonChange) -> bool:
        """Note a change; True if it is time to decide."""
        if change.is_bookmark:
            self._told_revision = self._last_revision = change.revision
            self._note_caught_up()
            return any(self._told.values())
        new_revision = change.revision != self._last_revision
        full = new_revision and sum(self._told.values()) >= self._rules.batch_max
        if full:
            self._told_revision = self._last_revision
        self._last_revision = change.revision
        if change.gone:
            self._told.pop(change.memory_id, None)
        else:
            self._told[change.memory_id] = True
        return full

    def _patience_s(self) -> float | None:
        """Seconds until lessons without vectors are read again; None to wait for a change alone."""
        if not self._told or any(self._told.values()):
            return None
        return max(0.0, self._retry_at_s - self._clock.monotonic_s())

    def _note_caught_up(self) -> None:
        if not self._told and reaches(self._told_revision, self._claimed_revision):
            self.caught_up = True

    async def _settle(self) -> None:
        """Assign what has a vector; move the cursor with the last batch if nothing is left."""
        ids = list(self._told)
        size = self._rules.batch_max
        batches = [ids[start : start + size] for start in range(0, len(ids), size)]
        for batch in batches:
            await self._assign_batch(batch, is_last=batch is batches[-1])
        self._plan_retry(had_work=bool(ids))
        if not self._told and self._rules.outgrown(self._members, self._joined):
            await self._regroup()
        elif self._to_name:
            await name(self._memory, self.namespace, self._to_name)
        self._to_name = frozenset()

    async def _regroup(self) -> None:
        """Group all lessons anew: as they came one by one, some stayed apart that belong together.

        Where topics are changed by others all the while, it waits until as many have come again.
        """
        self._joined = 0
        try:
            async for told in run_initial(self._memory, self.namespace, self._rules.settings):
                if isinstance(told, Summary):
                    self._logger.info("cluster.regrouped", namespace=self.namespace, **asdict(told))
        except Conflict:
            self._logger.info("cluster.regroup_put_off", namespace=self.namespace)

    async def _assign_batch(self, ids: Sequence[str], *, is_last: bool) -> None:
        """Decide one batch; those that have no vector yet stay noted, those gone do not."""
        lessons = await self._memory.lessons(self.namespace, ids)
        ready = [lesson for lesson in lessons if lesson.vector is not None]
        waiting = {lesson.memory_id for lesson in lessons if lesson.vector is None}
        all_done = is_last and not waiting and len(self._told) == len(ids)
        moves = all_done and self._told_revision not in ("", self._cursor)
        cursor = self._told_revision if moves else ""
        if ready or cursor:
            await self._write(ready, cursor)
            self.active_at_s = self._clock.monotonic_s()
        for memory_id in ids:
            self._told[memory_id] = False
            if memory_id not in waiting:
                del self._told[memory_id]
        if cursor:
            self._cursor = cursor
            self._note_caught_up()

    def _plan_retry(self, *, had_work: bool) -> None:
        if not self._told:
            self._vector_pause_s = _VECTOR_PAUSE_S
        elif had_work:
            self._retry_at_s = self._clock.monotonic_s() + self._vector_pause_s
            self._vector_pause_s = min(2 * self._vector_pause_s, _VECTOR_PAUSE_S_MAX)

    async def _write(self, lessons: Sequence[Lesson], cursor: str) -> None:
        """Decide and write; where topics changed in between, decide anew.

        Raises:
            LeaseLost: somebody else follows the namespace by now.
            Conflict: topics changed again and again.
        """
        if not lessons:
            await self._memory.assign(self._lease, [], "", cursor)
            return
        for tries in range(1, CONFLICTS_MAX):
            try:
                await self._decide(lessons, cursor)
                return
            except LeaseLost:
                raise
            except Conflict:
                self._logger.info("cluster.conflict", namespace=self.namespace, tries=tries)
            await asyncio.sleep(_CONFLICT_PAUSE_S * tries)
        await self._decide(lessons, cursor)

    async def _decide(self, lessons: Sequence[Lesson], cursor: str) -> None:
        topics = await self._memory.topics(self.namespace)
        decisions = assign(topics.topics, lessons, self._rules.join_cosine_min(lessons))
        await self._memory.assign(self._lease, decisions, topics.revision, cursor)
        self._to_name |= doubled(topics.topics, decisions) | unworded(topics.topics)
        self._to_name |= named_after(topics.topics, lessons)
        self._members = sum(topic.member_count for topic in topics.topics) + len(decisions)
        self._joined += len(decisions)
