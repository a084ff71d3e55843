"""A name is what an event spells: whole words, whatever case and spacing; no placeholder is one."""

import pytest

from anamnesis_ingestion.learning.knowledge import EntityKind, LearnedMention, Refused
from anamnesis_ingestion.learning.spelling import (
    as_spelled,
    is_name,
    is_placeholder,
    refused,
    spells,
)
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role


def said(content: str, name: str = "", role: Role = Role.USER) -> LedgerEvent:
    return LedgerEvent(role=role, content=content, name=name)


@pytest.mark.parametrize(
    ("content", "name", "held"),
    [
        ("we met at Marlowe  Yard", "marlowe yard", True),
        ("the annual report", "Ann", False),
        ("Ann's boat", "Ann", True),
        ("我们用Python写", "Python", True),
        ("我在成都工作", "成都", True),
        ("C++ and C", "C++", True),
        ("<system-reminder>\nAda\n</system-reminder>", "Ada", False),
    ],
)
def test_a_name_stands_in_a_text_as_words_of_its_own(content: str, name: str, held: bool) -> None:
    assert spells(said(content), name) is held


def test_who_speaks_is_named_by_the_event_but_a_tool_or_a_heading_is_not() -> None:
    assert spells(said("hello", name="Caroline"), "caroline")
    assert not spells(said("hello", name="bash", role=Role.TOOL), "bash")
    assert not spells(said("hello", name="Caroline", role=Role.FILE), "Caroline")


@pytest.mark.parametrize(
    "text", ["<EMAIL_ADDRESS>", "Ada <PHONE_NUMBER>", "<USER>", "user", "他", "42"]
)
def test_placeholders_pronouns_and_numbers_are_no_names(text: str) -> None:
    assert not is_name(text)


def test_a_pseudonym_is_a_name_but_the_bare_tag_is_not() -> None:
    assert is_name("<PERSON_3f9a1c07>")
    assert not is_placeholder("<PERSON_3f9a1c07>")
    assert is_placeholder("<PERSON>")


def test_only_sources_and_aliases_that_are_spelled_stay() -> None:
    mention = LearnedMention(
        name="Ada",
        kind=EntityKind.PERSON,
        sources=(4, 7),
        aliases=("Addie", "Ada", "Countess", "Addie", "<USER>"),
    )
    kept = as_spelled(mention, [said("Addie is here"), said("Ada of <USER> is")])
    assert (kept.sources, kept.aliases) == ((7,), ("Addie",))


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        (said("Ada sails"), None),
        (said("she sails"), Refused.UNSUPPORTED),
        (said("Ada sails", role=Role.SYSTEM), Refused.SYSTEM_PROMPT),
        (said("<memory_context>\nAda\n</memory_context>\nshe sails"), Refused.INJECTED),
    ],
)
def test_why_a_name_is_refused(event: LedgerEvent, reason: Refused | None) -> None:
    mention = LearnedMention(name="Ada", kind=EntityKind.PERSON, sources=(0,))
    assert refused(mention, [event]) is reason
