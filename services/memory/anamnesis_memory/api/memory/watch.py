"""WatchMemories: the change log as a stream that goes on.

A stream does not hold its namespace open while it waits, so watching many costs
little. It ends with its call, or when the process stops.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence

from anamnesis.memory.v1 import memory_service_pb2 as pb
from anamnesis_memory.api.convert.enums import KIND
from anamnesis_memory.api.convert.values import to_caller
from anamnesis_memory.model.memory import Caller, Kind, LoggedChange
from anamnesis_memory.model.scopes import is_in_scopes, scopes_of
from anamnesis_memory.runtime.bells import Bells
from anamnesis_memory.runtime.calls import Calls
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from anamnesis_memory.runtime.revisions import revision_token

CHANGES_MAX = 500


class Watcher:
    """Serves watches of all namespaces."""

    def __init__(self, calls: Calls, bells: Bells, stopping: asyncio.Event) -> None:
        self._calls = calls
        self._bells = bells
        self._stopping = stopping

    async def stream(
        self, request: pb.WatchMemoriesRequest
    ) -> AsyncIterator[pb.WatchMemoriesResponse]:
        """Tell what changed after a revision, then what changes from now on."""
        bell = self._bells.of(request.namespace)
        kinds = frozenset(map(KIND.from_pb, request.kinds))
        caller = None if request.all_visibilities else to_caller(request.caller)
        after, token = -1, request.after_revision
        while not self._stopping.is_set():
            ring = bell.next()
            async with self._calls.reading(request.namespace) as opened:
                if after < 0:
                    after = await self._calls.check_revision(opened, token, "after_revision")
                changes = await opened.store.changes(after, CHANGES_MAX)
                told = await _visible(opened, changes.changes, kinds, caller)
                namespace, caught_up = opened.namespace, changes.revision == opened.store.revision
            for change in told:
                yield _item(change, revision_token(namespace, change.revision))
            if caught_up:
                yield pb.WatchMemoriesResponse(
                    revision=revision_token(namespace, changes.revision), bookmark=True
                )
                await self._wait(ring)
            after = changes.revision

    async def _wait(self, ring: asyncio.Event) -> None:
        """Until the namespace changes or the process stops."""
        waits = {asyncio.create_task(ring.wait()), asyncio.create_task(self._stopping.wait())}
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waits:
                task.cancel()


async def _visible(
    opened: OpenNamespace,
    changes: Sequence[LoggedChange],
    kinds: frozenset[Kind],
    caller: Caller | None,
) -> list[LoggedChange]:
    """Deletions of what the caller could see, and changes of these kinds that it may."""
    wanted = [change for change in changes if change.deleted or not kinds or change.kind in kinds]
    if caller is None:
        return wanted
    ids = [change.memory_id for change in wanted if not change.deleted]
    seen = {memory.memory_id for memory in await opened.store.memories(ids, caller)}
    scopes = {"", *scopes_of(caller)}
    return [
        change
        for change in wanted
        if change.memory_id in seen or (change.deleted and is_in_scopes(change.scope, scopes))
    ]


def _item(change: LoggedChange, token: str) -> pb.WatchMemoriesResponse:
    if change.deleted or change.kind is None:
        return pb.WatchMemoriesResponse(
            revision=token, memory_id=change.memory_id, change_type=pb.CHANGE_TYPE_DELETED
        )
    return pb.WatchMemoriesResponse(
        revision=token,
        memory_id=change.memory_id,
        change_type=pb.CHANGE_TYPE_UPSERTED,
        kind=KIND.to_pb(change.kind),
    )
