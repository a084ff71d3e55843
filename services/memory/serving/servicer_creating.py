"""Making stated memories ready to be stored: what every rpc that creates some has in common."""

import asyncio
from collections.abc import Sequence

from anamnesis.memory.v1 import memory_service_pb2
from services.memory.create import CreateMemories
from services.memory.ids import new_id
from services.memory.indexing.checked import LessonGate
from services.memory.indexing.open_namespace import OpenNamespace
from services.memory.knowledge.intake import Knowledge
from services.memory.ports import IndexRecord
from services.memory.prepare import Preparer
from services.memory.serving.calls import Calls
from services.memory.serving.convert_entity import to_named
from services.memory.serving.convert_memory import to_draft


class Creator:
    """Turns what callers state into the write that stores it."""

    def __init__(self, calls: Calls, prepare: Preparer, gate: LessonGate) -> None:
        self._calls = calls
        self._prepare = prepare
        self._gate = gate

    async def ready(
        self, opened: OpenNamespace, stated: Sequence[memory_service_pb2.NewMemory], path: str
    ) -> CreateMemories:
        """Redacted and summarised on a thread, lessons checked.

        `path` names the field, `{}` the place in it.

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
        clean = await asyncio.to_thread(prepare.memories, drafts)
        ready = [IndexRecord(memory, rows) for memory, rows in clean]
        named = {
            one.memory.memory_id: prepare.named(to_named(new.named_entities))
            for one, new in zip(ready, stated, strict=True)
            if new.named_entities
        }
        vectors, check = await self._gate.passed(opened, ready)
        knowledge = Knowledge(opened.policy.predicates, named)
        return CreateMemories([one.memory for one in ready], vectors, check, knowledge)
