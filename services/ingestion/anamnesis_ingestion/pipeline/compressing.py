"""Compressing a session's episodes: what mattered most in it is kept in mind as a line each.

The share that is promoted falls from 70 % to 30 % as more expire at once (100 or more); the
rest is left to retention. By rules, importance is how much an event says beside its speaker: by
length, numbers and names, since the score it came with is not the ledger's to tell. Where a chat
model is configured it says what matters, and in which words (`summarising`).
"""

import re
from collections.abc import Mapping, Sequence
from typing import Protocol

from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role
from anamnesis_libs.tokens import TokenCounter

SHARE_OF_FEW = 0.7
SHARE_OF_MANY = 0.3
MANY_EPISODES = 100
PROMOTED_MAX = 1000
"""Most memories that the ledger promotes in one write."""
SUMMARY_TOKENS_MAX = 64

_TELLING = re.compile(r"\d+|[A-Z][a-z]+(?<!^[A-Z]\w)|[\u4e00-\u9fff]{2}")
_WEIGHT = {Role.USER: 1.0, Role.ASSISTANT: 0.7, Role.TOOL: 0.4, Role.FILE: 0.6, Role.SYSTEM: 0.2}


def share_of(episodes: int) -> float:
    """The share that is promoted: linear from 0.7 for one to 0.3 for 100 and more."""
    reached = min(episodes, MANY_EPISODES) / MANY_EPISODES
    return SHARE_OF_FEW - (SHARE_OF_FEW - SHARE_OF_MANY) * reached


class Summarizer(Protocol):
    """Says which drawers of a session are kept in mind, and in which words."""

    async def summaries(self, events: Sequence[LedgerEvent]) -> Mapping[str, str]:
        """Return a line for each drawer that is promoted, by its memory id, in order.

        Raises:
            AnamnesisError: there is no answer; nothing is promoted, and it is tried again.
        """
        ...


class LocalSummarizer:
    """A Summarizer by rules: the first words of what says most."""

    def __init__(self, counter: TokenCounter) -> None:
        self._counter = counter

    async def summaries(self, events: Sequence[LedgerEvent]) -> Mapping[str, str]:
        """Return the lines by rules; never fails."""
        return summaries_of(events, self._counter)


def episodes_of(events: Sequence[LedgerEvent]) -> list[LedgerEvent]:
    """The events that have a drawer and a text."""
    return [event for event in events if event.memory_id and event.content.strip()]


def kept_count(episodes: Sequence[LedgerEvent]) -> int:
    """Number of episodes that are promoted of so many."""
    return min(round(len(episodes) * share_of(len(episodes))), PROMOTED_MAX)


def summaries_of(events: Sequence[LedgerEvent], counter: TokenCounter) -> Mapping[str, str]:
    """A line for each drawer that is promoted, by its memory id, in the order of the events."""
    episodes = episodes_of(events)
    best = sorted(episodes, key=_importance, reverse=True)[: kept_count(episodes)]
    chosen = {event.memory_id for event in best}
    return {
        event.memory_id: counter.truncate(first_words(event), SUMMARY_TOKENS_MAX)
        for event in episodes
        if event.memory_id in chosen
    }


def _importance(event: LedgerEvent) -> float:
    telling = len(_TELLING.findall(event.content))
    return _WEIGHT[event.role] * (1 + min(telling, 20) / 10 + min(len(event.content), 500) / 500)


def first_words(event: LedgerEvent) -> str:
    """The event on one line, with who says it."""
    text = " ".join(event.content.split())
    return f"{event.name}: {text}" if event.name and event.role is not Role.FILE else text
