"""Emoji beside what is said are no words of it; one that is used is."""

import pytest

from anamnesis_ingestion.learning.emoji import without_moods
from anamnesis_ingestion.learning.knowledge import ExtractionInput
from anamnesis_ingestion.learning.local.extractor import knowledge_of
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("I love hiking 🥾", "I love hiking"),
        ("peanuts 🥜🥜!", "peanuts   !"),
        ("🙂 hi", "  hi"),
        ("ok ❤️, yes", "ok   , yes"),
        ("我在成都当护士🙂，住在高新区", "我在成都当护士 ，住在高新区"),
        ("我对狗毛过敏😢\n真的", "我对狗毛过敏 \n真的"),
        ("Never use ✨", "Never use ✨"),
        ("不要用✅。", "不要用✅。"),
        ("mark it ✅ when it is done", "mark it ✅ when it is done"),
    ],
)
def test_moods_are_blanked_and_things_stay(text: str, left: str) -> None:
    blanked = without_moods(text)
    assert blanked.rstrip() == left
    assert len(blanked) == len(text)


@pytest.mark.parametrize(
    ("text", "predicate", "things"),
    [
        ("I love hiking 🥾", "likes", {"hiking"}),
        ("我对狗毛过敏😢", "is_allergic_to", {"狗毛"}),
        ("我喜欢跑步😄", "likes", {"跑步"}),
    ],
)
def test_what_is_learned_is_without_moods(text: str, predicate: str, things: set[str]) -> None:
    event = LedgerEvent(role=Role.USER, content=text, index=0)
    facts = knowledge_of(ExtractionInput(events=[event], user="mara")).facts
    assert {one.object for one in facts if one.predicate == predicate} == things
    assert all(text[-1] not in one.statement for one in facts)
