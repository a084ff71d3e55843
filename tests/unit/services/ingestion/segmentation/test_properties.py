"""For any conversation and any answers: segments part the session, and cutting settles."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_ingestion.intake.fingerprints import fingerprint
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role, ToolCall
from anamnesis_ingestion.segmentation.cutting import segment
from anamnesis_ingestion.segmentation.tasks import PreviousCut, Task, TaskCut
from anamnesis_libs.errors import AnswerMalformed
from anamnesis_libs.tokens import load_counter
from tests.support.drawing import drawn
from tests.support.segmenters import Computed

pytestmark = pytest.mark.slow

COUNTER = load_counter("o200k_base")

calls = st.builds(ToolCall, st.text(max_size=3), st.text(max_size=5), st.just("{}"))
event = st.builds(
    LedgerEvent,
    role=st.sampled_from(list(Role)),
    content=st.text(max_size=20) | st.just("long words " * 40),
    tool_calls=st.lists(calls, max_size=1).map(tuple),
)


@st.composite
def sessions(draw: st.DrawFn) -> tuple[LedgerEvent, ...]:
    """Events with rising indices, not always without a hole."""
    events = draw(st.lists(event, max_size=16))
    index = draw(st.integers(0, 2))
    found: list[LedgerEvent] = []
    for each in events:
        found.append(replace(each, index=index))
        index += draw(st.sampled_from([1, 1, 1, 3]))
    return tuple(found)


hostile_number = st.integers(-4, 20) | st.integers()
hostile_tasks = st.lists(
    st.builds(Task, hostile_number, hostile_number, st.text(max_size=5), st.text(max_size=5)),
    max_size=6,
)


def hostile(data: st.DataObject) -> Computed:
    """A segmenter that is sometimes sound, and otherwise answers anything."""

    def answer(length: int) -> Sequence[Task]:
        borders = [1, *sorted(data.draw(st.sets(st.integers(2, max(2, length)), max_size=3)))]
        inside = [border for border in borders if border <= length]
        sound = [Task(a, b - 1, "t", "s") for a, b in pairwise([*inside, length + 1])]
        return data.draw(st.just(sound) | st.just(sound) | hostile_tasks)

    return Computed(answer)


def remembered(events: Sequence[LedgerEvent], cuts: Sequence[TaskCut]) -> list[PreviousCut]:
    return [
        PreviousCut(
            cut,
            fingerprint(e for e in events if cut.first_index <= (e.index or 0) <= cut.last_index),
        )
        for cut in cuts
    ]


def check_parted(events: Sequence[LedgerEvent], cuts: Sequence[TaskCut]) -> None:
    """Disjoint, in order, and every event in one."""
    indices = [event.index or 0 for event in events]
    covered = [
        index for cut in cuts for index in indices if cut.first_index <= index <= cut.last_index
    ]
    assert covered == indices
    assert all(cut.first_index in indices and cut.last_index in indices for cut in cuts)


@given(sessions(), st.integers(16, 120), st.data())
@drawn(150)
async def test_segments_are_disjoint_ordered_and_cover_all_events(
    events: tuple[LedgerEvent, ...], budget: int, data: st.DataObject
) -> None:
    segmenter = hostile(data)
    try:
        cuts = await segment(events, segmenter, budget, COUNTER)
    except AnswerMalformed:
        return
    check_parted(events, cuts)
    assert segmenter.calls <= len(events)


@given(sessions(), st.integers(16, 120), st.data())
@drawn(100)
async def test_cutting_twice_equals_cutting_once(
    events: tuple[LedgerEvent, ...], budget: int, data: st.DataObject
) -> None:
    try:
        cuts = await segment(events, hostile(data), budget, COUNTER)
    except AnswerMalformed:
        return
    again = hostile(data)
    assert await segment(events, again, budget, COUNTER, remembered(events, cuts)) == cuts
    assert again.calls == 0


@given(sessions(), st.integers(0, 16), st.integers(16, 120), st.data())
@drawn(150)
async def test_a_session_that_grows_keeps_all_but_its_last_segment(
    events: tuple[LedgerEvent, ...], first_day: int, budget: int, data: st.DataObject
) -> None:
    before = events[:first_day]
    try:
        cuts = await segment(before, hostile(data), budget, COUNTER)
        earlier = remembered(before, cuts)
        grown = await segment(events, hostile(data), budget, COUNTER, earlier)
    except AnswerMalformed:
        return
    check_parted(events, grown)
    kept = cuts[:-1] if len(events) > len(before) else cuts
    assert grown[: len(kept)] == kept or len(events) <= 2
