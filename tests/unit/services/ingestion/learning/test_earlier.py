"""Tests of what was said up to an event, and of names that stand against Chinese text."""

from datetime import UTC, datetime

import pytest

from anamnesis_ingestion.learning.earlier import LearnedEarlier
from anamnesis_ingestion.learning.gate import passed
from anamnesis_ingestion.learning.knowledge import ExtractionInput, FactKind, Knowledge, LearnedFact
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role
from anamnesis_libs.settings import WriteGate
from tests.support.ledger_events import conversation

AT = datetime(2026, 2, 1, tzinfo=UTC)


def test_everything_up_to_an_event_and_nothing_behind_it() -> None:
    events = [
        LedgerEvent(role=Role.USER, content="one", index=3, name="Ada"),
        LedgerEvent(role=Role.USER, content="two", index=7),
        LedgerEvent(role=Role.USER, content="three", index=9),
    ]
    context = [LedgerEvent(role=Role.USER, content="zero", index=1)]
    earlier = LearnedEarlier(ExtractionInput(events=events, context=context))
    assert earlier.until(2).split() == ["zero"]
    assert earlier.until(3).split() == ["zero", "one", "Ada"]
    assert earlier.until(8).split() == ["zero", "one", "Ada", "two"]
    assert earlier.until(99).split()[-1] == "three"


def test_what_was_injected_was_not_said() -> None:
    events = conversation("user: <memory_context>Ada is tall</memory_context>", "user: hello")
    assert LearnedEarlier(ExtractionInput(events=events)).until(1).split() == ["hello"]


@pytest.mark.parametrize(
    ("statement", "kept"),
    [("Ada住在杭州", 1), ("Bob住在杭州", 0), ("Ada住在杭州,跟Bob一起", 0)],
)
def test_a_name_against_chinese_text_is_a_name_of_its_own(statement: str, kept: int) -> None:
    fact = LearnedFact(
        statement=statement,
        subject="Ada",
        predicate="lives_in",
        object="杭州",
        kind=FactKind.IDENTITY,
        sources=(0,),
    )
    lecture = ExtractionInput(events=conversation("user: 我住在杭州。", time=AT), user="Ada")
    assert len(passed(Knowledge((fact,)), lecture, WriteGate()).facts) == kept
