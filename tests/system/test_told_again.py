"""Facts of others that were replaced, asked for without a word of time: the newest comes first.

FactConsolidation of MemoryAgentBench: numbered facts, where one replaces another with the same
beginning; each is said as a line of a conversation.
"""

import json
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.ingestion.v1 import ingestion_service_pb2 as ingestion_pb
from anamnesis.memory.v1 import event_pb2
from anamnesis.retrieval.v1 import retrieval_service_pb2 as retrieval_pb
from tests.support.clients import Clients, clients_of, everywhere
from tests.support.processes import start

DATA = Path(__file__).parents[3] / "shared" / "data" / "factconsolidation-dev.json"
ME = Caller(user_id="u")
FACTS = 455
Told = tuple[int, str]
Pair = tuple[str, list[str], list[str]]

pytestmark = pytest.mark.long


@pytest.fixture
async def clients(tmp_path: Path) -> AsyncIterator[Clients]:
    """A suite of its own that learns nothing."""
    process = start(tmp_path / "data", settings={"ANAMNESIS_INGESTION__PIPELINE_EVERY_S": "3600"})
    try:
        async with clients_of(everywhere(process.address)) as made:
            yield made
    finally:
        assert process.stop() == 0, "".join(process.output)


def _read() -> tuple[list[Told], list[Pair]]:
    """The facts, and each question with its newest answers and the lines that those replaced."""
    sets = json.loads(DATA.read_text(encoding="utf-8"))
    for one in sets:
        lines = re.findall(r"^(\d+)\. (.*)$", one["context"], re.MULTILINE)
        if one["hops"] == "single" and len(lines) == FACTS:
            facts = [(int(number), text) for number, text in lines]
            asked = zip(one["questions"], one["answers"], strict=True)
            return facts, [
                (question, answers, older)
                for question, answers in asked
                if (older := _replaced(question, answers, facts))
            ]
    raise AssertionError("the set is another one")


def _replaced(question: str, answers: list[str], facts: list[Told]) -> list[str]:
    """The lines that begin as the newest answering line does, and came before it."""
    found: tuple[float, int, str, str] = (0.0, -1, "", "")
    for number, text in facts:
        for answer in answers:
            if text.rstrip(".").endswith(answer):
                stem = text.rstrip(".")[: -len(answer)]
                names = re.findall(r"[A-Z]\w+|\w{5,}", stem)
                share = sum(name.lower() in question.lower() for name in names) / max(1, len(names))
                found = max(found, (share, number, text, stem))
    share, newest, text, stem = found
    if share < 0.5:
        return []
    return [
        one for number, one in facts if number < newest and one.startswith(stem) and one != text
    ]


async def _say(clients: Clients, facts: list[Told]) -> str:
    revision = ""
    for first in range(0, len(facts), 200):
        events = [
            event_pb2.Event(
                role=event_pb2.ROLE_USER,
                content=text,
                event_time=Timestamp(seconds=1_700_000_000 + number * 60),
            )
            for number, text in facts[first : first + 200]
        ]
        request = ingestion_pb.AppendEventsRequest(
            namespace="facts", session_id="told", user_id=ME.user_id, events=events
        )
        revision = (await clients.ingestion.AppendEvents(request)).revision
    return revision


@pytest.mark.skipif(not DATA.exists(), reason=f"{DATA.name} is not there")
async def test_the_newest_telling_is_first_in_results_and_contexts(clients: Clients) -> None:
    facts, pairs = _read()
    revision = await _say(clients, facts)
    newest = stale = told = 0
    for question, answers, older in pairs:
        common = {"namespace": "facts", "query": question, "caller": ME}
        search = retrieval_pb.SearchRequest(**common, limit=10, at_least_revision=revision)  # type: ignore[arg-type]
        results = (await clients.retrieval.Search(search)).results
        found = [one.memory.summary for one in results]
        context = retrieval_pb.BuildContextRequest(**common, token_budget=300)  # type: ignore[arg-type]
        text = (await clients.retrieval.BuildContext(context)).text
        old = min(
            (text.find(one.rstrip(".")) for one in older if one.rstrip(".") in text), default=-1
        )
        new = min((text.find(one) for one in answers if one in text), default=-1)
        newest += any(found[0].rstrip(".").endswith(one) for one in answers)
        stale += found[0] in older
        told += new >= 0 and (old < 0 or new < old)
    assert len(pairs) == 74
    assert newest >= 0.9 * len(pairs)
    assert stale <= 0.02 * len(pairs)
    assert told >= 0.9 * len(pairs)
