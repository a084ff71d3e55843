"""Tests of context/steps.py: one procedure, whole, where a task is to be done again."""

from dataclasses import replace

import pytest

from anamnesis_retrieval.model import Learned
from tests.support.small_memory import Said, SmallMemory

COMMON = ("back up: `backup.sh`", "stop: `systemctl stop page`", "start: `systemctl start page`")
CHATTER = [Said(f"The page number {at} is read a lot", "2026-05-01") for at in range(120)]
GOALS = ("Deploy version 1 of the page: times", "Deploy version 2 of the page: prices")


def procedure(goal: str, *steps: str, draft: bool = True) -> Said:
    """A procedure as it is shown."""
    numbered = [f"{number}. {step}" for number, step in enumerate(steps, start=1)]
    learned = Learned(goal, goal, "\n".join(numbered), steps)
    caveats = ("draft, not approved",) if draft else ()
    return Said("\n".join((goal, *numbered)), role="", learned=learned, caveats=caveats)


OWN = procedure(GOALS[0], "copy: `cp old new`", *COMMON)
PLAIN = procedure(GOALS[1], *COMMON)
LIGHTS = procedure("Switch the lights of the shop on", "plug in: `plug`", "switch: `on`")
REQUESTS = [Said(goal, "2026-05-02") for goal in GOALS]
MEMORY = (*REQUESTS, OWN, PLAIN, LIGHTS, *CHATTER)


@pytest.mark.parametrize(
    "query",
    ["deploy version 3 of the page", "How do we deploy the page?", "How to deploy the page?"],
)
async def test_one_procedure_is_told_whole_before_all_else(query: str) -> None:
    text = await SmallMemory(*MEMORY).text(query, 200)
    assert text.startswith("Learned\n")
    assert [step in text for step in COMMON] == [True] * 3
    assert "cp old new" not in text
    assert GOALS[0] not in text


async def test_a_skill_in_use_goes_before_drafts() -> None:
    memory = (procedure(GOALS[0], "copy: `cp old new`", *COMMON, draft=False), PLAIN, *CHATTER)
    assert "cp old new" in await SmallMemory(*memory).text("How do we deploy the page?", 200)


async def test_where_nothing_is_to_be_done_requests_are_told() -> None:
    text = await SmallMemory(*MEMORY).text("Which version of the page did I deploy?", 300)
    assert any(f"user: {goal}" in text for goal in GOALS)


async def test_a_procedure_that_does_not_answer_is_not_put_first() -> None:
    other = replace(
        PLAIN, text="Water the plants\n1. fill: `can`", learned=Learned("Water", steps=("fill",))
    )
    text = await SmallMemory(other, *CHATTER).text("How do we read page number 7?", 200)
    assert not text.startswith("Learned")
