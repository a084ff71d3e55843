"""Making stated memories ready to be stored: what every rpc that creates some has in common."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

from anamnesis.memory.v1 import memory_service_pb2
from anamnesis_libs.index.port import Rows
from anamnesis_memory.api.convert.entity import to_named
from anamnesis_memory.api.convert.memory import to_draft
from anamnesis_memory.api.convert.values import stated_visibility
from anamnesis_memory.domain.entities.names import Named
from anamnesis_memory.knowledge.intake import KnowledgeRules
from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.model.ids import new_id
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.ports import IndexRecord
from anamnesis_memory.preparation.prepare import Preparer
from anamnesis_memory.runtime.calls import Calls
from anamnesis_memory.runtime.indexing.checked import LessonGate
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace


class Creator:
    """Turns what callers state into the write that stores it."""

    def __init__(self, calls: Calls, prepare: Preparer, gate: LessonGate) -> None:
        self._calls = calls
        self._prepare = prepare
        self._gate = gate

    async def ready(
        self, opened: OpenNamespace, stated: Sequence[memory_service_pb2.NewMemory], path: str
    ) -> CreateMemories:
        """Redacted and summarised on a thread, lessons checked; ids sort as what was stated.

        `path` names the field, `{}` the place in it.

        Raises:
            InvalidArgument: a text is blank, or a part or vector does not fit.
        """
        space, now_us = opened.namespace, self._calls.now_us()
        ids = sorted(new_id(now_us) for _ in stated)
        drafts = [
            to_draft(
                new,
                memory_id,
                space.embedding_dimension,
                path.format(position),
                opened.policy.visibility_of(stated_visibility(new.visibility), new.user_id),
                opened.policy.zone,
            )
            for position, (memory_id, new) in enumerate(zip(ids, stated, strict=True))
        ]
        named = {
            memory.memory_id: to_named(new.named_entities)
            for (memory, _), new in zip(drafts, stated, strict=True)
            if new.named_entities
        }
        return replace(await self.written(opened, drafts, named), path=path)

    async def written(
        self,
        opened: OpenNamespace,
        drafts: Sequence[tuple[Memory, Rows | None]],
        said: Mapping[str, Sequence[Named]],
    ) -> CreateMemories:
        """The write for memories as the model has them; `said` has the names in each, by its id.

        The request states the memory itself, and not in a field.
        """
        prepare = self._prepare.under(opened.policy.redaction)
        clean = await asyncio.to_thread(prepare.memories, drafts)
        ready = [IndexRecord(memory, rows) for memory, rows in clean]
        named = {memory_id: prepare.named(names) for memory_id, names in said.items() if names}
        vectors, check = await self._gate.passed(opened, ready)
        knowledge = KnowledgeRules(opened.policy.predicates, named)
        memories = [one.memory for one in ready]
        return CreateMemories(memories, vectors, check, knowledge, path="")

    async def clean(self, opened: OpenNamespace, text: str) -> str:
        """A text to be kept, redacted as the namespace says."""
        prepare = self._prepare.under(opened.policy.redaction)
        return await asyncio.to_thread(prepare.clean, text)

    async def asked(self, opened: OpenNamespace, text: str) -> str:
        """The question, redacted as the namespace redacts what it keeps."""
        prepare = self._prepare.asking(opened.policy.redaction)
        return await asyncio.to_thread(prepare.clean, text)
