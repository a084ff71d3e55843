"""Segments leave no gap, and begin where the ledger does."""

import pytest

from anamnesis_ingestion.intake.fingerprints import fingerprint
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role
from anamnesis_ingestion.pipeline.stages import contiguous
from anamnesis_ingestion.segmentation.tasks import TaskCut


def said(*indices: int) -> list[LedgerEvent]:
    """Events at these indices."""
    return [LedgerEvent(role=Role.USER, content=f"at {index}", index=index) for index in indices]


@pytest.mark.parametrize(("kept_from", "first"), [(0, 0), (2, 2), (3, 3)])
def test_the_first_begins_where_the_ledger_does(kept_from: int, first: int) -> None:
    events = said(3, 4, 7, 8)
    found = contiguous([TaskCut(3, 4, "a", ""), TaskCut(7, 8, "b", "")], events, kept_from)
    assert [(one.cut.first_index, one.cut.last_index) for one in found] == [(first, 6), (7, 8)]
    assert [one.fingerprint for one in found] == [fingerprint(events[:2]), fingerprint(events[2:])]


def test_what_the_ledger_no_longer_holds_makes_no_segment() -> None:
    assert contiguous([], [], 5) == ()
