"""The window rules, one by one: where windows start, and what is kept of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest

from anamnesis_ingestion.intake.fingerprints import fingerprint
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.segmentation.cutting import segment
from anamnesis_ingestion.segmentation.tasks import PreviousCut, TaskCut
from anamnesis_ingestion.segmentation.windows import window_at
from anamnesis_libs.errors import AnswerMalformed, ModelUnavailable
from anamnesis_libs.tokens import TiktokenCounter
from tests.support.ledger_events import conversation
from tests.support.segmenters import Computed, Failing, Ranges, Scripted, task

TWENTY = conversation(*(f"user: message {number:02}" for number in range(20)))


@dataclass(frozen=True)
class Rule:
    """Events, what is answered to each window, the windows asked about, and what is kept."""

    name: str
    events: int
    answers: Sequence[Ranges]
    windows: Ranges
    kept: Ranges


# Six events of TWENTY are a window.
RULES = [
    Rule("nothing_is_no_segment", 0, [], [], []),
    Rule("one_event_is_one_segment_without_a_segmenter", 1, [], [], [(0, 0)]),
    Rule("two_events_are_one_segment_without_a_segmenter", 2, [], [], [(0, 1)]),
    Rule("three_events_are_asked_about", 3, [[(1, 3)]], [(0, 2)], [(0, 2)]),
    Rule(
        "a_window_that_reaches_the_end_keeps_all_its_tasks",
        6,
        [[(1, 3), (4, 6)]],
        [(0, 5)],
        [(0, 2), (3, 5)],
    ),
    Rule(
        "of_several_tasks_the_last_is_asked_again_and_replaced",
        10,
        [[(1, 3), (4, 6)], [(1, 4), (5, 6)], [(1, 3)]],
        [(0, 5), (3, 8), (7, 9)],
        [(0, 2), (3, 6), (7, 9)],
    ),
    Rule(
        "the_replaced_task_may_end_where_it_did",
        9,
        [[(1, 3), (4, 6)], [(1, 3), (4, 6)]],
        [(0, 5), (3, 8)],
        [(0, 2), (3, 5), (6, 8)],
    ),
    Rule(
        "one_task_that_fills_its_window_is_kept_and_the_next_window_starts_behind_it",
        10,
        [[(1, 6)], [(1, 4)]],
        [(0, 5), (6, 9)],
        [(0, 5), (6, 9)],
    ),
    Rule(
        "one_task_that_leaves_a_gap_is_made_to_fill_its_window",
        10,
        [[(1, 5)], [(2, 4)]],
        [(0, 5), (6, 9)],
        [(0, 5), (6, 9)],
    ),
    Rule(
        "a_tail_that_is_one_task_again_and_again_moves_on_by_an_event_each_time",
        9,
        [[(1, 1), (2, 6)], [(1, 1), (2, 6)], [(1, 1), (2, 6)], [(1, 6)]],
        [(0, 5), (1, 6), (2, 7), (3, 8)],
        [(0, 0), (1, 1), (2, 2), (3, 8)],
    ),
    Rule(
        "a_last_task_that_then_fills_its_window_is_kept_as_it_is",
        12,
        [[(1, 3), (4, 6)], [(1, 6)], [(1, 3)]],
        [(0, 5), (3, 8), (9, 11)],
        [(0, 2), (3, 8), (9, 11)],
    ),
]


@pytest.fixture
def six_events_tokens(counter: TiktokenCounter) -> int:
    return counter.count(window_at(TWENTY[:6], 0, 10_000, counter).text)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
async def test_rule(rule: Rule, counter: TiktokenCounter, six_events_tokens: int) -> None:
    segmenter = Scripted(*rule.answers)
    cuts = await segment(TWENTY[: rule.events], segmenter, six_events_tokens, counter)
    assert segmenter.windows == list(rule.windows)
    assert [(cut.first_index, cut.last_index) for cut in cuts] == list(rule.kept)


async def test_rule_an_event_over_the_budget_is_a_window_and_a_segment_of_its_own(
    counter: TiktokenCounter,
) -> None:
    long = "user: " + "very long " * 100
    events = conversation("user: a", "assistant: b", long, "assistant: c")
    segmenter = Scripted([(1, 2)], [(1, 1)], [(1, 1)])
    cuts = await segment(events, segmenter, 30, counter)
    assert segmenter.windows == [(0, 1), (2, 2), (3, 3)]
    assert [(cut.first_index, cut.last_index) for cut in cuts] == [(0, 1), (2, 2), (3, 3)]


async def test_rule_an_answer_beyond_repair_is_refused(counter: TiktokenCounter) -> None:
    with pytest.raises(AnswerMalformed):
        await segment(TWENTY[:6], Scripted([(90, 99)]), 1000, counter)


@pytest.mark.parametrize("after", [0, 1])
async def test_rule_a_failing_segmenter_leaves_nothing(
    counter: TiktokenCounter, six_events_tokens: int, after: int
) -> None:
    failing = Failing(ModelUnavailable("down"), after)
    with pytest.raises(ModelUnavailable):
        await segment(TWENTY, failing, six_events_tokens, counter)


async def test_rule_words_that_are_missing_come_from_the_events(counter: TiktokenCounter) -> None:
    silent = Computed(lambda length: [replace(task(1, length), topic=" ", summary="")])
    events = conversation("user: Rotate the backup keys.", "assistant: Done.", "user: thanks")
    (cut,) = await segment(events, silent, 1000, counter)
    assert "backup" in cut.topic
    assert cut.summary.startswith("Rotate the backup keys.")


@pytest.mark.parametrize("indices", [(0, None, 2), (0, 2, 1), (0, 1, 1)])
async def test_indices_must_be_set_and_in_order(
    counter: TiktokenCounter, indices: tuple[int | None, ...]
) -> None:
    events = [replace(TWENTY[0], index=index) for index in indices]
    with pytest.raises(ValueError, match="ind"):
        await segment(events, Scripted(), 1000, counter)


# A session that was cut before


def _earlier(events: Sequence[LedgerEvent], cuts: Sequence[TaskCut]) -> list[PreviousCut]:
    return [
        PreviousCut(cut, fingerprint(events[cut.first_index : cut.last_index + 1])) for cut in cuts
    ]


@pytest.fixture
async def three_cuts(counter: TiktokenCounter) -> tuple[TaskCut, ...]:
    return await segment(TWENTY[:9], Scripted([(1, 3), (4, 6), (7, 9)]), 1000, counter)


async def test_grown_rule_nothing_new_is_not_asked_about(
    counter: TiktokenCounter, three_cuts: tuple[TaskCut, ...]
) -> None:
    earlier = _earlier(TWENTY, three_cuts)
    assert await segment(TWENTY[:9], Scripted(), 1000, counter, earlier) == three_cuts


async def test_grown_rule_the_last_segment_is_cut_again_with_what_came_after(
    counter: TiktokenCounter, three_cuts: tuple[TaskCut, ...]
) -> None:
    segmenter = Scripted([(1, 5), (6, 8)])
    cuts = await segment(TWENTY[:14], segmenter, 1000, counter, _earlier(TWENTY, three_cuts))
    assert segmenter.windows == [(6, 13)]
    assert cuts[:2] == three_cuts[:2]
    assert [(cut.first_index, cut.last_index) for cut in cuts[2:]] == [(6, 10), (11, 13)]


async def test_grown_rule_from_the_first_changed_event_on_all_is_cut_again(
    counter: TiktokenCounter, three_cuts: tuple[TaskCut, ...]
) -> None:
    changed = (*TWENTY[:4], replace(TWENTY[4], content="changed"), *TWENTY[5:9])
    segmenter = Scripted([(1, 6)])
    cuts = await segment(changed, segmenter, 1000, counter, _earlier(TWENTY, three_cuts))
    assert segmenter.windows == [(3, 8)]
    assert cuts[0] == three_cuts[0]
    assert [(cut.first_index, cut.last_index) for cut in cuts[1:]] == [(3, 8)]


async def test_grown_rule_two_events_that_became_three_are_asked_about(
    counter: TiktokenCounter,
) -> None:
    whole = await segment(TWENTY[:2], Scripted(), 1000, counter)
    segmenter = Scripted([(1, 3)])
    cuts = await segment(TWENTY[:3], segmenter, 1000, counter, _earlier(TWENTY, whole))
    assert segmenter.windows == [(0, 2)]
    assert [(cut.first_index, cut.last_index) for cut in cuts] == [(0, 2)]


async def test_grown_rule_earlier_segments_that_leave_a_gap_are_kept_up_to_it(
    counter: TiktokenCounter, three_cuts: tuple[TaskCut, ...]
) -> None:
    holed = _earlier(TWENTY, [three_cuts[0], three_cuts[2]])
    segmenter = Scripted([(1, 6)])
    cuts = await segment(TWENTY[:9], segmenter, 1000, counter, holed)
    assert segmenter.windows == [(3, 8)]
    assert cuts[0] == three_cuts[0]
