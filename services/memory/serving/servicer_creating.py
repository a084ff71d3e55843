"""Making stated memories ready to be stored: what every rpc that creates some has in common."""

import asyncio
from collections.abc import Sequence

from anamnesis.memory.v1 import memory_service_pb2
from services.memory.create import CreateMemories
from services.memory.ids import new_id
from services.memory.indexing.open_namespace import OpenNamespace
from services.memory.prepare import Preparer
from services.memory.serving.calls import Calls
from services.memory.serving.convert_memory import to_draft


class Creator:
    """Turns what callers state into the write that stores it."""

    def __init__(self, calls: Calls, prepare: Preparer) -> None:
        self._calls = calls
        self._prepare = prepare

    async def ready(
        self, opened: OpenNamespace, stated: Sequence[memory_service_pb2.NewMemory], path: str
    ) -> CreateMemories:
        """Redacted and summarised on a thread; `path` names the field, `{}` the place in it.

        Raises:
            InvalidArgument: a text is blank, or a part or vector does not fit.
        """
        space, now_us = opened.namespace, self._calls.now_us()
        drafts = [
            to_draft(
                new,
                new_id(now_us),
                space.embedding_dimension,
                path.format(position),
                opened.policy.visibility,
            )
            for position, new in enumerate(stated)
        ]
        prepare = self._prepare.under(opened.policy.redaction)
        ready = await asyncio.to_thread(prepare.memories, drafts)
        return CreateMemories([memory for memory, _ in ready], [rows for _, rows in ready])
