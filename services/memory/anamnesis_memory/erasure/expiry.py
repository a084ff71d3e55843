"""Erasing memories whose time is over, before anything else is done with their namespace.

A memory that has expired is erased by the first call that comes, before that call sees anything,
or by the sweep, whichever is first. So everything that reads, counts, walks or decides is right
without knowing of expiry.
"""

from functools import partial

from anamnesis_libs.logs import logger
from anamnesis_memory.erasure.batch import BATCH_MAX, Erasing
from anamnesis_memory.model.memory import Kind
from anamnesis_memory.runtime.calls import Calls
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace

WAIT_S_MAX = 30.0
_LOG = logger("memory.expiry")


async def erase_expired(calls: Calls, opened: OpenNamespace) -> None:
    """Erase what has expired, with all that was derived from it alone; others wait meanwhile.

    Raises:
        DeadlineExceeded: the index did not follow in time; the records are gone.
        StoreUnavailable: nothing can be erased now, and so nothing be read.
    """
    if not await _is_due(calls, opened):
        return
    async with opened.expiry.lock:
        while await _is_due(calls, opened):
            await calls.deleting(partial(_erase, calls, opened))


async def _is_due(calls: Calls, opened: OpenNamespace) -> bool:
    return await opened.expiry.is_due(opened.store, opened.store.revision, calls.now_us())


async def _erase(calls: Calls, opened: OpenNamespace) -> None:
    """Erase a batch, and see to it that no search finds it any more."""
    first = await opened.store.expiring(BATCH_MAX)
    expired = [one.memory_id for one in first if one.expire_time_us <= calls.now_us()]
    erasing = Erasing(opened.store, ledger_stays=True, tombstones=True)
    try:
        async with calls.work_due(opened, calls.lessons_due((Kind.LEARNING,))):
            await erasing.memories(expired)
    finally:
        calls.changed(opened)
        await opened.follower.wait_for_text(opened.store.revision, WAIT_S_MAX)
    derived = len(erasing.gone) - len(expired)
    _LOG.info("memory.expired", namespace=opened.name, memories=len(expired), derived=derived)
