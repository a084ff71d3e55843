"""Keeping the index of one namespace up with its store.

Texts follow the change log at once, so that a new memory is found by its words and a
deleted one by nothing, however much waits for the model. Vectors follow behind, in
batches. `watermark` is the revision up to which the index has both. What the model could
not embed leaves the queue for the store's pending set and is tried again; the
watermark goes on, and searches say what is missing. Tokens come with the vectors; where those came
from the store, they are read behind everything else. Both move over whole revisions,
so a crash costs nothing but work done twice. Vectors are in the index before they are in the
store, for they can be made again: who waits to find a text does not wait for the disk once more,
and those of some moments are stored together. So are texts taken over together while nobody asks:
the first write is followed at once, those in a row with it every `ROW_S`, all as soon as a search
comes.

Whoever takes several of the locks takes `_embedding` first, then `_storing`, then `_reading`.
"""

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace

from anamnesis_libs.errors import DeadlineExceeded, ModelUnavailable
from anamnesis_libs.index.port import Document, Rows
from anamnesis_libs.models.ports import Embedder
from anamnesis_memory.model.memory import Kind, Memory, Status
from anamnesis_memory.model.memory_details import Episode, Fact
from anamnesis_memory.ports import IndexRecord, NamespaceStore
from anamnesis_memory.runtime.indexing.index_access import IndexAccess
from anamnesis_memory.runtime.indexing.lesson_checks import LessonChecks
from anamnesis_memory.runtime.indexing.texts import ReadMemories, name_of, read

EMBED_BATCH_MAX = 64
READ_BATCH_MAX = 16
MADE_MAX = 4 * EMBED_BATCH_MAX
"""Vectors of so many memories wait for being stored at most; more are made when those are."""
ROW_S = 0.01
"""Texts of writes in a row are taken over so often, while nobody asks for them."""


@dataclass(frozen=True, slots=True)
class _Made:
    """Vectors that wait for being stored, and the memory whose text they are of.

    `placed` is the revision at which it was lined up, where the index has them since.
    """

    vectors: Rows
    memory: Memory
    placed: int | None


class Follower:
    """Follows one store with one index."""

    def __init__(
        self,
        store: NamespaceStore,
        index: IndexAccess,
        embedder: Embedder,
        text_watermark: int,
        *,
        embeds: bool = True,
        pending: Iterable[str] = (),
        lessons: LessonChecks | None = None,
        hurry: Callable[[], None] = lambda: None,
    ) -> None:
        """Lessons whose vectors come late are checked by `lessons`, where it is given.

        `hurry` is called when somebody waits for texts that are not taken over.
        Of `pending` memories the store has no vectors: a snapshot of the index may have some that
        the power, or a full disk, took from the store.
        """
        self._store = store
        self._lessons = lessons
        self._hurry = hurry
        self._index = index
        self._embedder = embedder
        self._reading = asyncio.Lock()
        self._storing = asyncio.Lock()
        self._embedding = asyncio.Lock()
        self._moved = asyncio.Condition()
        self._asked = self._has_more = False
        self._stepped_at_s = -ROW_S
        self.restart(text_watermark, embeds=embeds, pending=pending)

    def restart(self, text_watermark: int, *, embeds: bool, pending: Iterable[str] = ()) -> None:
        """Begin anew with what the index holds now, before the first step or while paused.

        Without `embeds` the namespace's vectors are of another model: none are made, and
        what has none counts as missing.
        """
        waiting = [*self._index.without_vectors(), *pending]
        self.embeds = embeds
        self._queue = dict.fromkeys(waiting if embeds else (), text_watermark)
        self._made: dict[str, _Made] = {}
        self._at_hand: dict[str, Memory] = {}
        self._taken: dict[str, int] = {}
        self._making: dict[str, Memory] = {}
        self._unread: set[str] = set()
        self._failed: set[str] = set() if embeds else set(waiting)
        self.text_watermark = text_watermark
        self.gone_at_s: float | None = None
        """Since when files may hold what was deleted; None where they do not."""

    @property
    def embedder(self) -> Embedder:
        """The embedder of the namespace, which counts what it costs where it costs money."""
        return self._embedder

    @property
    def behind(self) -> bool:
        """True if the store has revisions that the index has not."""
        return self.text_watermark < self._store.revision

    @property
    def due(self) -> bool:
        """True if texts are to be taken over now, and not with those of the writes that follow."""
        waited_s = asyncio.get_running_loop().time() - self._stepped_at_s
        return self.behind and (self._asked or self._has_more or waited_s >= ROW_S)

    @property
    def must_embed(self) -> bool:
        """True if texts wait for their vectors, in the index or in the store."""
        return bool(self._queue)

    @property
    def must_make(self) -> bool:
        """True if texts wait for vectors that are still to be made."""
        return any(True for _ in self._unplaced())

    @property
    def must_store(self) -> bool:
        """True if vectors that were made wait for being stored."""
        return bool(self._made)

    @property
    def must_read(self) -> bool:
        """True if tokens are missing of texts that have vectors, and no vectors wait to be made.

        They are in no store: of what came from one, with its vectors, they are read anew.
        """
        missing = self.embeds and self._embedder.reads_tokens and self._index.unread > 0
        return missing and not self.must_make

    @property
    def failed(self) -> int:
        """Memories that the model could not embed so far."""
        return len(self._failed)

    @property
    def watermark(self) -> int:
        """The revision up to which texts and vectors are there, or known to be missing."""
        _, first = next(self._unplaced(), ("", None))
        return self.text_watermark if first is None else min(first - 1, self.text_watermark)

    @asynccontextmanager
    async def still(self) -> AsyncIterator[None]:
        """Keep the index where it is, so that it agrees with its watermark."""
        async with self._reading:
            yield

    @asynccontextmanager
    async def paused(self) -> AsyncIterator[None]:
        """Neither texts nor vectors move, and those made are stored; who waits goes on waiting."""
        async with self._embedding:
            await self.store_vectors()
            async with self._reading:
                yield
        await self._tell()

    def note_missing(self, memory_ids: Sequence[str]) -> None:
        """Have vectors made of texts that lost theirs; searches say so until then."""
        self._failed.update(memory_ids)

    async def step(self, batch_max: int) -> bool:
        """Take over the texts of one batch of changes.

        Returns:
            Whether more is waiting.
        """
        async with self._reading:
            if not self.behind:
                return False
            begun_s = asyncio.get_running_loop().time()
            self._asked, self._has_more = False, True
            changes, read = await self._store.changes_to_index(self.text_watermark, batch_max)
            records = [self._with_made(record) for record in read]
            gone = [change.memory_id for change in changes.changes if change.deleted]
            unfit = await self._index.put([document_of(record) for record in records], gone)
            self._enqueue(records, gone)
            self._failed.update(unfit)
            self.text_watermark = changes.revision
            self._stepped_at_s, self._has_more = begun_s, len(changes.changes) >= batch_max
            if (gone or _replaced(records)) and self.gone_at_s is None:
                self.gone_at_s = asyncio.get_running_loop().time()
        await self._tell()
        return self.behind

    async def embed(self) -> bool:
        """Make the vectors of one batch and store them.

        Returns:
            Whether more is waiting.
        """
        await self.make_vectors()
        await self.store_vectors()
        return self.must_embed

    async def make_vectors(self) -> bool:
        """Put the vectors of one batch into the index; one that the model refuses is set aside.

        Those of lessons are stored at once: the next lesson is compared with what the store has.
        What got another text meanwhile was lined up anew and goes on waiting.

        Returns:
            Whether more is waiting.
        """
        async with self._embedding:
            if len(self._made) > MADE_MAX - EMBED_BATCH_MAX:
                await self.store_vectors()
            taken = self._taken = dict(itertools.islice(self._unplaced(), EMBED_BATCH_MAX))
            try:
                memories = await self._memories(taken)
                self._making = {memory.memory_id: memory for memory in memories}
                made = await self._read(memories)
            except ModelUnavailable as error:
                self._failed.update(taken)
                await self._store.note_embedding_failures(list(taken), error.message)
            else:
                await self._place(made)
                if any(one.memory.kind is Kind.LEARNING for one in made.records):
                    await self.store_vectors()
            finally:
                self._making = {}
            for memory_id, revision in taken.items():
                if not self._is_placed(memory_id, revision):
                    self._leave_queue(memory_id, revision)
        await self._tell()
        return self.must_make

    async def read_tokens(self) -> bool:
        """Have the tokens of one batch read, of texts whose vectors came from the store.

        What got another text meanwhile is passed over.

        Returns:
            Whether it is worth going on at once.

        Raises:
            ModelUnavailable: the model does not answer.
        """
        before = self._index.unread
        async with self._embedding:
            self._unread = set(await self._index.without_tokens(READ_BATCH_MAX))
            memories = await self._store.memories(list(self._unread), caller=None)
            made = await read(self._embedder, memories)
            async with self._reading:
                same = {one: made.tokens[one] for one in made.tokens if one in self._unread}
                await self._index.put_tokens(same)
        return self._index.unread < before and self.must_read

    async def store_vectors(self) -> None:
        """Store the vectors that were made; the store passes over what has changed since."""
        async with self._storing:
            stored = dict(self._made)
            if not stored:
                return
            vectors = {one: made.vectors for one, made in stored.items()}
            made_of = _revisions_of(made.memory for made in stored.values())
            await self._store.put_embeddings(vectors, made_of)
            for memory_id, made in stored.items():
                if self._made.get(memory_id) is made:
                    del self._made[memory_id]
                if made.placed is not None:
                    self._leave_queue(memory_id, made.placed)

    async def retry_failed(self) -> bool:
        """Try again what could not be embedded.

        Returns:
            Whether it is worth going on at once.

        Raises:
            ModelUnavailable: the model still does not answer.
        """
        if not self.embeds:
            return False
        async with self._embedding:
            batch = list(itertools.islice(self._failed, EMBED_BATCH_MAX))
            memories = await self._store.memories(batch, caller=None)
            made = await self._read(memories)
            vectors = _by_id(made.records)
            kept = await self._store.put_embeddings(vectors, _revisions_of(memories))
            await self._index.put_vectors({one: vectors[one] for one in kept})
            await self._index.put_tokens(
                {one: made.tokens[one] for one in kept & made.tokens.keys()}
            )
            self._failed.difference_update(batch)
        return bool(self._failed)

    async def wait_for(self, revision: int, timeout_s: float) -> None:
        """Wait until texts and vectors have reached a revision.

        Raises:
            DeadlineExceeded: they did not in time.
        """
        await self._wait(lambda: self.watermark >= revision, revision, timeout_s)

    async def wait_for_text(self, revision: int, timeout_s: float) -> None:
        """Wait until texts and deletions have reached a revision.

        Raises:
            DeadlineExceeded: they did not in time.
        """
        await self._wait(lambda: self.text_watermark >= revision, revision, timeout_s)

    async def take_over(self, timeout_s: float) -> None:
        """Wait, at most so long, until the texts are there that the store has."""
        with suppress(DeadlineExceeded):
            await self.wait_for_text(self._store.revision, timeout_s)

    def _enqueue(self, records: Sequence[IndexRecord], gone: Sequence[str]) -> None:
        """Line up what has no vectors, behind what waits already."""
        self._unread.difference_update(gone, (one.memory.memory_id for one in records))
        for memory_id in gone:
            self._queue.pop(memory_id, None)
            self._made.pop(memory_id, None)
            self._failed.discard(memory_id)
        self._at_hand = {}
        for record in records:
            self._queue.pop(record.memory.memory_id, None)
            if record.vectors is not None:
                continue
            if self.embeds:
                self._queue[record.memory.memory_id] = record.memory.revision
                self._at_hand[record.memory.memory_id] = record.memory
                self._keep_under_way(record.memory)
            else:
                self._failed.add(record.memory.memory_id)

    def _unplaced(self) -> Iterator[tuple[str, int]]:
        """The memories that wait for vectors in the index, each with its revision, in order."""
        waiting = self._queue.items()
        return ((one, revision) for one, revision in waiting if not self._is_placed(one, revision))

    def _is_placed(self, memory_id: str, revision: int) -> bool:
        made = self._made.get(memory_id)
        return made is not None and made.placed == revision

    def _leave_queue(self, memory_id: str, revision: int) -> None:
        """Nothing waits for a memory any more that was lined up at a revision, and not since."""
        if self._queue.get(memory_id) == revision:
            del self._queue[memory_id]

    def _with_made(self, record: IndexRecord) -> IndexRecord:
        """The record of a memory written again, same text, with vectors that wait to be stored."""
        made = self._made.get(record.memory.memory_id)
        if record.vectors is not None or made is None:
            return record
        if made.memory.content != record.memory.content:
            return record
        self._made[record.memory.memory_id] = _Made(made.vectors, record.memory, None)
        return replace(record, vectors=made.vectors)

    def _keep_under_way(self, memory: Memory) -> None:
        """Let the vectors that are being made be those of a memory written again, same text."""
        making = self._making.get(memory.memory_id)
        if making is not None and making.content == memory.content:
            self._making[memory.memory_id] = memory
            self._taken[memory.memory_id] = memory.revision

    async def _wait(self, reached: Callable[[], bool], revision: int, timeout_s: float) -> None:
        self._asked = True
        if reached():
            return
        if self.behind and not self._reading.locked():
            self._hurry()
        try:
            async with asyncio.timeout(timeout_s), self._moved:
                await self._moved.wait_for(reached)
        except TimeoutError as error:
            raise DeadlineExceeded(
                f"the index is at revision {self.watermark}, asked for {revision}, after "
                f"{timeout_s:.1f} s; ask again, or with a longer deadline",
                metadata={"waiting_for": "revision"},
            ) from error

    async def _tell(self) -> None:
        async with self._moved:
            self._moved.notify_all()

    async def _memories(self, taken: Mapping[str, int]) -> Sequence[Memory]:
        """The memories of a batch; those of the last step are at hand, others are read."""
        if taken.keys() <= self._at_hand.keys():
            return [self._at_hand[memory_id] for memory_id in taken]
        return await self._store.memories(list(taken), caller=None)

    async def _read(self, memories: Sequence[Memory]) -> ReadMemories:
        """Memories as the model reads them, all pieces in one call, and lessons linked by it.

        Raises:
            ModelUnavailable: the model does not answer.
        """
        made = await read(self._embedder, memories)
        if self._lessons is not None:
            await self._lessons.link(made.records, self.text_watermark)
        return made

    async def _place(self, made_now: ReadMemories) -> None:
        """Put vectors and tokens into the index where the text is still theirs."""
        vectors, taken = _by_id(made_now.records), self._taken
        async with self._reading:
            made_of = self._making
            fitting = {
                one
                for one in vectors
                if made_of[one].revision <= taken[one] == self._queue.get(one)
            }
            await self._index.put_vectors({one: vectors[one] for one in fitting})
            tokens = made_now.tokens
            await self._index.put_tokens({one: tokens[one] for one in fitting & tokens.keys()})
            for one, rows in vectors.items():
                placed = taken[one] if one in fitting else None
                self._made[one] = _Made(rows, made_of[one], placed)


def _by_id(records: Sequence[IndexRecord]) -> dict[str, Rows]:
    """The vectors of memories, by their ids."""
    return {one.memory.memory_id: one.vectors for one in records if one.vectors is not None}


def _revisions_of(memories: Iterable[Memory]) -> dict[str, int]:
    """The revision of each memory, by its id."""
    return {memory.memory_id: memory.revision for memory in memories}


def _replaced(records: Sequence[IndexRecord]) -> bool:
    """True if one is a document that took another's place: nothing keeps what it said before."""
    memories = (one.memory for one in records)
    return any(
        one.kind is Kind.DOCUMENT and one.update_time_us > one.create_time_us for one in memories
    )


def document_of(record: IndexRecord) -> Document:
    """A memory as the index sees it."""
    memory = record.memory
    episode = memory.part if isinstance(memory.part, Episode) else None
    fact = memory.part if isinstance(memory.part, Fact) else None
    return Document(
        memory_id=memory.memory_id,
        text=memory.content,
        kind=memory.kind.value,
        role=episode.role.value if episode else "",
        name=name_of(memory),
        session_id=memory.session_id,
        position=memory.event_index,
        event_time_us=memory.event_time_us,
        utc_offset_minutes=memory.utc_offset_minutes,
        create_time_us=memory.create_time_us,
        importance=memory.importance,
        category=memory.category,
        tags=memory.tags,
        entities=memory.entities,
        agent_id=memory.agent_id,
        user_id=memory.user_id,
        visibility=memory.visibility.value,
        origin=memory.provenance.origin.value,
        archived=memory.status is Status.ARCHIVED,
        valid_from_us=fact.valid_from_us if fact else None,
        valid_to_us=fact.valid_to_us if fact else None,
        vectors=record.vectors,
    )
