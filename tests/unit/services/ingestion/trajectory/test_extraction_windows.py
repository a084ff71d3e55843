"""Extraction windows: every event is new once, within the budget, with what came before it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role
from anamnesis_ingestion.trajectory.extraction_windows import (
    WINDOW_TURNS_MAX,
    extraction_windows,
    turn_starts,
)
from anamnesis_libs.errors import InvalidArgument
from anamnesis_libs.tokens import TiktokenCounter, load_counter
from tests.support.drawing import drawn
from tests.support.ledger_events import conversation

COUNTER = load_counter("o200k_base")
HUNDRED = conversation(*(f"user: message {number} of a hundred" for number in range(100)))


def test_no_windows_for_nothing(counter: TiktokenCounter) -> None:
    assert extraction_windows((), counter) == ()


def test_what_fits_is_one_window_without_context(counter: TiktokenCounter) -> None:
    (window,) = extraction_windows(HUNDRED, counter)
    assert window.new == HUNDRED
    assert window.context == ()


def test_later_windows_have_five_events_of_context_that_are_not_new(
    counter: TiktokenCounter,
) -> None:
    first, second, *_ = extraction_windows(HUNDRED, counter, 256)
    assert first.context == ()
    assert second.context == first.new[-5:]
    assert second.lines[5].startswith("[6] ")
    assert second.lines[5].endswith(second.new[0].content)


def test_context_that_does_not_fit_is_left_out_oldest_first(counter: TiktokenCounter) -> None:
    events = conversation("user: a", "user: " + "b " * 150, "user: c", "user: " + "d " * 200)
    windows = extraction_windows(events, counter, 256)
    assert [(len(window.context), len(window.new)) for window in windows] == [(0, 3), (1, 1)]
    assert windows[1].context[0].content == "c"


def test_an_event_over_the_budget_is_alone_and_cut(counter: TiktokenCounter) -> None:
    events = conversation("user: a", "user: " + "b " * 2000, "user: c")
    before, alone, after = extraction_windows(events, counter, 256)
    assert (alone.truncated, alone.context, alone.new) == (True, (), events[1:2])
    assert counter.count(alone.text) <= 256
    assert not before.truncated
    assert after.new == events[2:]


@pytest.mark.parametrize(("budget", "overlap"), [(255, 5), (0, 5), (256, -1)])
def test_bounds_are_refused(counter: TiktokenCounter, budget: int, overlap: int) -> None:
    with pytest.raises(InvalidArgument):
        extraction_windows(HUNDRED, counter, budget, overlap)


event = st.builds(
    LedgerEvent,
    role=st.sampled_from(list(Role)),
    content=st.text(max_size=30) | st.integers(1, 400).map(lambda count: "word " * count),
)


def _turns(count: int) -> tuple[LedgerEvent, ...]:
    said = ("user: question", "call: bash {}", "tool: ok", "assistant: answer")
    return conversation(*said * count)


@pytest.mark.parametrize(
    ("turns", "shared"),
    [(8, [8]), (10, [10]), (11, [5, 6]), (16, [8, 8]), (20, [10, 10]), (51, [8, 9, 8, 9, 8, 9])],
)
def test_turns_are_shared_out_evenly_in_windows_of_ten_at_most(
    counter: TiktokenCounter, turns: int, shared: list[int]
) -> None:
    windows = extraction_windows(_turns(turns), counter, turns_max=WINDOW_TURNS_MAX)
    assert [len(turn_starts(window.new)) for window in windows] == shared


def test_a_turn_is_not_parted_from_its_answers(counter: TiktokenCounter) -> None:
    windows = extraction_windows(_turns(30), counter, turns_max=WINDOW_TURNS_MAX)
    assert [len(window.new) for window in windows] == [40, 40, 40]
    assert all(window.new[0].role is Role.USER for window in windows)
    assert all(window.new[-1].role is Role.ASSISTANT for window in windows)


def test_what_comes_before_the_first_message_belongs_to_the_first_turn() -> None:
    assert turn_starts(conversation("assistant: hi", "user: a", "tool: b", "user: c")) == (0, 1, 3)


def test_the_budget_parts_windows_of_turns_too(counter: TiktokenCounter) -> None:
    events = conversation(*(f"user: {'word ' * 100}{number}" for number in range(12)))
    windows = extraction_windows(events, counter, 256, 0, WINDOW_TURNS_MAX)
    assert [len(window.new) for window in windows] == [2] * 6
    assert [each for window in windows for each in window.new] == list(events)


@given(st.lists(event, max_size=30), st.integers(0, 7), st.sampled_from([0, 3, 10]))
@drawn(80)
def test_every_event_is_extracted_from_once(
    events: list[LedgerEvent], overlap: int, turns_max: int
) -> None:
    windows = extraction_windows(events, COUNTER, 256, overlap, turns_max)
    assert [each for window in windows for each in window.new] == events
    seen = 0
    for window in windows:
        assert window.new
        assert list(window.context) == events[seen - len(window.context) : seen]
        assert len(window.context) <= overlap
        assert len(window.lines) == len(window.context) + len(window.new)
        assert COUNTER.count(window.text) <= 256
        assert not turns_max or len(turn_starts(window.new)) <= turns_max + 1
        seen += len(window.new)
