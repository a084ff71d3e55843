"""Two lives told in talk, learned by rules and by a model: what held on the day that is asked."""

import itertools
import json
import re
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.ingestion.v1 import ingestion_service_pb2 as ingestion_pb
from anamnesis.memory.v1 import event_pb2
from anamnesis.memory.v1 import knowledge_service_pb2 as knowledge_pb
from tests.support.chat_suite import EXTRACT, chat_suite
from tests.support.clients import Clients, clients_of, everywhere
from tests.support.openai_chat_script import Asked, Given
from tests.support.openai_server import openai_server
from tests.support.processes import start

DATA = Path(__file__).parents[1] / "data" / "told-life"
ME = "me"
NAMES = {
    "partner": {"has_partner"},
    "allergic_to": {"is_allergic_to"},
    "takes_medication": {"uses"},
    "rule": {"prefers", "requires"},
    "has_child": {"has_relative"},
}
"""What a relation of the questions is called among facts, where it is another name."""
QUESTIONS = 80
_EVENT = re.compile(r"^\[(\d+)\] user[^:]*: (.*)$", re.MULTILINE)

pytestmark = [pytest.mark.long, pytest.mark.timeout(300)]


@dataclass(frozen=True, slots=True)
class Score:
    """The questions that are answered wrongly: what was not found to hold, what held no more."""

    missing: list[str]
    stale: list[str]

    @property
    def right(self) -> int:
        """How many are answered rightly."""
        return QUESTIONS - len({*self.missing, *self.stale})


@asynccontextmanager
async def _by_rules(directory: Path) -> AsyncIterator[Clients]:
    settings = {"ANAMNESIS_INGESTION__PIPELINE_EVERY_S": "3600"}
    process = start(directory / "data", settings=settings)
    try:
        async with clients_of(everywhere(process.address)) as clients:
            yield clients
    finally:
        assert process.stop() == 0, "".join(process.output)


@asynccontextmanager
async def _by_model(directory: Path) -> AsyncIterator[Clients]:
    patient = {"ANAMNESIS_MODELS__CHAT_TIMEOUT_S": "30"}
    async with openai_server() as server, chat_suite(server, directory / "data", patient) as suite:
        server.chat.answer(EXTRACT, _taught)
        yield suite.clients


def _taught(asked: Asked) -> Given:
    lines = (DATA / "taught.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    shown = asked.prompt.rpartition("The task, event by event:")[2]
    facts = [
        _fact(row, int(number))
        for number, said in _EVENT.findall(shown)
        for row in rows
        if row[0] in said
    ]
    return {"facts": facts, "lessons": [], "procedures": [], "entities": []}


def _fact(row: list[str], number: int) -> dict[str, object]:
    said, subject, predicate, thing, course, begins, ends, replaces = row
    return {
        "statement": said if thing in said else f"{said}: {thing}",
        "subject": subject,
        "predicate": predicate,
        "object": thing,
        "kind": "other",
        "persons": [],
        "location": "",
        "course": course,
        "begins": begins,
        "ends": ends,
        "replaces": replaces,
        "sources": [number],
        "confidence": 0.9,
        "importance": 0.7,
    }


async def _told(clients: Clients, language: str) -> None:
    """The talk of a language, learned."""
    events = map(json.loads, (DATA / f"{language}.jsonl").read_text("utf-8").splitlines())
    for session, rows in itertools.groupby(events, lambda one: str(one["session"])):
        said = [
            event_pb2.Event(
                role=event_pb2.Role.Value(f"ROLE_{row['role'].upper()}"),
                content=row["content"],
                event_time=_at(row["time"]),
            )
            for row in rows
        ]
        request = ingestion_pb.AppendEventsRequest(
            namespace=language, session_id=session, user_id=ME, events=said
        )
        await clients.ingestion.AppendEvents(request)
    pipeline = ingestion_pb.RunPipelineRequest(namespace=language)
    assert not [one.failure async for one in clients.ingestion.RunPipeline(pipeline) if one.failure]


async def _score(clients: Clients) -> Score:
    score = Score([], [])
    for question in _questions():
        held = await _held(clients, question)
        if any(not any(one in each for each in held) for one in question["holds"]):
            score.missing.append(question["question"])
        if any(one in each for one in question["not"] for each in held):
            score.stale.append(question["question"])
    return score


async def _held(clients: Clients, question: Mapping[str, str]) -> list[str]:
    """The objects that held on the day asked about."""
    relation = question["relation"]
    request = knowledge_pb.ListFactsRequest(
        namespace=question["language"],
        caller=Caller(user_id=ME),
        subject=ME if question["subject"] == "narrator" else question["subject"],
        as_of=_at(f"{question['as_of']}T00:00:00Z"),
        page_size=500,
    )
    facts = [one.memory.fact for one in (await clients.knowledge.ListFacts(request)).facts]
    asked = NAMES.get(relation, {relation})
    return [one.object.lower() for one in facts if one.predicate in asked]


def _questions() -> Iterator[Mapping[str, str]]:
    return map(json.loads, (DATA / "questions.jsonl").read_text("utf-8").splitlines())


def _at(moment: str) -> Timestamp:
    made = Timestamp()
    made.FromDatetime(datetime.fromisoformat(moment))
    return made


async def test_rules_learn_most_of_a_life_and_little_that_is_stale(tmp_path: Path) -> None:
    async with _by_rules(tmp_path) as clients:
        for language in ("en", "zh"):
            await _told(clients, language)
        score = await _score(clients)
    assert score.right >= 78, score
    assert len(score.stale) <= 1, score


async def test_what_a_model_extracts_rightly_is_answered_rightly(tmp_path: Path) -> None:
    async with _by_model(tmp_path) as clients:
        for language in ("en", "zh"):
            await _told(clients, language)
        assert await _score(clients) == Score([], [])
