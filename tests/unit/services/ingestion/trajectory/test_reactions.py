"""How people take what was done, by the words they begin with."""

import pytest

from anamnesis_ingestion.trajectory.reactions import corrects, gives_up, reports_failure, thanks


@pytest.mark.parametrize(
    "turn",
    [
        "No, the other file.",
        "that's wrong, use UTC",
        "It still fails with the same error",
        "I said three days",
        "it doesn't work",
        "不对，是周四",
        "还是报错",
        "我要的是表格",
    ],
)
def test_a_correction(turn: str) -> None:
    assert corrects(turn)
    assert not thanks(turn)


@pytest.mark.parametrize(
    "turn",
    [
        "No problem, go on",
        "yes please",
        "Now add a column",
        "好的，继续",
        'rename the button "that is wrong"',
        "what does `no` mean here",
    ],
)
def test_no_correction(turn: str) -> None:
    assert not corrects(turn)


@pytest.mark.parametrize(
    "turn", ["great, works", "Perfect. Thanks!", "谢谢", "搞定了", "Looks good"]
)
def test_a_thank_you(turn: str) -> None:
    assert thanks(turn)


@pytest.mark.parametrize("turn", ["Never mind.", "forget it", "算了", "我自己来吧"])
def test_giving_up(turn: str) -> None:
    assert gives_up(turn)
    assert not thanks(turn)


@pytest.mark.parametrize(
    "answer",
    ["I could not find the file.", "Unfortunately, the build still fails.", "抱歉，我无法完成。"],
)
def test_an_assistant_that_did_not_manage(answer: str) -> None:
    assert reports_failure(answer)


@pytest.mark.parametrize(
    "answer", ["Done, all tests pass.", "`I could not` is quoted.", "已完成。"]
)
def test_an_assistant_that_did(answer: str) -> None:
    assert not reports_failure(answer)
