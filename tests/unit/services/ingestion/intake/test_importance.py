"""How much an observation matters, in tables."""

import pytest

from anamnesis_ingestion.intake.importance import STORED_FROM, score_importance, signal_kinds


@pytest.mark.parametrize(
    ("source", "weight"),
    [
        ("system", 0.9),
        ("user", 0.7),
        ("tool", 0.5),
        ("environment", 0.3),
        ("assistant", 0.4),
        ("thermometer", 0.4),
        ("", 0.4),
    ],
)
def test_the_source_counts_half_of_its_weight(source: str, weight: float) -> None:
    assert score_importance("", source) == pytest.approx(0.5 * weight)


@pytest.mark.parametrize(
    ("length", "score"), [(0, 0.35), (1, 0.3504), (250, 0.45), (500, 0.55), (50_000, 0.55)]
)
def test_length_counts_up_to_500_characters(length: int, score: float) -> None:
    assert score_importance("x" * length, "user") == pytest.approx(score)
    assert score_importance("字" * length, "user") == pytest.approx(score)


@pytest.mark.parametrize(
    ("content", "kinds"),
    [
        ("The build failed with an ERROR", {"failure"}),
        ("构建失败", {"failure"}),
        ("It works, all tests passed", {"success"}),
        ("部署成功", {"success"}),
        ("We decided to go on", {"decision"}),
        ("我们决定用它", {"decision"}),
        ("I prefer tea; my favourite is oolong", {"preference"}),
        ("她喜欢茶", {"preference"}),
        ("You must not forget", {"obligation"}),
        ("记住这个", {"obligation"}),
        ("Urgent: reply ASAP", {"urgency"}),
        ("请尽快处理", {"urgency"}),
        ("这里有bug", {"failure"}),
        ("修复了这个error", {"failure", "success"}),
        ("I'd rather decide now, it is critical", {"preference", "decision", "urgency"}),
        ("the musty terrors of Failsworth", set()),
        ("今天天气很好", set()),
        ("", set()),
    ],
)
def test_words_tell_what_kind_of_thing_it_is(content: str, kinds: set[str]) -> None:
    assert signal_kinds(content) == kinds


@pytest.mark.parametrize(
    ("content", "kinds"),
    [
        ("error", 1),
        ("error error failed", 1),
        ("error fixed", 2),
        ("error fixed must", 3),
        ("error fixed must urgent prefer decided", 3),
    ],
)
def test_each_kind_counts_once_and_three_at_most(content: str, kinds: int) -> None:
    expected = 0.5 * 0.7 + 0.3 * 0.1 * kinds + 0.2 * len(content) / 500
    assert score_importance(content, "user") == pytest.approx(expected)


@pytest.mark.parametrize(
    ("content", "source", "stored"),
    [
        ("ok", "user", False),
        ("Thanks!", "user", False),
        ("好的，谢谢", "user", False),
        ("Got it.", "assistant", False),
        ("ok, Friday then", "user", True),
        ("42", "user", True),
        ("ok", "tool", True),
        ("ok", "environment", False),
        ("x" * 124, "environment", False),
        ("x" * 125, "environment", True),
        ("error, fixed: urgent", "environment", True),
        ("error", "environment", False),
    ],
)
def test_what_is_stored(content: str, source: str, stored: bool) -> None:
    assert (score_importance(content, source) >= STORED_FROM) is stored
