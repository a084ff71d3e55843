"""The baselines and the reading of the set."""

import pytest

from anamnesis_ingestion.model import Role
from benchmarks.segmentation import methods
from benchmarks.segmentation.conversations import Conversation, read
from tests.support.ledger_events import conversation

TALK = Conversation(
    "t",
    "en",
    conversation(*("user: a", "assistant: b", "tool: c") * 7),
    (0,),
    tuned_on=False,
)


@pytest.mark.parametrize(
    ("method", "starts"),
    [
        (methods.every_turn, (0, 3, 6, 9, 12, 15, 18)),
        (methods.fixed_length, (0, 10, 20)),
        (methods.one_task, (0,)),
    ],
)
async def test_a_baseline(method: methods.Method, starts: tuple[int, ...]) -> None:
    assert await method(TALK) == starts


def test_the_set_is_halved_in_both_languages() -> None:
    found = read()
    halves = [(each.language, each.tuned_on) for each in found]
    assert {half: halves.count(half) for half in set(halves)} == {
        (language, tuned_on): 6 for language in ("en", "zh") for tuned_on in (False, True)
    }
    assert all(c.events[start].role is Role.USER for c in found for start in c.starts)
