"""A store and the model of it, side by side: both get every write, and must answer alike."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from anamnesis_libs.errors import AnamnesisError
from anamnesis_memory.model.memory import Caller, Memory, MemoryFilter, Topic
from anamnesis_memory.model.memory_versions import CopyRole
from anamnesis_memory.model.segments import Activity, Segment
from anamnesis_memory.model.session import Event, Session
from anamnesis_memory.model.work import WorkState
from anamnesis_memory.ports import Committed, IdempotentAnswer, Listing, NamespaceStore, RequestKey
from anamnesis_memory.ports.pipeline import SegmentFilter, WorkFilter
from tests.support.pipeline_model import stats
from tests.support.records import rows
from tests.support.store_model import StoreModel
from tests.support.store_rules import (
    owns,
    paged,
    passes,
    same,
    sees,
    sees_topic,
    tally,
    told,
    without_centroid,
)
from tests.support.store_writes import AnyWrite, Result

EVERYTHING = MemoryFilter(include_archived=True)


@dataclass(slots=True)
class Twin:
    """One namespace twice. `followed` is what a follower of the log made of it so far.

    `half_read` are listings that were left: where to go on, and the last that was told.
    """

    store: NamespaceStore
    model: StoreModel = field(default_factory=StoreModel)
    followed: dict[str, int] = field(default_factory=dict)
    followed_to: int = 0
    half_read: list[tuple[int, str]] = field(default_factory=list)

    async def commit(
        self, writes: Sequence[tuple[AnyWrite, RequestKey | None]], now_us: int
    ) -> None:
        """Send writes together; they are taken in this order."""
        jobs = [(write, IdempotentAnswer(key, told) if key else None) for write, key in writes]
        expected = [self._expected(write, remember, now_us) for write, remember in jobs]
        outcomes = await asyncio.gather(
            *(self._outcome(write, remember) for write, remember in jobs)
        )
        assert outcomes == expected

    def _expected(
        self, write: AnyWrite, remember: IdempotentAnswer[Result] | None, now_us: int
    ) -> Committed[Result] | tuple[type, str]:
        try:
            return self.model.commit(write, remember, now_us)
        except AnamnesisError as refused:
            return type(refused), refused.reason

    async def _outcome(
        self, write: AnyWrite, remember: IdempotentAnswer[Result] | None
    ) -> Committed[Result] | tuple[type, str]:
        try:
            return await self.store.commit(write, remember)
        except AnamnesisError as refused:
            return type(refused), refused.reason

    async def embed(self, memory_ids: Sequence[str], lean: float) -> None:
        """Put vectors of memories that have none; those that have some get the same again."""
        embeddings = {}
        for memory_id in memory_ids:
            known = self.model.vectors_of(memory_id)
            embeddings[memory_id] = rows(lean) if known is None else known
        await self.store.put_embeddings(embeddings)
        self.model.put_embeddings(embeddings)

    async def check(self) -> None:
        """Everything that is there, as one who sees all reads it."""
        model, store = self.model, self.store
        assert (store.revision, await store.refresh()) == (model.revision, model.revision)
        progress = (model.topics_revision, model.assigned_revision)
        assert await store.topic_progress() == progress
        assert (await store.list_memories(EVERYTHING, None, 0, 500)).items == model.memories
        assert list(await store.pending_embeddings(500)) == model.pending()
        await self._check_index_records()
        await self._check_ledger()
        await self.check_topics("", None, 500)
        await self.check_log(0, 500)
        await self._check_counts()
        await self._check_work()
        await self._check_life()
        await self.check_segments(None, 500)
        await self.check_activities(Caller(), 500)

    async def _check_index_records(self) -> None:
        ids = ["nobody", *reversed(self.model.stored)]
        known = [memory for one in ids if (memory := self.model.memory(one)) is not None]
        records = await self.store.index_records(ids)
        assert [record.memory for record in records] == known
        embeddings = await self.store.embeddings(ids)
        assert set(embeddings) == {memory_id for memory_id, _ in self.model.vectors}
        for record in records:
            expected = self.model.vectors_of(record.memory.memory_id)
            assert same(record.vectors, expected)
            assert same(embeddings.get(record.memory.memory_id), expected)

    async def _check_ledger(self) -> None:
        assert await self.store.session("nobody") is None
        for session in self.model.ledger.sessions:
            name = session.session_id
            assert await self.store.session(name) == session
            events = await self.store.list_events(name, -1, 500)
            assert events.items == self.model.ledger.events_of(name)

    async def _check_counts(self) -> None:
        counts = await self.store.counts()
        memories = self.model.memories
        assert counts.by_kind == tally([memory.kind for memory in memories])
        assert counts.by_status == tally([memory.status for memory in memories])
        assert counts.by_tier == tally([memory.tier for memory in memories])
        assert counts.sessions == len(self.model.ledger.sessions)
        assert counts.events == len(self.model.ledger.events)
        assert counts.topics == len(self.model.topics)
        assert counts.pending_embeddings == len(self.model.pending())

    async def _check_work(self) -> None:
        """All work, that of one session, and what it cost."""
        work = self.model.pipeline.work.in_order()
        assert await self.store.list_work(WorkFilter(), None, 500) == work
        for states in ((), (WorkState.PENDING, WorkState.DEAD)):
            passing = [item for item in work if not states or item.state in states]
            counted = {(item.kind, item.state): 0 for item in passing}
            for item in passing:
                counted[item.kind, item.state] += 1
            assert await self.store.count_work(WorkFilter(states=states)) == counted
        ours = [item for item in work if item.session_id == "s-1"]
        where = WorkFilter(session_id="s-1")
        assert await self.store.list_work(where, None, 500) == ours
        assert await self.store.usage(0) == self.model.pipeline.usage()

    async def _check_life(self) -> None:
        """What hangs on memories."""
        life = self.model.life
        edges = sorted(life.edges, key=lambda one: one.key)
        assert list(await self.store.list_edges((), None, 500)) == edges
        for role in CopyRole:
            assert list(await self.store.list_copies(role, None, "", 500)) == life.in_order(role)

    async def check_segments(self, caller: Caller | None, limit: int) -> None:
        """Page through the segments that a caller sees, and count how their tasks went."""
        seen = self._sessions_seen_by(caller)
        expected = [one for name in seen for one in self.model.pipeline.segments_of(name)]
        found: list[Segment] = []
        place: tuple[str, int] | None = None
        while page := await self.store.list_segments(SegmentFilter(), caller, place, limit):
            found += page
            place = page[-1].session_id, page[-1].first_index
        assert found == expected
        if caller is not None:
            told = await self.store.task_types(caller, 0.25, 0.5)
            rounded = [replace(one, mean_score=round(one.mean_score, 9)) for one in told]
            counted = stats(expected, 0.25, 0.5)
            assert rounded == [replace(one, mean_score=round(one.mean_score, 9)) for one in counted]

    async def check_activities(self, caller: Caller, limit: int) -> None:
        """Page through what was learned, as far as a caller sees it."""
        seen = self._sessions_seen_by(caller)
        learned = self.model.pipeline.activities
        there = {one.memory_id for one in self.model.memories if sees(caller, one)}
        expected = [
            replace(one, memory_ids=tuple(key for key in one.memory_ids if key in there))
            for one in reversed(learned)
            if one.session_id in seen
        ]
        found: list[Activity] = []
        place: tuple[int, str] | None = None
        while page := await self.store.list_activities("", caller, place, limit):
            found += page
            place = page[-1].revision, page[-1].segment_id
        assert found == expected

    def _sessions_seen_by(self, caller: Caller | None) -> list[str]:
        held = [one for one in self.model.ledger.sessions if sees(caller, one)]
        return sorted(one.session_id for one in held)

    async def check_log(self, after: int, limit: int) -> None:
        """One page of the log: whole revisions, and up to the head where that is all."""
        log = self.model.log(after)
        reach = self.model.revision if len(log) < limit else log[limit - 1].revision
        page = await self.store.changes(after, limit)
        assert page.revision == reach
        revisions = [change.revision for change in page.changes]
        assert revisions == sorted(revisions)
        by_id = sorted(page.changes, key=lambda change: (change.revision, change.memory_id))
        assert by_id == [entry for entry in log if entry.revision <= reach]

    async def follow(self, limit: int) -> None:
        """Read a page on from where the follower is; at the head it knows what is there."""
        page = await self.store.changes(self.followed_to, limit)
        for change in page.changes:
            self.followed.pop(change.memory_id, None)
            if not change.deleted:
                self.followed[change.memory_id] = change.revision
        self.followed_to = page.revision
        if page.revision == self.model.revision:
            there = {memory.memory_id: memory.revision for memory in self.model.memories}
            assert self.followed == there

    async def check_list(self, where: MemoryFilter, caller: Caller | None, limit: int) -> None:
        """Page through the memories that pass a filter."""

        async def page(after: int) -> Listing[Memory]:
            return await self.store.list_memories(where, caller, after, limit)

        assert await paged(page, 0, limit) == self._passing(where, caller)

    def _passing(self, where: MemoryFilter, caller: Caller | None) -> list[Memory]:
        return [one for one in self.model.memories if sees(caller, one) and passes(one, where)]

    async def read_on(self, unread: int) -> None:
        """Go on with a listing that was left a while ago, and leave another near its end.

        It must tell of what was stored behind the last that it told, and is there still.
        """
        if len(self.half_read) > 4:
            after, last_id = self.half_read.pop(0)
            page = await self.store.list_memories(EVERYTHING, None, after, 500)
            behind = self.model.stored[self.model.stored.index(last_id) + 1 :]
            assert page.items == [one for one in self.model.memories if one.memory_id in behind]
        if (limit := len(self.model.memories) - unread) > 0:
            page = await self.store.list_memories(EVERYTHING, None, 0, limit)
            assert page.next_after is not None
            self.half_read.append((int(page.next_after), page.items[-1].memory_id))

    async def check_memories(self, memory_ids: Sequence[str], caller: Caller | None) -> None:
        """Read memories by id, in the order asked for."""
        found = [memory for one in memory_ids if (memory := self.model.memory(one)) is not None]
        expected = [memory for memory in found if sees(caller, memory)]
        assert await self.store.memories(memory_ids, caller) == expected

    async def check_sessions(self, caller: Caller, agent_id: str, user_id: str, limit: int) -> None:
        """Page through the sessions that a caller sees."""

        async def page(after: str) -> Listing[Session]:
            return await self.store.list_sessions(caller, agent_id, user_id, after, limit)

        expected = [
            session
            for session in sorted(self.model.ledger.sessions, key=lambda one: one.session_id)
            if sees(caller, session)
            and (not agent_id or session.agent_id == agent_id)
            and (not user_id or owns(user_id, session.user_id))
        ]
        assert await paged(page, "", limit) == expected
        for session in expected:
            await self._check_events(session.session_id, limit)
        await self.check_segments(caller, limit)
        await self.check_activities(caller, limit)

    async def _check_events(self, session_id: str, limit: int) -> None:
        async def page(after: int) -> Listing[Event]:
            return await self.store.list_events(session_id, after, limit)

        assert await paged(page, -1, limit) == self.model.ledger.events_of(session_id)

    async def check_topics(self, topic_id: str, caller: Caller | None, limit: int) -> None:
        """Page through the topics that a caller sees."""

        async def page(after: str) -> Listing[Topic]:
            return await self.store.topics(topic_id, caller, after, limit)

        found = await paged(page, "", limit)
        expected = [
            topic
            for topic in sorted(self.model.topics, key=lambda topic: topic.topic_id)
            if topic_id in ("", topic.topic_id) and sees_topic(caller, topic)
        ]
        assert list(map(without_centroid, found)) == list(map(without_centroid, expected))
        for topic, known in zip(found, expected, strict=True):
            assert np.allclose(topic.centroid, known.centroid, atol=1e-5)
            await self._check_members(topic.topic_id, limit)

    async def _check_members(self, topic_id: str, limit: int) -> None:
        async def page(after: int) -> Listing[str]:
            return await self.store.list_topic_members(topic_id, after, limit)

        assert await paged(page, 0, limit) == self.model.members_of(topic_id)
