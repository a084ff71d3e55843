"""Segmentation without a model: cues, pauses and cohesion, in two languages; the same each time."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role
from anamnesis_ingestion.segmentation.cutting import segment
from anamnesis_ingestion.segmentation.local import LocalSegmenter
from anamnesis_libs.models import minilm
from anamnesis_libs.models.ports import Matrix
from anamnesis_libs.tokens import TiktokenCounter
from tests.support.ledger_events import conversation

pytestmark = pytest.mark.slow

NOON = datetime(2023, 5, 8, 12, tzinfo=UTC)


async def alike(texts: Sequence[str]) -> Matrix:
    """An embedder to which all texts mean the same to some degree: the words must decide."""
    rows = np.zeros((len(texts), 2), np.float32)
    rows[:, 0] = 1.0
    return rows


@pytest.fixture(scope="module")
def mini_lm() -> minilm.MiniLM:
    return minilm.load()


@pytest.fixture
def segmenter(mini_lm: minilm.MiniLM) -> LocalSegmenter:
    async def embed(texts: Sequence[str]) -> Matrix:
        return mini_lm.encode(texts)

    return LocalSegmenter(embed)


async def _starts(
    events: Sequence[LedgerEvent], segmenter: LocalSegmenter, counter: TiktokenCounter
) -> list[int]:
    return [cut.first_index for cut in await segment(events, segmenter, 100_000, counter)]


ABOUT_CSV = (
    "user: How do I read a CSV file in Python with pandas?",
    "assistant: Use pandas.read_csv with the path of the CSV file.",
)
ABOUT_LOGS = (
    "user: 帮我看看登录服务的日志为什么这么大",
    "assistant: 日志级别是 DEBUG，可以改成 INFO。",
)


@pytest.mark.parametrize(
    "turn",
    [
        "By the way, which museum in Lisbon is open on Monday evening?",
        "Another thing: I need a birthday poem for my grandmother.",
        "Next: draft the invitation for the garden party in June.",
        "Thanks! Now let's switch to the holiday plan for Portugal.",
        "Different question: how long does a sourdough starter keep?",
    ],
)
async def test_a_cue_begins_a_task_in_english(
    turn: str, segmenter: LocalSegmenter, counter: TiktokenCounter
) -> None:
    events = conversation(*ABOUT_CSV, f"user: {turn}", "assistant: Gladly.")
    assert await _starts(events, segmenter, counter) == [0, 2]


@pytest.mark.parametrize(
    "turn",
    [
        "另外，帮我给客户写一封道歉邮件",
        "对了，下周三的会议室订好了吗，帮我查查",
        "换个话题，推荐几本适合孩子看的历史书",
        "谢谢。顺便问一下杭州周末有什么展览",
        "對了，幫我算一下房貸每個月要還多少",
    ],
)
async def test_a_cue_begins_a_task_in_chinese(
    turn: str, segmenter: LocalSegmenter, counter: TiktokenCounter
) -> None:
    events = conversation(*ABOUT_LOGS, f"user: {turn}", "assistant: 好的。")
    assert await _starts(events, segmenter, counter) == [0, 2]


@pytest.mark.parametrize(
    "turn",
    ["And if the CSV has no header?", "Why not the csv module?", "yes please", "make it short"],
)
async def test_who_goes_on_stays_in_the_task(
    turn: str, segmenter: LocalSegmenter, counter: TiktokenCounter
) -> None:
    events = conversation(*ABOUT_CSV, f"user: {turn}", "assistant: Sure.")
    assert await _starts(events, segmenter, counter) == [0]


@pytest.mark.parametrize(
    "turn", ["那 INFO 够用吗", "为什么不用 WARN", "好的，改吧", "日志保留几天合适"]
)
async def test_who_goes_on_stays_in_the_task_in_chinese(
    turn: str, segmenter: LocalSegmenter, counter: TiktokenCounter
) -> None:
    events = conversation(*ABOUT_LOGS, f"user: {turn}", "assistant: 好的。")
    assert await _starts(events, segmenter, counter) == [0]


async def test_tools_and_answers_never_begin_a_task(counter: TiktokenCounter) -> None:
    events = conversation(
        "user: Find out why the build fails.",
        "call: bash {}",
        "tool: By the way, a different question: next thing!",
        "assistant: Another thing: by the way, unrelated.",
        "system: By the way.",
        "assistant: Moving on.",
    )
    assert await _starts(events, LocalSegmenter(alike), counter) == [0]


async def test_a_file_handed_over_before_a_turn_belongs_to_its_task(
    segmenter: LocalSegmenter, counter: TiktokenCounter
) -> None:
    turn = "user: By the way, translate this menu into French for me."
    events = conversation(*ABOUT_CSV, "file: menu.txt", turn, "assistant: Voilà.")
    assert await _starts(events, segmenter, counter) == [0, 2]


@pytest.mark.parametrize(
    ("pause", "starts"), [(timedelta(minutes=5), [0]), (timedelta(days=1), [0, 2])]
)
async def test_a_long_pause_speaks_for_a_new_task(
    counter: TiktokenCounter, pause: timedelta, starts: list[int]
) -> None:
    events = conversation(
        *ABOUT_CSV, "user: The printer shows error code 5B00", "assistant: Ink pad."
    )
    times = [NOON, NOON, NOON + pause, NOON + pause]
    timed = [replace(event, event_time=at) for event, at in zip(events, times, strict=True)]
    assert await _starts(timed, LocalSegmenter(alike), counter) == starts


async def test_without_times_or_people_there_is_one_task(counter: TiktokenCounter) -> None:
    events = [LedgerEvent(role=Role.TOOL, content="", index=index) for index in range(5)]
    cuts = await segment(events, LocalSegmenter(alike), 1000, counter)
    assert [(cut.first_index, cut.last_index) for cut in cuts] == [(0, 4)]


async def test_topic_and_summary_are_of_the_tasks_own_words(
    segmenter: LocalSegmenter, counter: TiktokenCounter
) -> None:
    events = conversation(
        *ABOUT_CSV,
        "user: By the way, write a Docker compose file for Postgres.",
        "assistant: Here is a compose file with Postgres 16. It listens on 5432.",
    )
    first, second = await segment(events, segmenter, 100_000, counter)
    assert "CSV" in first.topic
    assert {"Docker", "Postgres", "compose"} & set(second.topic.split(", "))
    assert "CSV" not in second.topic
    assert first.summary == " — ".join(event.content for event in events[:2])
    assert second.summary.endswith("Here is a compose file with Postgres 16.")


async def test_a_chinese_topic_is_made_of_words_not_of_pieces(
    segmenter: LocalSegmenter, counter: TiktokenCounter
) -> None:
    (cut,) = await segment(conversation(*ABOUT_LOGS), segmenter, 100_000, counter)
    assert "登录服务" in cut.topic


async def test_the_same_window_gives_the_same_tasks(
    segmenter: LocalSegmenter, counter: TiktokenCounter
) -> None:
    events = conversation(*ABOUT_CSV, *ABOUT_LOGS, "user: btw, what is the capital of Peru?")
    runs = [await segment(events, segmenter, 100_000, counter) for _ in range(2)]
    assert runs[0] == runs[1]
