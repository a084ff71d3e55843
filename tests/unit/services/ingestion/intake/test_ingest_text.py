"""Tests of taking in a text: its events, and what the same text does again."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from anamnesis_ingestion.intake.ingest_text import Text, ingest_text
from anamnesis_ingestion.ledger import Append, Appended, Caller, LedgerEvent, Session, SessionState
from anamnesis_ingestion.model import Role
from anamnesis_ingestion.ports import Ledger
from anamnesis_libs.errors import InvalidArgument, StoreUnavailable
from anamnesis_libs.errors.not_found import NamespaceNotFound
from tests.support.pipeline_bench import ADA, SPACE, Bench, bench

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


@dataclass
class Breaking:
    """A ledger that takes one write."""

    ledger: Ledger
    taken: int = 0

    async def append(self, write: Append) -> Appended:
        """Store the first; then it is away."""
        self.taken += 1
        if self.taken > 1:
            raise StoreUnavailable("away")
        return await self.ledger.append(write)

    async def session(self, namespace: str, session_id: str, caller: Caller) -> Session:
        """Return a session."""
        return await self.ledger.session(namespace, session_id, caller)


def text(body: str = NOTES, **more: object) -> Text:
    given = {"namespace": SPACE, "agent_id": "coder", "event_time": AT, **more}
    return Text(text=body, **given)  # type: ignore[arg-type]


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
    assert [event.name for event in events] == ["garden.md", "garden.md › 蜜蜂"]
    assert [event.content[:3] for event in events] == ["Gar", "蜜蜂\n"]


async def test_the_same_text_again_changes_nothing(at: Bench) -> None:
    first = await ingest_text(text(), at.ledger)
    again = await ingest_text(text(label="another name"), at.ledger)
    assert (again.appended, again.unchanged) == (0, 2)
    assert (again.session_id, again.revision) == (first.session_id, first.revision)
    other = await ingest_text(text(agent_id="writer"), at.ledger)
    assert other.session_id != first.session_id


async def test_a_text_that_was_cut_otherwise_before_stays_as_it_is(at: Bench) -> None:
    """As by an earlier version: neither more events nor fewer, and nothing twice."""
    given = text(label="garden.md", user_id=ADA.user_id)
    lines = NOTES.split("\n")
    old = [LedgerEvent(role=Role.FILE, content=line, event_time=AT) for line in lines if line]
    stored = await at.append(old, session_id=given.session_id)
    again = await ingest_text(given, at.ledger)
    assert (again.session_id, again.appended, again.unchanged) == (given.session_id, 0, len(old))
    assert again.revision == stored.revision
    events = await at.peer.events(SPACE, given.session_id)
    assert [event.content for event in events] == [line for line in lines if line]


async def test_a_text_that_broke_off_goes_on_where_it_was(at: Bench) -> None:
    body = "\n\n".join(f"Paragraph {n} tells of figs." for n in range(300))
    with pytest.raises(StoreUnavailable):
        await ingest_text(text(body), Breaking(at.ledger))
    done = await ingest_text(text(body), at.ledger)
    assert (done.appended, done.unchanged) == (44, 256)


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
