"""When a topic is to be made a skill, and when its skill is to be written anew."""

from enum import StrEnum

from anamnesis_cluster.skill_model import SkillOutcome, SkillTopic

MEMBERS_MIN = 5
"""Lessons from which a topic may become a skill."""
GROWTH_MIN = 3
"""Lessons more than at the last attempt, from which it is tried again."""


class Readiness(StrEnum):
    """Where a topic stands on its way to a skill."""

    GROWING = "growing"
    READY = "ready"
    SKILLED = "skilled"
    READY_AGAIN = "ready_again"


def is_ready(topic: SkillTopic) -> bool:
    """True if a topic is to be tried now."""
    return readiness(topic) in {Readiness.READY, Readiness.READY_AGAIN}


def readiness(
    topic: SkillTopic, members_min: int = MEMBERS_MIN, growth_min: int = GROWTH_MIN
) -> Readiness:
    """Where a topic stands: an attempt that gave no skill waits for more lessons too.

    An attempt that failed for its model counts as none.
    """
    counted = [one for one in topic.attempts if one.outcome is not SkillOutcome.FAILED]
    if not counted:
        return Readiness.READY if topic.members >= members_min else Readiness.GROWING
    last = counted[-1]
    grown = topic.members >= max(members_min, last.members + growth_min)
    if last.skill_id:
        return Readiness.READY_AGAIN if grown else Readiness.SKILLED
    return Readiness.READY if grown else Readiness.GROWING
