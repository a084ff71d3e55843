"""Changes of task in sessions where an agent works with tools."""

from collections.abc import Sequence

import numpy as np
import pytest

from anamnesis_ingestion.segmentation.cutting import segment
from anamnesis_ingestion.segmentation.local import LocalSegmenter
from anamnesis_ingestion.segmentation.working import names_in
from anamnesis_libs.models.ports import Matrix
from anamnesis_libs.tokens import TiktokenCounter
from tests.support.ledger_events import conversation


async def unlike(texts: Sequence[str]) -> Matrix:
    """An embedder to which no text is like another: the words must decide."""
    return np.eye(len(texts), 16, dtype=np.float32)


WORK = (
    "user: Port the selector of the theme to the new colours, as we did with the others.",
    "call: read {}",
    "tool: export const colours = 1",
    "call: edit {}",
    "tool: edited",
    "assistant: The selector uses the new colours of the theme now.",
)


async def _starts(turn: str, counter: TiktokenCounter) -> list[int]:
    after = ("call: bash {}", "tool: fine", "call: bash {}", "tool: fine", "assistant: Done.")
    events = conversation(*WORK, f"user: {turn}", *after)
    cuts = await segment(events, LocalSegmenter(unlike), 100_000, counter)
    return [cut.first_index for cut in cuts]


@pytest.mark.parametrize(
    "turn",
    [
        "We need a section on the colours of a theme in CONTRIBUTING.md.",
        "ok, now add a file watcher that loads a theme anew when it changes",
        "new issues were filed for the release. tackle them, one after the other",
        "请在 CONTRIBUTING.md 里添加一个关于主题颜色的章节，并说明怎么测试它们",
    ],
)
async def test_an_order_of_other_work_begins_a_task(turn: str, counter: TiktokenCounter) -> None:
    assert await _starts(turn, counter) == [0, len(WORK)]


@pytest.mark.parametrize(
    "turn",
    [
        "you broke the selector of the theme, undo that",
        "run it again",
        "continue",
        "hm, the colour of the selector still looks wrong",
        "yes, do that",
        "did you push?",
    ],
)
async def test_who_is_not_content_or_goes_on_stays_in_the_task(
    turn: str, counter: TiktokenCounter
) -> None:
    assert await _starts(turn, counter) == [0]


def test_names_are_those_of_files_and_code() -> None:
    text = "In docs/theme.md say what setTheme and user_text do; see /tmp/Shot.png, e.g. this"
    assert names_in(text) == {"theme.md", "settheme", "user_text"}
