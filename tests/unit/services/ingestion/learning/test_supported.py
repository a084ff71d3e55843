"""What the gate takes for supported: how long something has lasted, a name by its title."""

from datetime import UTC, datetime

from anamnesis_ingestion.learning.gate import passed
from anamnesis_ingestion.learning.knowledge import ExtractionInput
from anamnesis_ingestion.learning.local.extractor import knowledge_of
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role
from anamnesis_libs.settings import WriteGate

MARCH = datetime(2025, 3, 3, tzinfo=UTC)


def test_the_gate_lets_what_has_lasted_pass() -> None:
    said = "我在上海住了三年了。"
    event = LedgerEvent(role=Role.USER, content=said, index=0, name="小林", event_time=MARCH)
    lecture = ExtractionInput(events=[event], user="小林")
    (fact,) = passed(knowledge_of(lecture), lecture, WriteGate()).facts
    assert (fact.object, fact.time.since) == ("上海", datetime(2022, 3, 1, tzinfo=UTC))


def test_a_name_with_a_title_is_supported_by_the_title_with_its_stop() -> None:
    said = "My advisor is Prof. Lena Ortiz."
    event = LedgerEvent(role=Role.USER, content=said, index=0, name="Ada", event_time=MARCH)
    lecture = ExtractionInput(events=[event], user="ada")
    (fact,) = passed(knowledge_of(lecture), lecture, WriteGate()).facts
    assert fact.predicate == "knows"
