"""Plans in talk: when their time is over, what calls them off, and what else only ends."""

from datetime import UTC, datetime

import pytest

from anamnesis_ingestion.learning.english.claims import Claim
from tests.support.english_talk import claims_of


def claims(*sentences: str) -> list[Claim]:
    return claims_of(sentences)


def only_ends(*sentences: str) -> set[tuple[str, str]]:
    return {(each.predicate, each.object) for each in claims(*sentences) if each.ends_only}


@pytest.mark.parametrize(
    ("text", "over"),
    [
        ("The Bergen flat fell through.", ("plans", "Bergen flat")),
        ("Our trip to Rome got cancelled.", ("plans", "trip to Rome")),
        ("So the Oslo marathon is off.", ("plans", "Oslo marathon")),
        ("We called off the wedding.", ("plans", "wedding")),
        ("I decided not to sell the boat.", ("plans", "sell the boat")),
        ("We're no longer going to buy the boat.", ("plans", "buy the boat")),
        ("I was going to sell the boat.", ("plans", "sell the boat")),
        ("Pepper died last night.", ("has_pet", "Pepper")),
        ("Pepper had to be put down.", ("has_pet", "Pepper")),
    ],
)
def test_what_comes_to_nothing_only_ends(text: str, over: tuple[str, str]) -> None:
    assert over in only_ends(text)


@pytest.mark.parametrize(
    "text",
    [
        "If the trip to Rome is cancelled, I'll paint.",
        "Was the trip to Rome cancelled?",
        "Your trip to Rome was cancelled.",
        "The trip to Rome could be cancelled.",
        "I decided to sell the boat.",
        "Pepper nearly died.",
        "I'll never forget it.",
        "I'm not going to let anybody stop me.",
        "Pepper would have died.",
    ],
)
def test_what_may_still_be_is_not_over(text: str) -> None:
    assert only_ends(text) == set()


@pytest.mark.parametrize(
    ("text", "until"),
    [
        ("I'm going to run the Oslo marathon next week.", datetime(2024, 5, 27, tzinfo=UTC)),
        ("I'm going to run the Oslo marathon.", None),
        ("I plan to run the Oslo marathon this year.", None),
    ],
)
def test_a_plan_holds_until_its_time_is_over(text: str, until: datetime | None) -> None:
    (plan,) = [each for each in claims(text) if each.predicate == "plans"]
    assert (plan.until, plan.ended) == (until, False)


def test_a_switch_that_has_begun_is_made() -> None:
    found = claims("I'm going to switch from Atom to Zed.", "Already started configuring it.")
    assert {(each.predicate, each.object, each.ended) for each in found} == {
        ("uses", "Zed", False),
        ("uses", "Atom", True),
    }


def test_a_pastime_that_was_left_is_none_any_more() -> None:
    left = "I've thought about my transition from board games to running."
    assert ("likes", "board games") in only_ends(left, "It's been quite a shift!")
    assert only_ends(left, "It may be hard.") == set()
