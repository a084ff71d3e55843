"""A namespace in use: its store, its index, and the snapshots that its index leaves."""

import asyncio
import functools
from dataclasses import dataclass, field

from anamnesis_memory.memories.policy import POLICY_KEY, Policy, policy_of
from anamnesis_memory.model.documents import Collection
from anamnesis_memory.model.memory import Namespace
from anamnesis_memory.model.seeds import SEEDS_MAX, Seed, seed_of
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.runtime.indexing.expiry import NextExpiry
from anamnesis_memory.runtime.indexing.faults import Faults
from anamnesis_memory.runtime.indexing.follow import Follower
from anamnesis_memory.runtime.indexing.index_access import IndexAccess
from anamnesis_memory.runtime.indexing.lesson_checks import LessonChecks
from anamnesis_memory.runtime.indexing.snapshots import Snapshots

STORE_BYTES = 4 << 20
"""Memory that an open store takes, connections and their caches included; an estimate."""


@dataclass(frozen=True, slots=True)
class Looked:
    """A look at a source of seeds: its revision, and what of it was merged into others by then."""

    revision: int
    merged: frozenset[str]


@dataclass(slots=True)
class OpenNamespace:
    """A namespace in use. `opened_at` is the revision a search must at least see.

    While `reembedding` it takes writes, although its vectors are of another model. `policy` is
    what was last heard of it: another replica's change is heard of with its other news, and so are
    `seeds`, what came from other namespaces; `sources` is how far those were looked at.
    """

    namespace: Namespace
    store: NamespaceStore
    index: IndexAccess
    follower: Follower
    lessons: LessonChecks
    opened_at: int
    saved_at: int
    policy: Policy = field(default_factory=Policy)
    seeds: tuple[Seed, ...] = ()
    sources: dict[str, Looked] = field(default_factory=dict)
    following: asyncio.Lock = field(default_factory=asyncio.Lock)
    expiry: NextExpiry = field(default_factory=NextExpiry)
    faults: Faults = field(default_factory=Faults)
    holders: int = 0
    reembedding: bool = False
    saving: asyncio.Lock = field(default_factory=asyncio.Lock)
    released: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def name(self) -> str:
        """The name by which callers know the namespace."""
        return self.namespace.name

    @property
    def memory_bytes(self) -> int:
        """Memory that store and index take, estimated."""
        return STORE_BYTES + self.index.memory_bytes

    @property
    def behind_by_fault(self) -> bool:
        """True if the index has not what the store has, because work on it failed."""
        return self.follower.behind and self.faults.in_a_row > 0

    async def learn_policy(self) -> None:
        """Read the policy as it is now."""
        self.policy = policy_of(await self.store.document(POLICY_KEY))

    async def learn_seeds(self) -> None:
        """Read what came from other namespaces, as it is recorded now."""
        found = await self.store.documents(Collection.SEED, "", SEEDS_MAX)
        seeds = tuple(map(seed_of, found))
        if seeds != self.seeds:
            self.seeds = seeds
            self.sources.clear()

    async def save(self, snapshots: Snapshots) -> None:
        """Write a snapshot where the index has moved since the last one."""
        async with self.saving:
            if self.follower.text_watermark != self.saved_at:
                await self._save(snapshots)

    async def save_anew(self, snapshots: Snapshots, *, moved: bool) -> int:
        """Save one snapshot without what was deleted; return how many files were written or erased.

        Without `moved` one that is up to date is left as it is. Whatever else is kept of the
        namespace's index goes, what was set aside too.
        """
        async with self.saving:
            anew = moved or self.follower.text_watermark != self.saved_at
            if anew:
                await self._save(snapshots)
            erase = functools.partial(snapshots.erase, self.namespace, but_newest=True)
            return anew + await asyncio.to_thread(erase)

    async def let_go(self, snapshots: Snapshots) -> None:
        """Remove what was deleted from all files; tried again while the log is still read."""
        since_s = self.follower.gone_at_s
        await self.save_anew(snapshots, moved=True)
        if await self.store.empty_log() and self.follower.gone_at_s == since_s:
            self.follower.gone_at_s = None

    async def _save(self, snapshots: Snapshots) -> None:
        async with self.follower.still():
            watermark = self.follower.text_watermark
            path = snapshots.path_for(self.namespace, watermark)
            await self.index.save(path)
        await asyncio.to_thread(snapshots.keep, path)
        self.saved_at = watermark
