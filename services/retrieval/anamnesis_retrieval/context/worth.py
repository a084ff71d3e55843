"""The order in which memories answer: by ranking, in a small scope by their evidence."""

from collections.abc import Mapping, Sequence

from anamnesis_retrieval.context.asked import PromptReading
from anamnesis_retrieval.context.evidence import Evidence
from anamnesis_retrieval.model import Ranked

SMALL_SCOPE = 100
"""Below this many memories what speaks for each counts more than its place in the ranking."""
STRENGTH_SCALE = 10.0
"""The worth of a whole strength beside a score: scores of answers lie around ten."""
RELATION_WORTH, MATTER_WORTH = 0.2, 0.05
"""The strength added, in a small scope, for being of the question's relation or matter."""
TIME_WORTH = 1.0
"""The strength added for what was said on a day that the prompt names, or tells a particular."""
USER_WORTH = 0.2
"""The strength added for a person's words, unless the prompt asks what the agent said."""


def by_worth(
    hits: Sequence[Ranked], evidence: Mapping[str, Evidence], asked: PromptReading, scope_size: int
) -> list[Ranked]:
    """The hits, best first; a place in the ranking is worth the score that belongs to it.

    `evidence` is by memory id, `scope_size` the number of memories that the caller may see.
    """
    scores = sorted((hit.score for hit in hits), reverse=True)
    share = min(1.0, scope_size / SMALL_SCOPE)
    worth = {
        hit.candidate.memory_id: share * score
        + (1 - share) * STRENGTH_SCALE * _strength(hit, evidence[hit.candidate.memory_id], asked)
        for hit, score in zip(hits, scores, strict=True)
    }
    return sorted(hits, key=lambda hit: -worth[hit.candidate.memory_id])


def _strength(hit: Ranked, own: Evidence, asked: PromptReading) -> float:
    """The strength of a memory's evidence, with what its speaker, relation and matter add."""
    strength = own.strength + RELATION_WORTH * own.same_relation + MATTER_WORTH * own.same_matter
    strength += TIME_WORTH * max(own.said_then, own.tells_particular)
    if not asked.about_agent:
        strength += USER_WORTH * (hit.candidate.role == "user")
    return strength
