"""Methods that find boundaries: the suite's own segmentation, and baselines without reading."""

from collections.abc import Awaitable, Callable

from anamnesis_ingestion.model import Role
from anamnesis_ingestion.segmentation.cohesion import Embed
from anamnesis_ingestion.segmentation.cutting import segment
from anamnesis_ingestion.segmentation.local import LocalSegmenter
from anamnesis_libs.tokens import TokenCounter
from benchmarks.segmentation.conversations import Conversation

FIXED_EVENTS = 10

Method = Callable[[Conversation], Awaitable[tuple[int, ...]]]
"""The positions at which it says tasks start; the first is 0."""


def local(embed: Embed, counter: TokenCounter, budget_tokens: int) -> Method:
    """Segmentation without a model, as the pipeline runs it."""
    segmenter = LocalSegmenter(embed)

    async def starts(conversation: Conversation) -> tuple[int, ...]:
        cuts = await segment(conversation.events, segmenter, budget_tokens, counter)
        return tuple(cut.first_index for cut in cuts)

    return starts


async def every_turn(conversation: Conversation) -> tuple[int, ...]:
    """A task at every turn of the user."""
    turns = (at for at, event in enumerate(conversation.events) if event.role is Role.USER)
    return tuple(dict.fromkeys((0, *turns)))


async def fixed_length(conversation: Conversation) -> tuple[int, ...]:
    """A task every ten events."""
    return tuple(range(0, len(conversation.events), FIXED_EVENTS))


async def one_task(_: Conversation) -> tuple[int, ...]:
    """The whole conversation as one task."""
    return (0,)
