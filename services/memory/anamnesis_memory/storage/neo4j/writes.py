"""Commits on Neo4j: lock the namespace's clock, load, decide, put, all in one transaction.

The clock's node is locked first, so writers of one namespace stand in line, whichever replica
they run in; no relationship ever hangs on that node. The clock also keeps the ids of the last
commits: a transaction that runs again after its connection broke finds out whether it happened.

What appends and no more looks without the lock, and is put with it in one statement, if the clock
has not moved meanwhile: two ways to the server. If it has, the same is done under the lock.
"""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from anamnesis_libs.errors import AnamnesisError, StoreUnavailable
from anamnesis_libs.storage.neo4j import Row
from anamnesis_memory.ports import (
    CommitStamp,
    Committed,
    IdempotentAnswer,
    ReadSet,
    ReadView,
    Write,
    WriteSet,
)
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.additions import added_by
from anamnesis_memory.storage.answers import mentioned
from anamnesis_memory.storage.neo4j.draft import Clock, Draft, Loaded, LoadedAnswer, all_wanted
from anamnesis_memory.storage.neo4j.erasure import erase_session
from anamnesis_memory.storage.neo4j.facts import reasons_given, review
from anamnesis_memory.storage.neo4j.fresh import FreshLessons
from anamnesis_memory.storage.neo4j.knowledge import look_at_knowledge, looks_at_knowledge, reviews
from anamnesis_memory.storage.neo4j.last_seen import LastSeen
from anamnesis_memory.storage.neo4j.life import look_at_life, looks_at_life
from anamnesis_memory.storage.neo4j.load import load, look
from anamnesis_memory.storage.neo4j.locks import LockNeeded, lock_clock, lock_embeddings
from anamnesis_memory.storage.neo4j.puts import put_appended, put_draft
from anamnesis_memory.storage.neo4j.removals import delete_memories, let_go_of_vectors
from anamnesis_memory.storage.neo4j.retention import expire, see_stubs
from anamnesis_memory.storage.neo4j.rows import node
from anamnesis_memory.storage.neo4j.scope import ScopedTransaction
from anamnesis_memory.storage.neo4j.topics import assign_members, name_topics
from anamnesis_memory.storage.neo4j.uploads import put_upload, see_uploads
from anamnesis_memory.storage.neo4j.work import look_further, looks_further

RECORDS_MAX = 1_000
"""Records after which a transaction takes no further write."""
RECENT_MAX = 64

Job = tuple[Write[object], IdempotentAnswer[object] | None]
Outcome = Committed[object] | AnamnesisError


@dataclass(slots=True)
class Attempt:
    """One commit through all its tries; `outcomes` and the clock's `row` are the last try's."""

    commit_id: str = field(default_factory=lambda: uuid.uuid4().hex)
    outcomes: list[Outcome] = field(default_factory=list)
    row: Row = field(default_factory=dict)
    commits: int | None = None


async def run_batch(
    tx: ScopedTransaction, jobs: Sequence[Job], now_us: int, attempt: Attempt
) -> None:
    """Run as many writes as one transaction takes, at least one, each at the next revision.

    Raises:
        StoreUnavailable: an earlier try may have committed, and it can no longer be known.
    """
    run = _Run(tx, now_us, attempt.commit_id)
    row = await run.load(jobs)
    if _done_before(row, attempt):
        return
    attempt.outcomes = await run.decide(jobs)
    attempt.row = await run.put_last(lambda clock: _clock_row(clock, row, attempt))


async def append_batch(
    tx: ScopedTransaction, jobs: Sequence[Job], now_us: int, attempt: Attempt, seen: LastSeen
) -> bool:
    """Commit writes that append, in two transactions: a look, and a put where nobody came between.

    What was seen with the last of them is not looked at again.

    Returns:
        False if it takes the lock to commit them, and `run_batch`; nothing was put then.

    Raises:
        StoreUnavailable: an earlier try may have committed, and it can no longer be known.
    """
    run = _Appending(tx, now_us, attempt.commit_id, seen)
    try:
        row = await run.load(jobs)
        if _done_before(row, attempt):
            return True
        attempt.outcomes = await run.decide(jobs)

        def closing(clock: Clock) -> Row:
            attempt.row = _clock_row(clock, row, attempt)
            return attempt.row

        done = await run.put_unmoved(closing, row)
    except LockNeeded:
        return False
    if done:
        run.keep({**row, **attempt.row})
    else:
        seen.miss()
        attempt.commits = None
    return done


async def begin(tx: ScopedTransaction, attempt: Attempt) -> Clock | None:
    """Lock the clock for a commit; None where an earlier try of it happened after all.

    Raises:
        StoreUnavailable: an earlier try may have committed, and it can no longer be known.
    """
    row = await lock_clock(tx, attempt.commit_id)
    if _done_before(row, attempt):
        return None
    attempt.row = row
    return _clock_of(row)


async def finish(tx: ScopedTransaction, clock: Clock, attempt: Attempt) -> None:
    """Put the clock that `begin` locked as it is now; the attempt's `row` is what was put."""
    attempt.row = _clock_row(clock, attempt.row, attempt)
    await tx.put("put_clock", [attempt.row])


def _done_before(row: Row, attempt: Attempt) -> bool:
    """True if an earlier try of this commit happened after all."""
    commits = rows.number(node(row)["commits"])
    recent = row["recent"]
    assert isinstance(recent, list)
    if attempt.commit_id in recent:
        return True
    if attempt.commits is not None and commits - attempt.commits > RECENT_MAX:
        raise StoreUnavailable("Neo4j went away during a commit; whether it happened is unknown")
    attempt.commits = commits if attempt.commits is None else attempt.commits
    return False


def _clock_of(row: Row) -> Clock:
    held = node(row)
    return Clock(
        revision=rows.number(held["revision"]),
        topics_revision=rows.number(held["topics_revision"]),
        assigned_revision=rows.number(held["assigned_revision"]),
        last_memory_no=rows.number(held["last_memory_no"]),
        last_wing=rows.number(held["last_wing"]),
        last_token=rows.optional(held["last_token"]) or 0,
        tombstone_key=rows.blob(held["tombstone_key"]),
    )


def _clock_row(clock: Clock, before: Row, attempt: Attempt) -> Row:
    recent = before["recent"]
    assert isinstance(recent, list)
    return {
        "revision": clock.revision,
        "topics_revision": clock.topics_revision,
        "assigned_revision": clock.assigned_revision,
        "last_memory_no": clock.last_memory_no,
        "last_wing": clock.last_wing,
        "last_token": clock.last_token,
        "commits": rows.number(node(before)["commits"]) + 1,
        "recent": [attempt.commit_id, *recent[: RECENT_MAX - 1]],
    }


class _Run:
    """The writes of one transaction."""

    def __init__(self, tx: ScopedTransaction, now_us: int, commit_id: str) -> None:
        self._tx = tx
        self._now_us = now_us
        self._commit_id = commit_id
        self._fresh = FreshLessons()

    async def load(self, jobs: Sequence[Job]) -> Row:
        """Lock the clock, and read it and what these writes want to see.

        Raises:
            StoreUnavailable: the namespace is not there.
        """
        row, loaded = await self._load(jobs)
        self.clock = _clock_of(row)
        self._draft = Draft(self.clock, loaded)
        return row

    async def _load(self, jobs: Sequence[Job]) -> tuple[Row, Loaded]:
        wanted = all_wanted([write.wanted() for write, _ in jobs])
        keys = [remember.key for _, remember in jobs if remember]
        return await load(self._tx, wanted, keys, self._now_us, self._commit_id)

    async def decide(self, jobs: Sequence[Job]) -> list[Outcome]:
        """Decide one after another; a refused write leaves nothing behind."""
        outcomes: list[Outcome] = []
        for number, (write, remember) in enumerate(jobs):
            if self._draft.size >= RECORDS_MAX:
                break
            try:
                outcomes.append(await self._decide(write, remember, jobs[number + 1 :]))
            except AnamnesisError as refused:
                outcomes.append(refused)
        return outcomes

    async def put(self) -> None:
        """Write what has been decided so far."""
        await put_draft(self._tx, self._draft)

    async def put_last(self, closing: Callable[[Clock], Row]) -> Row:
        """Write what is left with the clock, whose row `closing` makes; it is then locked out."""
        return await put_draft(self._tx, self._draft, closing)

    async def _decide(
        self, write: Write[object], remember: IdempotentAnswer[object] | None, rest: Sequence[Job]
    ) -> Committed[object]:
        if remember and (known := self._draft.known_answer(remember.key)):
            return Committed(revision=known.revision, replayed=known.answer)
        stamp = CommitStamp(self.clock.revision + 1, self._now_us)
        seen = await self._see(write.wanted())
        decision = write.decide(seen, stamp)
        revision = stamp.revision if decision.edits.any else self.clock.revision
        answer = None
        if remember:
            mentions = mentioned(seen, decision.edits, tells_memories=remember.tells_memories)
            encoded = remember.encode(decision.result, revision)
            answer = LoadedAnswer(remember.key, encoded, revision, self._now_us, mentions)
        self.clock.revision = revision
        self._take(decision.edits, stamp)
        self._fresh.note(decision.edits, stamp)
        if _reaches_further(decision.edits):
            await self._restructure(decision.edits, stamp, rest)
        if answer:
            self._draft.remember(answer)
        return Committed(revision=revision, result=decision.result)

    def _take(self, edits: WriteSet, stamp: CommitStamp) -> None:
        self._draft.take(edits, stamp)

    async def _see(self, wanted: ReadSet) -> ReadView:
        """The view of a write; a draft is put first if the write looks further than the draft."""
        expired = self._draft.expired(wanted)
        if not (_looks_around(wanted) or expired):
            return self._draft.seen(wanted)
        if self._draft.size:
            await self.put()
            self._draft = Draft(self.clock, self._draft.loaded)
        seen = await see_uploads(self._tx, wanted, self._draft.seen(wanted))
        seen = await look_at_life(self._tx, wanted, seen)
        seen = await look_at_knowledge(self._tx, wanted, seen)
        if wanted.fresh_after is not None:
            fresh = await self._fresh.look(self._tx, wanted.fresh_after, self.clock.revision)
            seen = replace(seen, fresh=fresh)
        if expired:
            seen = await see_stubs(self._tx, expired, seen, self.clock.tombstone_key)
        return await look_further(self._tx, wanted, seen, self.clock.tombstone_key)

    async def _restructure(self, edits: WriteSet, stamp: CommitStamp, rest: Sequence[Job]) -> None:
        """Put what was drafted, then what reaches further than its own records; read anew."""
        await lock_embeddings(self._tx, "commit")
        await self.put()
        changed = await let_go_of_vectors(self._tx, edits, stamp)
        left = await reasons_given(self._tx, edits.deleted_memories)
        changed |= await delete_memories(self._tx, edits.deleted_memories, stamp)
        await review(self._tx, edits, left, stamp)
        if edits.topic_members:
            await assign_members(self._tx, edits.topic_members, stamp)
            changed = True
        if edits.topic_labels:
            await name_topics(self._tx, edits.topic_labels, stamp)
            changed = True
        await self._tx.each("delete_requests_of_memories", edits.forgotten_answers)
        await self._tx.each("forget_readers", edits.forgotten_readers)
        if changed:
            self.clock.topics_revision = stamp.revision
        for expiry in edits.expired:
            await expire(self._tx, expiry, self.clock.tombstone_key)
        for new in edits.uploads:
            await put_upload(self._tx, new)
        await self._take_sessions(edits)
        _, loaded = await self._load(rest)
        self._draft = Draft(self.clock, loaded)
        if edits.erased_sessions:
            self._draft.take_life(edits)

    async def _take_sessions(self, edits: WriteSet) -> None:
        """Take away whole sessions, and the ends of others."""
        for session_id in edits.erased_sessions:
            await erase_session(self._tx, session_id)
        for session_id, first_index in edits.truncated:
            await self._tx.run("delete_events_from", session_id=session_id, first_index=first_index)


class _Appending(_Run):
    """The writes of a commit that looks without a lock: they append, and want nothing else.

    Whatever else they are about to do raises `LockNeeded`.
    """

    def __init__(
        self, tx: ScopedTransaction, now_us: int, commit_id: str, last_seen: LastSeen
    ) -> None:
        super().__init__(tx, now_us, commit_id)
        self._last_seen = last_seen

    def keep(self, row: Row) -> None:
        """Keep what was seen for the next append; `row` is the clock's as it was put."""
        self._last_seen.keep(self._wanted, row, self._draft.loaded)

    async def put_unmoved(self, closing: Callable[[Clock], Row], row: Row) -> bool:
        """Write all with the clock; False if that has moved since it was looked at."""
        return await put_appended(self._tx, self._draft, closing, row, self._commit_id)

    async def _load(self, jobs: Sequence[Job]) -> tuple[Row, Loaded]:
        self._wanted = all_wanted([write.wanted() for write, _ in jobs])
        keys = [remember.key for _, remember in jobs if remember]
        seen = None if keys else self._last_seen.take(self._wanted)
        return seen or await look(self._tx, self._wanted, keys, self._now_us)

    def _take(self, edits: WriteSet, stamp: CommitStamp) -> None:
        if added_by(edits) is None:
            raise LockNeeded
        super()._take(edits, stamp)

    async def _see(self, wanted: ReadSet) -> ReadView:
        if _looks_around(wanted) or self._draft.expired(wanted):
            raise LockNeeded
        return self._draft.seen(wanted)


def may_append(wanted: ReadSet) -> bool:
    """True if a write looks at what an append does, and at no memory."""
    apart = wanted.memories or wanted.topics or wanted.documents
    return bool(wanted.sessions) and not (apart or _looks_around(wanted))


def _looks_around(wanted: ReadSet) -> bool:
    """True if a write looks further than at records that it names."""
    return bool(
        looks_further(wanted)
        or looks_at_life(wanted)
        or looks_at_knowledge(wanted)
        or wanted.uploads
    )


def _reaches_further(edits: WriteSet) -> bool:
    """True if a write changes more than records that can be drafted."""
    removed = edits.deleted_memories or edits.erased_sessions or edits.truncated
    changed = edits.stale_embeddings
    topics = edits.topic_members or edits.topic_labels
    apart = edits.expired or edits.uploads
    forgotten = edits.forgotten_answers or edits.forgotten_readers
    return bool(removed or changed or topics or apart or forgotten or reviews(edits))
