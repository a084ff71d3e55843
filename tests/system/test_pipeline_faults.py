"""The pipeline where things fail: the chat model in every way it can, and the process itself.

No fault may look like success: what a caller sees, what is stored and what is tried again is
asserted for each, and printed as a table at the end of the run.
"""

import asyncio
import json
import random
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest

from anamnesis.memory.v1 import work_pb2
from anamnesis.memory.v1.segment_pb2 import SegmentState
from anamnesis_libs.models.chat import ChatUsage
from tests.support import openai_chat_script as chat
from tests.support.chat_suite import EXTRACT, LABEL, SEGMENT, chat_suite
from tests.support.clients import clients_of, everywhere
from tests.support.openai_server import (
    Fault,
    OpenAIServer,
    cut,
    openai_server,
    silence,
    status,
    truncated_json,
)
from tests.support.pipeline_suite import Space
from tests.support.printed_tables import Note, note_table
from tests.support.processes import start

STAGES = {SEGMENT: "segment", LABEL: "label", EXTRACT: "extract"}
WAITS, TRY, GOES_ON = "waits, no try", "counts as a try", "goes on at once"
KILLS = 3


@dataclass(frozen=True, slots=True)
class Injected:
    """A fault as often as it comes, and what must become of it."""

    name: str
    faults: tuple[Fault, ...]
    reason: str = ""
    then: str = GOES_ON
    wait_s_min: float = 0.0


FAULTS = (
    Injected("429 Retry-After 0.1 s, once", (status(429, 0.1),)),
    Injected("429 Retry-After 0.1 s", (status(429, 0.1),) * 2, "MODEL_UNAVAILABLE", WAITS, 14),
    Injected("429 Retry-After 120 s", (status(429, 120),), "MODEL_UNAVAILABLE", WAITS, 119),
    Injected("500", (status(500),) * 2, "MODEL_UNAVAILABLE", WAITS, 14),
    Injected("time-out", (silence(3),) * 2, "MODEL_UNAVAILABLE", WAITS, 14),
    Injected("cut connection", (cut,) * 2, "MODEL_UNAVAILABLE", WAITS, 14),
    Injected("truncated body", (truncated_json,) * 2, "MODEL_UNAVAILABLE", WAITS, 14),
    Injected("empty choices", (chat.no_choices,) * 2, "MODEL_UNAVAILABLE", WAITS, 14),
    Injected("truncated JSON, once", (chat.half_document,)),
    Injected("truncated JSON", (chat.half_document,) * 2, "ANSWER_MALFORMED", TRY, 29),
    Injected("fenced JSON", (chat.fenced,)),
    Injected("think tags", (chat.thinking,)),
    Injected("bad escapes, once", (chat.bad_escapes,)),
    Injected("bad escapes", (chat.bad_escapes,) * 2, "ANSWER_MALFORMED", TRY, 29),
    Injected("wrong schema, once", (chat.wrong_schema,)),
    Injected("wrong schema", (chat.wrong_schema,) * 2, "ANSWER_MALFORMED", TRY, 29),
    Injected("no words", (chat.no_words,) * 2, "ANSWER_MALFORMED", TRY, 29),
    Injected("refusal", (chat.refusal,), "MODEL_REFUSED", TRY, 29),
    Injected("length", (chat.length,), "ANSWER_MALFORMED", TRY, 29),
)
HEAD = ("fault", "stage", "the caller sees", "stored of the stage", "then", "requests")
SECRETS = {
    "key": "sk-abcdefghijklmnopqrstuvwxyz012345",
    "github": "ghp_0123456789abcdefghijklmnopqrstuvwxyz",
    "aws": "AKIAIOSFODNN7EXAMPLE",
    "password": "hunter2-correct-horse",
    "bearer": "dGhpcyBpcyBhIGJlYXJlciB0b2tlbg",
}


def hive(number: int) -> tuple[str, ...]:
    """A session that teaches one thing."""
    return (
        f"user: I keep bees in hive number {number} behind the barn.",
        "assistant: How many frames does it have?",
        "user: Ten frames.",
        "assistant: Noted.",
    )


@dataclass(slots=True)
class Trial:
    """One fault in one stage, and a session of its own that it befalls."""

    space: Space
    server: OpenAIServer
    session_id: str
    schema: str
    injected: Injected
    wrong: list[str] = field(default_factory=list)

    def expect(self, what: str, *, holds: bool) -> None:
        """Note what is otherwise."""
        if not holds:
            self.wrong.append(f"{self.injected.name} in {STAGES[self.schema]}: {what}")

    async def row(self) -> tuple[str, ...]:
        """What a caller sees, as a row of the table."""
        self.server.chat.fail(self.schema, *self.injected.faults)
        await self.space.tell(self.session_id, *hive(int(self.session_id)))
        before = len(self.server.requests)
        steps = await self.space.run(self.session_id)
        requests = str(len(self.server.requests) - before)
        failed = [step.failure.partition(":")[0] for step in steps if step.failure]
        expected = [self.injected.reason] if self.injected.reason else []
        self.expect(f"the caller sees {failed}", holds=failed == expected)
        seen = await self._failed() if expected else ("-", "all", GOES_ON)
        await self._taught_once()
        return (self.injected.name, STAGES[self.schema], *seen, requests)

    async def _failed(self) -> tuple[str, str, str]:
        """What is told of the failure, what is stored, and when it is tried again."""
        (item,) = await self.space.failures(self.session_id)
        now = await self.space.status(self.session_id)
        self.expect("it counts as idle", holds=not now.idle)
        self.expect("the status", holds=[one.failed for one in now.stages].count(1) == 1)
        self.expect("something of the stage is stored", holds=await self._nothing_stored())
        tries = 0 if self.injected.then == WAITS else 1
        self.expect(f"{item.attempts} tries", holds=item.attempts == tries)
        wait_s = (item.due_time.ToDatetime(UTC) - datetime.now(UTC)).total_seconds()
        least_s = self.injected.wait_s_min - 2
        self.expect(f"it waits {wait_s:.0f} s", holds=least_s <= wait_s <= least_s + 5)
        self.expect("it is tried at once", holds=await self.space.run(self.session_id) == [])
        self.expect("it can be retried", holds=await self.space.retry(self.session_id) == 1)
        await self.space.run(self.session_id)
        state = work_pb2.WorkState.Name(item.state).removeprefix("WORK_STATE_")
        then = f"{self.injected.then}, again in {round(wait_s)} s"
        return f"{state} {self.injected.reason}", "nothing", then

    async def _nothing_stored(self) -> bool:
        """Whether nothing of the failed stage is there."""
        segments = await self.space.segments(self.session_id)
        if self.schema == SEGMENT:
            return not segments
        before = SegmentState.SEGMENT_STATE_NEW
        if self.schema == EXTRACT:
            before = SegmentState.SEGMENT_STATE_LABELLED
        learned = await self.space.memories(self.session_id)
        return [one.state for one in segments] == [before] and not learned

    async def _taught_once(self) -> None:
        """In the end the session has taught what it says, once."""
        memories = await self.space.memories(self.session_id)
        activities = await self.space.activities(self.session_id)
        self.expect("it taught", holds=(len(memories), len(activities)) == (1, 1))


@pytest.mark.long
@pytest.mark.timeout(120)
async def test_no_fault_of_the_model_looks_like_success(
    tmp_path: Path, record_property: Note
) -> None:
    async with openai_server() as server, chat_suite(server, tmp_path / "data") as suite:
        space = Space(suite.clients, "faults")
        cases = [(schema, injected) for schema in STAGES for injected in FAULTS]
        trials = [
            Trial(space, server, str(number), *case) for number, case in enumerate(cases, 100)
        ]
        rows = [await trial.row() for trial in trials]
        assert server.unscripted == []
    note_table(record_property, "faults of the chat model", [HEAD, *rows])
    assert [each for trial in trials for each in trial.wrong] == []


async def test_what_is_spent_is_what_the_server_counted(
    tmp_path: Path, record_property: Note
) -> None:
    async with openai_server() as server, chat_suite(server, tmp_path / "data") as suite:
        space = Space(suite.clients, "spent")
        server.chat.fail(EXTRACT, chat.half_document)
        for number in range(3):
            await space.tell(f"s-{number}", *hive(number))
        await space.run()
        usage = await space.usage()
        told = {
            one.purpose: ChatUsage(one.calls, one.input_tokens, one.output_tokens)
            for hour in usage.hours
            for one in hour.usages
        }
        assert told == server.spent
        assert set(told) == {"segment", "label", "extract"}
    rows = [("purpose", "calls", "tokens in", "tokens out", "calls a session")]
    rows += [
        (each, str(u.calls), str(u.input_tokens), str(u.output_tokens), f"{u.calls / 3:.2f}")
        for each, u in told.items()
    ]
    note_table(record_property, "spent on three sessions of four events, one repair", rows)


async def test_a_used_up_budget_is_told_waits_for_the_hour_and_goes_on(tmp_path: Path) -> None:
    few = {"ANAMNESIS_BUDGETS__MODEL_CALLS_PER_HOUR_MAX": "4"}
    async with openai_server() as server:
        async with chat_suite(server, tmp_path / "data", few) as suite:
            space = Space(suite.clients, "budget")
            await space.tell("s-0", *hive(0))
            await space.run()
            await space.tell("s-1", *hive(1))
            steps = await space.run()
            assert [step.failure.split(":")[0] for step in steps] == ["", "MODEL_BUDGET_EXHAUSTED"]
            (item,) = await space.failures()
            usage = await space.usage()
            assert (item.attempts, usage.calls_left) == (0, 0)
            turns_s = usage.reset_time.ToSeconds()
            assert turns_s - 2 <= item.due_time.ToSeconds() <= turns_s + 16
            assert len(server.requests) == 4
        async with chat_suite(server, tmp_path / "data") as suite:
            space = Space(suite.clients, "budget")
            assert await space.run() == []
            assert await space.retry() == 1
            await space.run()
            assert len(await space.memories("s-1")) == 1
            assert (await space.status()).idle


async def test_no_secret_reaches_the_model(tmp_path: Path) -> None:
    lines = (
        f"user: My key is {SECRETS['key']} and my GitHub token {SECRETS['github']}.",
        f"assistant: I export AWS_ACCESS_KEY_ID={SECRETS['aws']} for you.",
        'call: bash {"command":"curl -H \'Authorization: Bearer ' + SECRETS["bearer"] + "'\"}",
        f"tool: password='{SECRETS['password']}' accepted",
        f"user: 密钥是{SECRETS['key']}，请保存。",
        "user: I keep bees behind the barn.",
        "assistant: Noted.",
    )
    async with openai_server() as server, chat_suite(server, tmp_path / "data") as suite:
        space = Space(suite.clients, "secrets")
        await space.tell("s", *lines)
        steps = await space.run()
        assert [step.failure for step in steps] == ["", "", ""]
        assert len(await space.memories("s")) == 1
        sent = json.dumps([request.json for request in server.requests], ensure_ascii=False)
        assert "bees" in sent
        assert {name for name, secret in SECRETS.items() if secret in sent} == set()


@pytest.mark.long
@pytest.mark.timeout(120)
async def test_killed_in_the_middle_each_segment_teaches_once_and_nothing_is_lost(
    tmp_path: Path, record_property: Note
) -> None:
    generator = random.Random(11)
    settings = {
        "ANAMNESIS_MODELS__EMBEDDER": "static",
        "ANAMNESIS_INGESTION__PIPELINE_LEASE_S": "1",
        "ANAMNESIS_INGESTION__PIPELINE_EVERY_S": "0.05",
    }
    sessions, data_dir = 60, tmp_path / "data"
    said = "I live in Ghent and I bought {} hives."
    told = {f"s-{number}": said.format(number + 2) for number in range(sessions)}
    taught: list[int] = []
    for kill in range(KILLS + 1):
        process = await asyncio.to_thread(start, data_dir, "all", settings)
        async with clients_of(everywhere(process.address)) as clients:
            space = Space(clients, "killed")
            if not kill:
                for session_id, text in told.items():
                    await space.tell(session_id, f"user: {text}", "assistant: I see.")
            taught.append(len(await space.activities()))
            if kill < KILLS:
                await _some_more_taught(space, taught[-1])
                await asyncio.sleep(generator.uniform(0.05, 0.5))
                process.kill()
                continue
            await space.run()
            await _taught_once(space, told)
        assert await asyncio.to_thread(process.stop) == 0
    assert taught == sorted(taught)
    assert any(0 < count < sessions for count in taught), taught
    rows = [("start", "segments that had taught"), *enumerate((*taught, sessions))]
    note_table(record_property, f"killed {KILLS} times, then run to the end", rows)


async def _some_more_taught(space: Space, before: int) -> None:
    """Wait until a segment has taught since, if one does soon."""
    for _ in range(500):
        if len(await space.activities()) > before:
            return
        await asyncio.sleep(0.02)


async def _taught_once(space: Space, told: dict[str, str]) -> None:
    activities = [one.segment_id for one in await space.activities()]
    assert len(activities) == len(set(activities)) == len(told)
    assert (await space.status()).idle
    for session_id in told:
        contents = [memory.content for memory in await space.memories(session_id)]
        assert len(contents) == len(set(contents))
        assert any("hives" in content for content in contents)
