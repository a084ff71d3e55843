"""Tests of what is kept in mind of a session: how much, which, and in which words."""

import pytest

from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role
from anamnesis_ingestion.pipeline.compressing import PROMOTED_MAX, share_of, summaries_of
from tests.support.pipeline_bench import counter


def drawer(at: int, content: str, role: Role = Role.USER, name: str = "") -> LedgerEvent:
    return LedgerEvent(role=role, content=content, index=at, name=name, memory_id=f"m{at}")


def test_the_share_falls_from_seven_tenths_to_three() -> None:
    assert share_of(0) == pytest.approx(0.7)
    assert share_of(50) == pytest.approx(0.5)
    assert share_of(100) == share_of(5000) == pytest.approx(0.3)


def test_what_says_more_is_promoted_in_the_order_of_the_events() -> None:
    events = [
        drawer(0, "ok"),
        drawer(1, "Ada moved to Lisbon in 2023 and pays 900 euros"),
        drawer(2, "hm"),
        drawer(3, "我在里斯本住了三年,养了两箱蜜蜂"),
    ]
    promoted = list(summaries_of(events, counter()))
    assert len(promoted) == 3
    assert [each for each in promoted if each in ("m1", "m3")] == ["m1", "m3"]


def test_what_has_no_drawer_or_no_text_is_left_out() -> None:
    events = [
        LedgerEvent(role=Role.USER, content="nobody holds it", index=0),
        drawer(1, "  "),
        drawer(2, "it rains in Porto"),
    ]
    assert list(summaries_of(events, counter())) == ["m2"]
    assert summaries_of([], counter()) == {}


def test_a_summary_is_one_line_with_its_speaker_and_short() -> None:
    placed = drawer(0, "word", role=Role.FILE, name="facts.md › Two times")
    assert summaries_of([placed], counter()) == {"m0": "word"}, "what is shown has its place"
    found = summaries_of([drawer(0, "word \n " * 500, name="Ada")], counter())
    assert found["m0"].startswith("Ada: word word")
    assert "\n" not in found["m0"]
    assert counter().count(found["m0"]) <= 64


def test_no_more_than_one_write_takes() -> None:
    events = [drawer(at, f"note {at}") for at in range(5000)]
    assert len(summaries_of(events, counter())) == PROMOTED_MAX
