"""Statements of facts as they are kept: what is inside of them, and what is left out."""

from datetime import UTC, datetime

import pytest

from anamnesis_ingestion.learning.english.learned import facts_of, turn_of
from anamnesis_ingestion.learning.english.reader import read
from anamnesis_ingestion.learning.knowledge import ExtractionInput
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role

SAID_AT = datetime(2024, 5, 15, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Linda is my colleague.", "Linda is the user's colleague"),
        (
            "I've been promoted to Senior Advisor at Acme, which is exciting yet daunting.",
            "The user has been promoted to Senior Advisor at Acme",
        ),
        ("I live in Delft, which is near The Hague.", "The user lives in Delft"),
    ],
)
def test_a_statement_is_plain(said: str, kept: str) -> None:
    event = LedgerEvent(role=Role.USER, content=said, event_time=SAID_AT, index=0)
    lecture = ExtractionInput(events=(event,), user="u-77")
    turn = turn_of(event, lecture, to_agent=True)
    (claims,) = read([turn])
    statements = [fact.statement for fact in facts_of(claims, event, lecture)]
    assert any(one.startswith(kept) for one in statements), statements
    assert not any(" which is exciting" in one or " The user" in one for one in statements)
