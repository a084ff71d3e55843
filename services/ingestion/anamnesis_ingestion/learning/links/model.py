"""A link that a trajectory shows, between what was said or done and what was learned."""

from dataclasses import dataclass
from enum import StrEnum

from anamnesis_ingestion.learning.knowledge import LearnedLesson, LearnedProcedure


class LinkType(StrEnum):
    """The meaning of a link."""

    FOLLOWED_BY = "followed_by"
    CAUSED_BY = "caused_by"


LinkEnd = int | LearnedLesson | LearnedProcedure
"""An end of a link: an event by its index, or something that was learned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedLink:
    """A link with how sure it is, above 0 to 1, and the indices of the events that show it.

    FOLLOWED_BY leads from what came before to what came after, CAUSED_BY from an effect to its
    cause.
    """

    source: LinkEnd
    target: LinkEnd
    type: LinkType
    weight: float
    shown_by: tuple[int, ...]
