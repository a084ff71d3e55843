"""Windows hold whole events within their budget, counted exactly; only one alone is cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role
from anamnesis_ingestion.segmentation.windows import window_at, windows
from anamnesis_libs.errors import InvalidArgument
from anamnesis_libs.tokens import ELLIPSIS, TiktokenCounter, load_counter
from tests.support.drawing import drawn
from tests.support.ledger_events import conversation

TEN = conversation(*(f"user: message {number}" for number in range(10)))
LONG = "user: " + "A sentence of some words. " * 40
COUNTER = load_counter("o200k_base")


def test_no_windows_for_nothing(counter: TiktokenCounter) -> None:
    assert windows((), 30, counter) == ()


def test_ten_messages_into_windows_of_30_tokens_are_each_in_exactly_one(
    counter: TiktokenCounter,
) -> None:
    found = windows(TEN, 30, counter)
    assert len(found) > 1
    assert [event for window in found for event in window.events] == list(TEN)
    assert not any(window.truncated for window in found)


def test_a_window_holds_as_many_as_fit_and_not_one_more(counter: TiktokenCounter) -> None:
    whole = window_at(TEN[:4], 0, 10_000, counter)
    exact = counter.count(whole.text)
    assert len(window_at(TEN, 0, exact, counter).events) == 4
    assert len(window_at(TEN, 0, exact - 1, counter).events) == 3


def test_numbers_count_from_one_in_each_window(counter: TiktokenCounter) -> None:
    assert window_at(TEN, 7, 10_000, counter).text == (
        "[1] user: message 7\n[2] user: message 8\n[3] user: message 9\n"
    )


def test_a_message_over_the_budget_has_a_window_of_its_own_and_is_cut_there_only(
    counter: TiktokenCounter,
) -> None:
    events = conversation("user: before", LONG, "assistant: after")
    before, alone, after = windows(events, 40, counter)
    assert (before.text, after.text) == ("[1] user: before\n", "[1] assistant: after\n")
    assert alone.truncated
    assert alone.lines[0].endswith(ELLIPSIS)
    assert counter.count(alone.text) <= 40
    assert alone.events[0].content == events[1].content


def test_an_empty_tool_row_keeps_its_number_with_an_empty_body(counter: TiktokenCounter) -> None:
    empty = LedgerEvent(role=Role.TOOL, content="", index=1)
    events = (TEN[0], empty, TEN[2])
    assert window_at(events, 0, 100, counter).lines[1] == "[2]"


@pytest.mark.parametrize("budget", [-1, 0, 15])
def test_a_budget_that_holds_nothing_is_refused(counter: TiktokenCounter, budget: int) -> None:
    with pytest.raises(InvalidArgument):
        window_at(TEN, 0, budget, counter)


event = st.builds(
    LedgerEvent,
    role=st.sampled_from(list(Role)),
    content=st.text(max_size=60),
    name=st.sampled_from(["", "bash", "Ann\n"]),
)


@given(st.lists(event, max_size=8), st.integers(16, 60))
@drawn(150)
def test_every_window_is_within_its_budget(events: list[LedgerEvent], budget: int) -> None:
    found = windows(events, budget, COUNTER)
    assert [event for window in found for event in window.events] == events
    for window in found:
        assert COUNTER.count(window.text) <= budget
        assert not window.truncated or len(window.events) == 1
