"""The metrics, on rankings made by hand."""

import pytest

from benchmarks.recall.conversations import Question, Update
from benchmarks.recall.metrics import (
    NEWER_FIRST,
    Judged,
    by_category,
    gains,
    interval,
    is_newer_first,
    judge,
    percentages,
    values,
)

TURNS = [f"t{number}" for number in range(60)]
# Six turns a session: t0 to t5 are s0, t6 to t11 are s1.
SESSION_OF = {turn: f"s{number // 6}" for number, turn in enumerate(TURNS)}
UPDATE = Update(newer="t7", older="t3")


def _question(*evidence: str, update: Update | None = None) -> Question:
    return Question("?", evidence, "kind", update)


def test_any_counts_an_evidence_turn_among_the_first_k() -> None:
    scores = judge(_question("t5", "t59"), TURNS[:50], SESSION_OF).scores
    found = {name: scores[name] for name in ("any@1", "any@5", "any@10", "any@50")}
    assert found == {"any@1": 0, "any@5": 0, "any@10": 1, "any@50": 1}


def test_all_and_recall_look_at_every_evidence_turn() -> None:
    scores = judge(_question("t0", "t9", "t10", "t11"), TURNS, SESSION_OF).scores
    assert scores["all@10"] == 0
    assert scores["recall@10"] == 0.5
    assert judge(_question("t0", "t9"), TURNS, SESSION_OF).scores["all@10"] == 1


def test_a_session_is_found_by_any_of_its_turns() -> None:
    scores = judge(_question("t11"), TURNS, SESSION_OF).scores
    assert [scores[f"session@{k}"] for k in (1, 5, 10)] == [0, 0, 1]
    assert scores["any@10"] == 0


def test_nothing_found_is_nothing_scored() -> None:
    assert not any(judge(_question("t1", update=UPDATE), [], SESSION_OF).scores.values())


@pytest.mark.parametrize(
    ("ranking", "is_first"),
    [
        (["t7", "t3"], True),
        (["t3", "t7"], False),
        (["t1", "t7"], True),
        (["t3", "t1"], False),
        (["t1"], False),
    ],
)
def test_newer_first_wants_the_newer_found_and_before_the_older(
    ranking: list[str], is_first: bool
) -> None:
    assert is_newer_first(UPDATE, ranking) is is_first


def test_newer_first_is_asked_only_of_updates() -> None:
    plain = judge(_question("t7"), TURNS, SESSION_OF)
    update = judge(_question("t7", update=UPDATE), ["t7"], SESSION_OF)
    assert NEWER_FIRST not in plain.scores
    assert percentages([plain, update])[NEWER_FIRST] == 100
    assert values([plain, update], NEWER_FIRST) == [1.0]


def test_percentages_are_means_over_questions() -> None:
    judged = [Judged("a", {"any@1": one}) for one in (1.0, 0.0, 0.0, 0.0)]
    assert percentages(judged) == {"any@1": 25.0}


def test_categories_are_kept_apart() -> None:
    judged = [Judged("b", {"any@1": 1.0}), Judged("a", {"any@1": 0.0}), Judged("b", {"any@1": 0.0})]
    assert {name: len(of_it) for name, of_it in by_category(judged).items()} == {"a": 1, "b": 2}


def _asked(*scores: float, questions: int = 1) -> list[Judged]:
    """As many questions to a conversation for each score, all with that score."""
    return [
        Judged("a", {"any@1": score}, f"conversation {number}")
        for number, score in enumerate(scores)
        for _ in range(questions)
    ]


def test_an_interval_holds_its_mean_and_narrows_with_more_conversations() -> None:
    few, many = (
        interval(_asked(*[1.0, 0.0] * 20), "any@1"),
        interval(_asked(*[1.0, 0.0] * 500), "any@1"),
    )
    assert few.low < few.mean == 50.0 < few.high
    # Normal approximation: 1.96 * sqrt(.25 / n)
    assert many.high - many.low == pytest.approx(2 * 100 * 1.96 * (0.25 / 1000) ** 0.5, rel=0.05)


def test_more_questions_to_the_same_conversations_make_an_interval_no_surer() -> None:
    once = interval(_asked(1.0, 0.0, 0.5, 0.0), "any@1")
    assert once == interval(_asked(1.0, 0.0, 0.5, 0.0, questions=50), "any@1")
    assert interval(_asked(1.0, 1.0), "any@1").low == 100.0


def test_gains_are_counted_question_by_question() -> None:
    ours, beside = _asked(1.0, 0.5), _asked(0.0, 1.0)
    assert gains(ours, beside, "any@1") == _asked(1.0, -0.5)
    assert gains(ours, beside, "any@5") == []
