"""Staging of what recall brings into an agent's STAGING zone: best memories, one line each."""

from dataclasses import dataclass

from anamnesis_libs.index.port import Query, SearchScope
from anamnesis_libs.tokens import TokenCounter
from anamnesis_memory.domain.lifecycle.working import DEFAULT_BUDGETS, WorkingItem, Zone
from anamnesis_memory.memories.working_memory import Owner
from anamnesis_memory.model.memory import Caller
from anamnesis_memory.runtime.indexing.candidates import CandidateFinder
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace

RECALLED_MAX = 20
COSINE_MIN = 0.35
"""A memory that shares no word with the question must at least be so close to it."""
TIMEOUT_S = 5.0


@dataclass(frozen=True, slots=True)
class Staged:
    """Items, best first, and what could not take part in finding them."""

    items: tuple[WorkingItem, ...]
    degraded: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Staging:
    """Finds what answers a question and cuts it to the zone's budget."""

    finder: CandidateFinder
    tokens: TokenCounter

    async def recall(self, opened: OpenNamespace, owner: Owner, query: str) -> Staged:
        """The best memories that agent and user may see; those that do not fit are passed over.

        Raises:
            DeadlineExceeded: the index did not come up in time.
        """
        scope = SearchScope(caller_agent=owner.agent_id, caller_user=owner.user_id)
        candidates = await self.finder.find(
            opened, Query(query, None, scope, limit=RECALLED_MAX), 0, TIMEOUT_S
        )
        told = [
            hit.memory_id
            for hit in candidates.found.hits
            if hit.matched_terms or hit.cosine >= COSINE_MIN
        ]
        memories = await opened.store.memories(told, Caller(owner.agent_id, owner.user_id))
        left, items = DEFAULT_BUDGETS.staging_tokens, list[WorkingItem]()
        for memory in memories:
            line = memory.summary or memory.content
            count = self.tokens.count(line)
            if 0 < count <= left:
                left -= count
                items.append(
                    WorkingItem(
                        item_id=memory.memory_id,
                        zone=Zone.STAGING,
                        content=line,
                        importance=memory.importance,
                        create_us=0,
                        token_count=count,
                        memory_id=memory.memory_id,
                    )
                )
        return Staged(tuple(items), candidates.degraded)
