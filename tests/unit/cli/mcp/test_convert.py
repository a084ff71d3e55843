"""Answers of the client as models read them: times, reasons, tags, addresses."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from anamnesis.memory.v1.memory_pb2 import MEMORY_KIND_EPISODIC
from anamnesis.memory.v1.memory_pb2 import Memory as StoredMemory
from anamnesis.retrieval.v1.retrieval_service_pb2 import (
    EMPTY_REASON_BUDGET_TOO_SMALL,
    BuildContextResponse,
)
from anamnesis_cli.mcp.convert import to_memory, to_recalled, to_time
from anamnesis_cli.mcp.resources import url_of
from anamnesis_cli.mcp.tools import _plain
from anamnesis_client.convert import context_of, memory_of

MAY = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)
DRAWER = memory_of(StoredMemory(memory_id="m-1", kind=MEMORY_KIND_EPISODIC, summary="The gate"))


@pytest.mark.parametrize(
    ("precision", "written"),
    [
        ("year", "2026"),
        ("month", "2026-05"),
        ("week", "2026-W19"),
        ("day", "2026-05-04"),
        ("instant", "2026-05-04T09:30:00+00:00"),
        ("", "2026-05-04T09:30:00+00:00"),
    ],
)
def test_a_time_is_as_exact_as_it_is_known(precision: str, written: str) -> None:
    assert to_time(MAY, precision) == written
    assert to_time(None, precision) == ""


def test_an_empty_context_says_why_and_what_is_left_out() -> None:
    answer = BuildContextResponse(empty_reason=EMPTY_REASON_BUDGET_TOO_SMALL, left_out=2)
    told = to_recalled(context_of(answer)).told()
    assert "raise budget_tokens" in told
    assert "2 more" in told


def test_tags_that_learning_gave_are_not_told() -> None:
    tagged = replace(DRAWER, tags=("kiln", "@p:Mara", "@t:2026-05-04"))
    assert to_memory(tagged, "The gate is green.").tags == ["kiln"]


def test_a_memory_is_at_its_pointer_else_at_its_id() -> None:
    placed = replace(DRAWER, pointer="§ W-001/R-01/D-001")
    assert url_of(placed) == "anamnesis://palace/W-001/R-01/D-001"
    assert url_of(DRAWER) == "anamnesis://memory/m-1"


def test_a_pointer_is_the_same_however_it_is_written() -> None:
    written = ("§ W-001/R-01/D-010", "§W-1/R-1/D-10", "w-1/r-1/d-10")
    assert len({_plain(each) for each in written}) == 1
    assert _plain("01a213c980631b6164c642676a30b3c9") == "01a213c980631b6164c642676a30b3c9"
