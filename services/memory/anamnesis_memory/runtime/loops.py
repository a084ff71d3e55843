"""Loops of the memory service: index, embed, rest, train, notice news, expire, save, purge."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor

from anamnesis_libs.logs import Logger
from anamnesis_libs.run.loop import Loop
from anamnesis_libs.settings import Index
from anamnesis_memory.runtime.indexing.follow import ROW_S
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from anamnesis_memory.runtime.indexing.open_namespaces import OpenNamespaces
from anamnesis_memory.runtime.indexing.snapshots import Snapshots
from anamnesis_memory.storage.measured import StoreFigures

RETRY_EVERY_S = 2.0
TRAIN_EVERY_S = 5.0
NEWS_EVERY_S = 1.0
EXPIRY_EVERY_S = 10.0
PURGE_EVERY_S = 3600.0
STORE_CALLS_EVERY_S = 60.0
MOMENT_S, MOMENTS_MAX = 0.005, 10
"""Vectors are stored when nobody has asked for a moment, and after so many moments at the latest:
those of writes in a row share a transaction, which then runs beside none of them."""


def index_loop(namespaces: OpenNamespaces, settings: Index, then: Callable[[], None]) -> Loop:
    """Texts of indexes follow their stores; woken by commits, it wakes what embeds."""

    async def follow(opened: OpenNamespace) -> bool:
        await opened.follower.step(settings.sync_batch_max)
        return opened.follower.due

    async def step() -> bool:
        more = await _each(
            namespaces, [opened for opened in namespaces.all if opened.follower.due], follow
        )
        then()
        if any(opened.follower.behind and not opened.follower.due for opened in namespaces.all):
            loop.wake_in(ROW_S)
        return more

    loop = Loop("memory.index", every_s=settings.sync_every_s, step=step)
    return loop


def followed(loop: Loop, opened: OpenNamespace) -> None:
    """Have the loop of indexes follow what was committed: now, or with the writes in a row."""
    if opened.follower.due:
        loop.wake()
    else:
        loop.wake_in(ROW_S)


def embed_loop(namespaces: OpenNamespaces, settings: Index, then: Callable[[], None]) -> Loop:
    """Texts get their vectors; it wakes what stores them."""

    async def step() -> bool:
        waiting = [opened for opened in namespaces.all if opened.follower.must_make]
        more = await _each(namespaces, waiting, lambda opened: opened.follower.make_vectors())
        then()
        return more

    return Loop("memory.embed", every_s=settings.sync_every_s, step=step)


def token_loop(namespaces: OpenNamespaces, settings: Index) -> Loop:
    """The tokens of texts are read whose vectors came from a store, while none wait for vectors."""

    async def step() -> bool:
        unread = [opened for opened in namespaces.all if opened.follower.must_read]
        return await _each(namespaces, unread, lambda opened: opened.follower.read_tokens())

    return Loop("memory.tokens", every_s=settings.sync_every_s, step=step)


def rest_loop(namespaces: OpenNamespaces, settings: Index) -> Loop:
    """The work that waits for a moment when nobody asks, or for some moments.

    What searches share is made ready, so that who wrote and asks next does not wait for it, and
    vectors that were made are stored.
    """

    async def work(opened: OpenNamespace) -> bool:
        if opened.index.unsettled:
            await opened.index.settle()
        await opened.follower.store_vectors()
        return False

    async def step() -> bool:
        for _ in range(MOMENTS_MAX):
            waiting = [
                opened
                for opened in namespaces.all
                if opened.follower.must_store or opened.index.unsettled
            ]
            if not waiting:
                return False
            asked = namespaces.asked
            await asyncio.sleep(MOMENT_S)
            if asked == namespaces.asked:
                break
        return await _each(namespaces, waiting, work)

    return Loop("memory.rest", every_s=settings.sync_every_s, step=step)


def train_loop(namespaces: OpenNamespaces, background: Executor) -> Loop:
    """The search for candidates in large namespaces is trained, and anew when they outgrow it."""

    async def train(opened: OpenNamespace) -> bool:
        await opened.index.train(background)
        return False

    async def step() -> bool:
        for opened in namespaces.all:
            if opened.index.untrained:
                await _each(namespaces, [opened], train)
        return False

    return Loop("memory.train", every_s=TRAIN_EVERY_S, step=step)


def retry_loop(namespaces: OpenNamespaces) -> Loop:
    """The loop that retries what could not be embedded."""

    async def step() -> bool:
        failed = [opened for opened in namespaces.all if opened.follower.failed]
        return await _each(namespaces, failed, lambda opened: opened.follower.retry_failed())

    return Loop("memory.embed_again", every_s=RETRY_EVERY_S, step=step)


def news_loop(namespaces: OpenNamespaces, changed: Callable[[OpenNamespace], None]) -> Loop:
    """The loop that notices what other replicas committed; for stores that replicas share."""

    async def look(opened: OpenNamespace) -> bool:
        if opened.store.revision < await opened.store.refresh():
            await opened.learn_policy()
            await opened.learn_seeds()
            changed(opened)
        return False

    async def step() -> bool:
        return await _each(namespaces, list(namespaces.all), look)

    return Loop("memory.news", every_s=NEWS_EVERY_S, step=step)


def expiry_loop(
    namespaces: OpenNamespaces, expire: Callable[[OpenNamespace], Awaitable[None]]
) -> Loop:
    """The sweep of open namespaces: what has expired is erased, whether anybody asks or not."""

    async def sweep(opened: OpenNamespace) -> bool:
        await expire(opened)
        return False

    async def step() -> bool:
        return await _each(namespaces, list(namespaces.all), sweep)

    return Loop("memory.expiry", every_s=EXPIRY_EVERY_S, step=step)


def snapshot_loop(namespaces: OpenNamespaces, snapshots: Snapshots, settings: Index) -> Loop:
    """Indexes that moved far enough are saved, and what files hold of the deleted goes."""

    def holds_deleted(opened: OpenNamespace) -> bool:
        gone_at_s = opened.follower.gone_at_s
        return (
            gone_at_s is not None
            and asyncio.get_running_loop().time() - gone_at_s >= settings.deleted_kept_s
        )

    def moved(opened: OpenNamespace) -> bool:
        changes = opened.follower.text_watermark - opened.saved_at
        return changes >= settings.snapshot_changes_min or holds_deleted(opened)

    async def save(opened: OpenNamespace) -> bool:
        if holds_deleted(opened):
            await opened.let_go(snapshots)
        else:
            await opened.save(snapshots)
        return False

    async def step() -> bool:
        return await _each(namespaces, list(filter(moved, namespaces.all)), save)

    return Loop("memory.snapshot", every_s=settings.snapshot_every_s, step=step)


def purge_loop(snapshots: Snapshots) -> Loop:
    """Damaged snapshots that were set aside long enough ago are removed."""

    async def step() -> bool:
        await asyncio.to_thread(snapshots.purge)
        return False

    return Loop("memory.purge", every_s=PURGE_EVERY_S, step=step)


def store_calls_loop(figures: StoreFigures, logger: Logger) -> Loop:
    """The calls of the storage port since the start, by method, go into the log."""

    async def step() -> bool:
        for row in figures.rows():
            logger.debug("memory.store_calls", **row)
        return False

    return Loop("memory.store_calls", every_s=STORE_CALLS_EVERY_S, step=step)


async def _each(
    namespaces: OpenNamespaces,
    chosen: list[OpenNamespace],
    work: Callable[[OpenNamespace], Awaitable[bool]],
) -> bool:
    """Work on each namespace side by side; one that fails rests, and holds up none of the others.

    What fails is told, and no reason to call the service unhealthy: it is one namespace's.
    """
    now_s = asyncio.get_running_loop().time()

    async def held(opened: OpenNamespace) -> bool:
        async with namespaces.held(opened) as still_open:
            return still_open and await work(opened)

    awake = [opened for opened in chosen if not opened.faults.resting(now_s)]
    outcomes = await asyncio.gather(*map(held, awake), return_exceptions=True)
    for opened, outcome in zip(awake, outcomes, strict=True):
        if isinstance(outcome, Exception):
            opened.faults.note(outcome, opened.name, now_s)
        elif not isinstance(outcome, BaseException):
            opened.faults.clear()
    return any(outcome is True for outcome in outcomes)
