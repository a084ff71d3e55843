"""A text that stands for two lessons: what it may say, and what it must not lose."""

import json
from pathlib import Path

import pytest

from anamnesis_memory.dedup.merged_text import fault_of, says_all

DATA = Path(__file__).parents[4] / "data" / "dedup"
RETRY = "Retry the payment call with exponential backoff when the server answers 503."
WAIT = "When the payment server answers 503, wait 2 seconds and retry; do not retry on 400."
LINT = "部署前先运行 make lint，不要直接推送到 main 分支。"
TESTS = "推送之前必须运行 make lint 和 make test，禁止直接推到 main。"
STAGES = "Use the 8080 port of nginx on staging, and never on production."


@pytest.mark.parametrize(
    ("text", "one", "other"),
    [
        (
            "When the payment server answers 503, wait 2 seconds and retry the payment call with "
            "exponential backoff; do not retry on 400.",
            RETRY,
            WAIT,
        ),
        (f"{RETRY[:-1]}, starting with 2 seconds to wait. Never retry on 400.", RETRY, WAIT),
        ("推送或部署之前必须运行 make lint 和 make test，不要直接推送到 main 分支。", LINT, TESTS),
    ],
)
def test_a_text_that_says_what_both_say_is_good(text: str, one: str, other: str) -> None:
    assert fault_of(text, one, other) == ""
    assert fault_of(text, other, one) == ""


@pytest.mark.parametrize(
    ("text", "one", "other", "fault"),
    [
        (f"{RETRY[:-1]}; do not retry on 400.", RETRY, WAIT, "loses the number: 2 seconds"),
        (f"{RETRY} Wait 2 seconds, retry on 400.", RETRY, WAIT, "loses the negation: not retry"),
        (
            f"{RETRY} Wait 3 seconds, not 2 seconds; do not retry on 400.",
            RETRY,
            WAIT,
            "a number that neither has: 3 seconds",
        ),
        (
            f"{RETRY} Wait 2 seconds; do not retry on 400. Page the engineer on call at once.",
            RETRY,
            WAIT,
            "says what neither says: Page the engineer",
        ),
        (
            STAGES.replace("nginx", "Caddy"),
            STAGES,
            STAGES.replace("the 8080 port", "port 8080"),
            "a name that neither has: Caddy",
        ),
        ("推送前运行 make lint，直接推送到 main 分支。", LINT, TESTS, "loses the name: test"),
        (
            "Never retry a job whose worker was killed.",
            "Retry a job whose worker was killed.",
            "Never retry a job whose worker was killed.",
            "denies what one of them says",
        ),
        (
            "Run the deploy before the migrations, on staging first.",
            "Run the migrations before the deploy.",
            "Run the migrations on staging first.",
            "turns round",
        ),
        (f"{RETRY} " * 4, RETRY, WAIT, "longer than both"),
    ],
)
def test_a_text_with_a_fault_is_told_it(text: str, one: str, other: str, fault: str) -> None:
    assert fault in fault_of(text, one, other)


def test_of_two_that_are_two_neither_stands_for_both() -> None:
    """On labelled pairs the words alone catch all but a few, whose condition only one has."""
    stands, good = 0, 0
    for line in (DATA / "dev.jsonl").read_text(encoding="utf-8").splitlines():
        pair = json.loads(line)
        one, other = pair["a"], pair["b"]
        if pair["same"]:
            good += not fault_of(f"{one}\n{other}", one, other)
        else:
            stands += sum(not fault_of(text, one, other) for text in (one, other))
    assert stands <= 3
    assert good == 60


def test_a_text_says_all_of_another_word_by_word() -> None:
    assert says_all(f"{RETRY} {WAIT}", RETRY.upper())
    assert not says_all(RETRY, WAIT)
