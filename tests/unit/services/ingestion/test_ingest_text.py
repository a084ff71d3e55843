"""Tests of taking in a text: its paragraphs, and what the same text does again."""

import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from libs.absent import NamespaceNotFound
from libs.errors import InvalidArgument
from services.ingestion.ingest_text import EVENT_CHARS_MAX, Text, ingest_text, paragraphs
from services.ingestion.ledger import SessionState
from services.ingestion.model import Role
from tests.support.pipeline_bench import SPACE, Bench, bench

pytestmark = pytest.mark.slow

AT = datetime(2023, 5, 4, 9, 0, tzinfo=UTC)
NOTES = """Garden

The figs are ripe in July.
They want water.

蜜蜂

我养了两箱蜜蜂。它们很安静。
"""


@pytest.fixture
async def at(tmp_path: Path) -> AsyncIterator[Bench]:
    async with bench(tmp_path / "data") as opened:
        yield opened


def text(body: str = NOTES, **more: object) -> Text:
    given = {"namespace": SPACE, "agent_id": "coder", "event_time": AT, **more}
    return Text(text=body, **given)  # type: ignore[arg-type]


def test_paragraphs_stay_whole_and_headings_go_with_what_follows() -> None:
    assert list(paragraphs(NOTES)) == [
        "Garden\nThe figs are ripe in July.\nThey want water.",
        "蜜蜂\n我养了两箱蜜蜂。它们很安静。",
    ]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("one line.", ["one line."]),
        ("one.\r\n\r\ntwo.", ["one.", "two."]),
        ("one.\n \t\n\n\ntwo.", ["one.", "two."]),
        ("only a heading", ["only a heading"]),
        ("A\n\nB\n\nit rains.", ["A\nB\nit rains."]),
        ("ask me?\n\nsure.", ["ask me?", "sure."]),
        (" \n\n \n", []),
    ],
)
def test_what_is_a_paragraph(body: str, found: list[str]) -> None:
    assert list(paragraphs(body)) == found


def test_a_long_paragraph_is_parted_at_sentences_and_loses_nothing() -> None:
    sentences = [f"Sentence number {n} tells of the garden. " for n in range(300)]
    body = "".join(sentences)
    parts = list(paragraphs(body))
    assert len(parts) > 5
    assert max(map(len, parts)) <= EVENT_CHARS_MAX
    assert " ".join(parts) == body.strip()
    chinese = "蜜蜂很安静。" * 1000
    assert "".join(paragraphs(chinese)) == chinese


def test_one_endless_sentence_is_parted_where_it_is_too_long_for_an_event() -> None:
    body = "x" * 3_000_000
    parts = list(paragraphs(body))
    assert "".join(parts) == body
    assert max(len(part.encode()) for part in parts) <= 1_048_576 / 4


async def test_a_text_is_a_session_that_has_ended(at: Bench) -> None:
    done = await ingest_text(text(label="garden.md", project="orchard"), at.ledger)
    assert (done.appended, done.unchanged) == (2, 0)
    session = await at.peer.session(SPACE, done.session_id)
    assert session.state is SessionState.ENDED
    assert (session.label, session.agent_id) == ("garden.md", "coder")
    assert session.project == "orchard"
    events = await at.peer.events(SPACE, done.session_id)
    assert {event.role for event in events} == {Role.FILE}
    assert {event.event_time for event in events} == {AT}
    assert [event.index for event in events] == [0, 1]


async def test_the_same_text_again_changes_nothing(at: Bench) -> None:
    first = await ingest_text(text(), at.ledger)
    again = await ingest_text(text(label="another name"), at.ledger)
    assert (again.appended, again.unchanged) == (0, 2)
    assert (again.session_id, again.revision) == (first.session_id, first.revision)
    other = await ingest_text(text(agent_id="writer"), at.ledger)
    assert other.session_id != first.session_id


async def test_the_same_text_later_by_the_servers_clock_changes_nothing(at: Bench) -> None:
    now = text(event_time=None, server_time=True)
    first = await ingest_text(now, at.ledger)
    at.served.clock.move(hours=3)
    again = await ingest_text(now, at.ledger)
    assert (again.appended, again.unchanged) == (0, 2)
    assert again.revision == first.revision


async def test_a_long_text_takes_several_writes_and_ends_with_the_last(at: Bench) -> None:
    body = "\n\n".join(f"Paragraph {n} tells of figs." for n in range(600))
    done = await ingest_text(text(body), at.ledger)
    assert done.appended == 600
    session = await at.peer.session(SPACE, done.session_id)
    assert (session.event_count, session.state) == (600, SessionState.ENDED)


@pytest.mark.parametrize("wrong", [{"event_time": None}, {"body": " \n\n "}])
async def test_what_has_no_time_or_says_nothing_is_refused(
    at: Bench, wrong: dict[str, object]
) -> None:
    with pytest.raises(InvalidArgument):
        await ingest_text(text(**wrong), at.ledger)  # type: ignore[arg-type]
    with pytest.raises(NamespaceNotFound):
        await at.peer.counts(SPACE)


async def test_a_text_teaches(at: Bench) -> None:
    done = await ingest_text(text(), at.ledger)
    await at.run()
    (segment,) = await at.segments(done.session_id)
    assert (segment.first_event_index, segment.last_event_index) == (0, 1)


@pytest.mark.parametrize("whole", ["jo@mail.example.net", "203.0.113.77", "eyJhbGci.eyJzdWIi.c2ln"])
def test_what_has_dots_inside_is_never_parted(whole: str) -> None:
    text = " ".join([whole] * (3 * EVENT_CHARS_MAX // len(whole))) + "。" + f"{whole}。" * 200
    pieces = list(paragraphs(text))
    assert len(pieces) > 1
    assert all(word == whole for piece in pieces for word in re.split("[ 。]", piece) if word)
