"""Tests of exporting training rows: which segments, for whom, and in which form."""

import json
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from anamnesis_ingestion.ledger import Append, Caller, LedgerEvent, Visibility
from anamnesis_ingestion.model import Role
from anamnesis_ingestion.peers.pipeline import PipelinePeer
from anamnesis_ingestion.pipeline.export_sft import ExportedRow, SftFilter, export_sft
from anamnesis_libs.errors.not_found import SessionNotFound
from tests.support.ledger_events import conversation
from tests.support.pipeline_bench import ADA, AT, LEASE_S, SPACE, Bench, bench

pytestmark = pytest.mark.slow

TALK = ("user: Task one, list the figs", 'call: bash {"command":"ls"}', "tool: figs.txt")
MORE = ("user: Task two, I keep bees in Lisbon", "assistant: noted")


@pytest.fixture
async def at(tmp_path: Path) -> AsyncIterator[Bench]:
    async with bench(tmp_path / "data") as opened:
        yield opened


async def exported(at: Bench, **more: object) -> list[ExportedRow]:
    given = {"namespace": SPACE, "caller": ADA, "min_score": 0.8, **more}
    where = SftFilter(**given)  # type: ignore[arg-type]
    return [row async for row in export_sft(where, at.peer)]


async def scored(at: Bench, score: float, session_id: str) -> None:
    """A session of two tasks with this score."""
    at.analyzers.labeller.score = score
    await at.tell(*TALK, *MORE, session_id=session_id)
    await at.run()


async def test_a_row_is_the_messages_of_a_segment_and_its_topic(at: Bench) -> None:
    await scored(at, 0.9, "s")
    first, second = await exported(at)
    row = json.loads(first.row.as_json())
    assert [message["role"] for message in row["messages"]] == ["user", "assistant", "tool"]
    assert row["messages"][1]["tool_calls"][0]["function"]["name"] == "bash"
    assert row["topic"] == first.segment.topic != ""
    assert [first.segment.first_index, second.segment.first_index] == [0, 3]
    assert first.segment.score == 0.9


async def test_the_score_decides_and_the_bound_counts_as_enough(at: Bench) -> None:
    await scored(at, 0.79, "low")
    await scored(at, 0.8, "enough")
    await scored(at, 0.95, "high")
    assert {row.segment.session_id for row in await exported(at)} == {"enough", "high"}
    assert {row.segment.session_id for row in await exported(at, min_score=0.9)} == {"high"}
    assert len(await exported(at, min_score=0.0)) == 6


async def test_it_can_be_limited_and_kept_to_a_task_type(at: Bench) -> None:
    await scored(at, 0.9, "a")
    await scored(at, 0.9, "b")
    assert len(await exported(at, limit=3)) == 3
    assert len(await exported(at, limit=0)) == 4
    assert len(await exported(at, task_type="coding")) == 4
    assert await exported(at, task_type="writing") == []


async def test_since_is_about_the_last_event_of_a_segment(at: Bench) -> None:
    await scored(at, 0.9, "s")
    assert len(await exported(at, since=AT)) == 2
    assert await exported(at, since=AT + timedelta(seconds=1)) == []
    untimed = LedgerEvent(role=Role.USER, content="no time", index=0)
    write = Append(
        namespace=SPACE, session_id="t", user_id=ADA.user_id, events=[untimed], unknown_time=True
    )
    await at.ledger.append(write)
    await at.run()
    assert len(await exported(at)) == 3
    assert len(await exported(at, since=datetime(1980, 1, 1, tzinfo=UTC))) == 2


async def test_what_is_not_measured_is_not_exported(at: Bench) -> None:
    await at.tell(*TALK, *MORE)
    assert await exported(at, min_score=0.0) == []


async def test_a_private_session_is_exported_for_its_agent_alone(at: Bench) -> None:
    write = Append(
        namespace=SPACE,
        session_id="mine",
        agent_id="coder",
        visibility=Visibility.PRIVATE_TO_AGENT,
        events=conversation(*TALK, time=AT),
        end_session=True,
    )
    await at.ledger.append(write)
    await at.run()
    assert await exported(at) == []
    assert await exported(at, caller=Caller(agent_id="writer")) == []
    (row,) = await exported(at, caller=Caller(agent_id="coder"))
    assert row.segment.session_id == "mine"


async def test_tool_calls_may_become_text(at: Bench) -> None:
    await scored(at, 0.9, "s")
    first, _ = await exported(at, render_tools=True)
    messages = json.loads(first.row.as_json())["messages"]
    assert {message["role"] for message in messages} == {"user", "assistant"}
    assert not any("tool_calls" in message for message in messages)


async def test_a_session_that_goes_while_rows_are_given_is_left_out(at: Bench) -> None:
    await scored(at, 0.9, "a")
    await scored(at, 0.9, "b")
    where = SftFilter(namespace=SPACE, caller=ADA, min_score=0.8)
    sessions = Forgetful(at.channels, 20.0, LEASE_S)
    found = [row.segment.session_id async for row in export_sft(where, sessions)]
    assert found == ["a", "a"]


class Forgetful(PipelinePeer):
    """A ledger that has let go of one session."""

    async def events(
        self, namespace: str, session_id: str, first_index: int = 0, last_index: int | None = None
    ) -> Sequence[LedgerEvent]:
        if session_id == "b":
            raise SessionNotFound(session_id)
        return await super().events(namespace, session_id, first_index, last_index)
