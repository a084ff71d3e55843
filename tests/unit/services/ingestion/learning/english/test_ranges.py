"""From when until when: ranges of time in plain sentences."""

from datetime import UTC, datetime

import pytest

from anamnesis_ingestion.learning.english.claims import Claim, Turn
from anamnesis_ingestion.learning.english.cleaning import cleaned
from anamnesis_ingestion.learning.english.ranges import without_range
from anamnesis_ingestion.learning.english.reader import read
from anamnesis_ingestion.learning.local.sentences import sentences

TOLD_AT = datetime(2024, 5, 15, 12, tzinfo=UTC)
RANGED = [
    ("Ann Lee plays for Sunderby F.C. from Jan, 2007 to Mar, 2009.", "plays_for", "Sunderby F.C."),
    ("Ann Lee works for Halden Labs from Jan 2007 until March 2009.", "works_at", "Halden Labs"),
    ("Ann Lee attended Brunn College from Jan, 2007 to Mar, 2009.", "studies_at", "Brunn College"),
    ("Ann Lee is a member of the Reed Party from Jan, 2007 to Mar, 2009.", "member_of",
     "Reed Party"),
    ("Ann Lee is the chair of Brunn College from Jan, 2007 to Mar, 2009.", "heads",
     "Brunn College"),
    ("Ann Lee holds the position of Mayor of Brunn from Jan, 2007 to Mar, 2009.",
     "holds_position", "Mayor of Brunn"),
    ("Between January 2007 and March 2009 I lived in Lisbon.", "lives_in", "Lisbon"),
]  # fmt: skip


def claims_of(text: str) -> list[Claim]:
    said = [cleaned(each) for each in sentences(text)]
    return read([Turn(sentences=said, subject="me", shown="me", said_at=TOLD_AT)])[0]


@pytest.mark.parametrize(("text", "predicate", "thing"), RANGED)
def test_a_range_begins_and_ends_a_fact(text: str, predicate: str, thing: str) -> None:
    (found,) = (each for each in claims_of(text) if each.predicate == predicate)
    assert found.object == thing
    assert (found.since, found.until) == (
        datetime(2007, 1, 1, tzinfo=UTC),
        datetime(2009, 4, 1, tzinfo=UTC),
    )
    assert found.ended


def test_a_range_is_of_the_clause_that_it_follows() -> None:
    told = claims_of("I lived in Rome from 2001 to 2004 and now I work at Halden Labs.")
    since = {each.predicate: each.since for each in told}
    assert since == {"lives_in": datetime(2001, 1, 1, tzinfo=UTC), "works_at": None}


@pytest.mark.parametrize(
    "text",
    [
        "I moved from Rome to Oslo in 2004.",
        "I lived in Rome from 2001 to 2004 and in Oslo from 2005 to 2008.",
        "I have lived here since 2001.",
    ],
)
def test_what_is_no_single_range_stays_in_its_sentence(text: str) -> None:
    assert without_range(text, TOLD_AT).text == text


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("Jean-Louis Moreau works for Halden Labs.", "Jean-Louis Moreau"),
        ("John R. Bass works for Halden Labs.", "John R. Bass"),
    ],
)
def test_names_keep_their_hyphens_and_initials(text: str, subject: str) -> None:
    assert {each.subject for each in claims_of(text)} == {subject}
