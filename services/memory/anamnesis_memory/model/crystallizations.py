"""Attempts to make a skill of a topic, as recorded: a document a topic, which quotes nobody."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum

from anamnesis_memory.model.documents import Collection, Document, DocumentKey
from anamnesis_memory.model.scopes import owners_of

ATTEMPTS_MAX = 200
"""Attempts that are kept of a topic, the newest."""


class CrystallizationOutcome(StrEnum):
    """The outcomes of an attempt."""

    PROPOSED = "proposed"
    REVISED = "revised"
    DECLINED = "declined"
    TOO_THIN = "too_thin"
    UNGROUNDED = "ungrounded"
    NOT_BETTER = "not_better"
    FAILED = "failed"

    @property
    def makes_skill(self) -> bool:
        """True if the attempt ended with a skill, or with a new version of one."""
        return self in {CrystallizationOutcome.PROPOSED, CrystallizationOutcome.REVISED}


@dataclass(frozen=True, slots=True)
class Crystallization:
    """One attempt; `skill_memory_id` names the skill that was made or stays, empty without one."""

    attempt: int
    outcome: CrystallizationOutcome
    reason: str
    member_count: int
    model: str
    grounded_share: float = 0.0
    structure_score: float = 0.0
    model_tokens: int = 0
    skill_memory_id: str = ""
    create_time_us: int = 0


def crystallizations_key(topic_id: str) -> DocumentKey:
    """The key of what is recorded of a topic."""
    return DocumentKey(Collection.CRYSTALLIZATION, topic_id)


def crystallizations_of(document: Document | None) -> tuple[Crystallization, ...]:
    """The attempts from what is kept, the oldest first."""
    held = json.loads(document.body) if document is not None else []
    return tuple(
        Crystallization(**{**one, "outcome": CrystallizationOutcome(one["outcome"])})
        for one in held
    )


def recorded(
    topic_id: str, scope: str, attempts: Sequence[Crystallization], now_us: int
) -> Document:
    """The attempts as they are kept; they go with the user or agent whose topic it is."""
    body = json.dumps([asdict(one) for one in attempts[-ATTEMPTS_MAX:]], ensure_ascii=False)
    agent_id, user_id = owners_of(scope)
    return Document(Collection.CRYSTALLIZATION, topic_id, body, now_us, agent_id, user_id)
