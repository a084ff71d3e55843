"""Answers in a few words: what the question before completes, and what it does not."""

from datetime import UTC, datetime

import pytest

from anamnesis_ingestion.learning.knowledge import ExtractionInput
from anamnesis_ingestion.learning.local.extractor import knowledge_of
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role

AT = datetime(2025, 5, 4, tzinfo=UTC)


def learned(asked: str, answer: str) -> set[tuple[str, str]]:
    """What is learned of somebody who answers a question of the agent."""
    events = [
        LedgerEvent(role=Role.ASSISTANT, content=asked, index=0, event_time=AT),
        LedgerEvent(role=Role.USER, content=answer, index=1, name="Mara", event_time=AT),
    ]
    facts = knowledge_of(ExtractionInput(events=events, user="mara", agent="juno")).facts
    return {(each.predicate, each.object) for each in facts}


@pytest.mark.parametrize(
    ("asked", "answer", "fact"),
    [
        ("Hello! Where do you live?", "In Gent.", ("lives_in", "Gent")),
        ("And what do you do for a living?", "Teacher.", ("works_as", "teacher")),
        ("Do you have any allergies?", "Sure! Peanuts and kiwis.", ("is_allergic_to", "kiwis")),
        ("How old are you?", "34", ("is_aged", "34 years")),
        ("What's your favourite book?", "Dune", ("favourite_book", "Dune")),
        ("What are your goals?", "Mostly, to open a bakery.", ("goal", "open a bakery")),
        ("What are your goals?", "Hm. I hope to found a school.", ("goal", "found a school")),
    ],
)
def test_a_question_completes_its_answer(asked: str, answer: str, fact: tuple[str, str]) -> None:
    assert fact in learned(asked, answer)


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("Where do you live?", "Not sure I want to say."),
        ("Do you have any allergies?", "None."),
        ("What do you do for a living?", "Why?"),
        ("Where do you live? I live in Rome.", "Gent."),
        ("How was Rome?", "Crowded."),
    ],
)
def test_what_answers_nothing_teaches_nothing(asked: str, answer: str) -> None:
    assert learned(asked, answer) == set()
