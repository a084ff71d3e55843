"""A topic is ready with five lessons, and again with three more than at the last attempt."""

import pytest

from anamnesis_cluster.readiness import Readiness, readiness
from anamnesis_cluster.skill_model import Attempt, SkillOutcome, SkillTopic

MADE = Attempt(1, SkillOutcome.PROPOSED, "", 5, skill_id="m-1")
DECLINED = Attempt(1, SkillOutcome.DECLINED, "", 5)
FAILED = Attempt(2, SkillOutcome.FAILED, "", 5)


@pytest.mark.parametrize(
    ("members", "attempts", "stands"),
    [
        (4, (), Readiness.GROWING),
        (5, (), Readiness.READY),
        (5, (MADE,), Readiness.SKILLED),
        (7, (MADE,), Readiness.SKILLED),
        (8, (MADE,), Readiness.READY_AGAIN),
        (7, (DECLINED,), Readiness.GROWING),
        (8, (DECLINED,), Readiness.READY),
        (5, (FAILED,), Readiness.READY),
        (5, (MADE, FAILED), Readiness.SKILLED),
    ],
)
def test_readiness(members: int, attempts: tuple[Attempt, ...], stands: Readiness) -> None:
    assert readiness(SkillTopic("t-1", "", "shared", members, attempts)) is stands
