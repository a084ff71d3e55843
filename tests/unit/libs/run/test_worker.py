"""The process that learns: started late, bounded, replaced when it dies."""

import os
import signal
import subprocess
import sys
from datetime import UTC, datetime

import pytest

from anamnesis.memory.v1 import event_pb2
from anamnesis_ingestion.convert.ledger import to_event
from anamnesis_ingestion.learning.knowledge import ExtractionInput, Refused
from anamnesis_ingestion.learning.local.extractor import LocalExtractor
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role
from anamnesis_libs.run.worker import Overran, Worker

pytestmark = pytest.mark.long

AT = datetime(2024, 5, 15, tzinfo=UTC)


def spin(text: str) -> str:
    """Take for ever over one text."""
    while text == "spin":
        pass
    return text


def own_process(_: str) -> int:
    return os.getpid()


async def test_what_takes_too_long_ends_the_process_and_the_next_has_a_new_one() -> None:
    worker = Worker(processor_s_max=1)
    first = await worker.run(own_process, "")
    with pytest.raises(Overran):
        await worker.run(spin, "spin")
    assert await worker.run(spin, "on") == "on"
    second = await worker.run(own_process, "")
    worker.close()
    assert len({first, second, os.getpid()}) == 3


async def test_a_process_that_others_end_is_started_again() -> None:
    worker = Worker()
    os.kill(await worker.run(own_process, ""), signal.SIGKILL)
    assert await worker.run(spin, "on") == "on"
    worker.close()


class Slow(Worker):
    """A worker for which one text takes too long."""

    async def run(self, work, about):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
        if any("slow" in event.content for event in about.events):
            raise Overran
        return await super().run(work, about)


async def test_only_the_text_that_takes_too_long_teaches_nothing() -> None:
    said = ("I live in Rome.", "slow", "I am allergic to nuts.")
    events = [
        LedgerEvent(role=Role.USER, content=text, event_time=AT, index=at)
        for at, text in enumerate(said)
    ]
    worker = Slow()
    knowledge = await LocalExtractor(worker).learn(ExtractionInput(events=events))
    worker.close()
    assert [fact.object for fact in knowledge.facts] == ["Rome", "nuts"]
    assert knowledge.refusals == {Refused.OVERRAN: 1}


async def test_events_are_learned_from_as_memory_sends_them() -> None:
    sent = event_pb2.Event(role=event_pb2.ROLE_USER, content="I live in Rome.", index=0)
    sent.embedding.append(0.5)
    event = to_event(sent, "event")
    worker = Worker()
    knowledge = await LocalExtractor(worker).learn(ExtractionInput(events=[event], context=[event]))
    worker.close()
    assert [fact.object for fact in knowledge.facts] == ["Rome"]


def test_who_never_learns_never_loads_the_parser() -> None:
    code = (
        "import sys, anamnesis_ingestion.wiring;"
        "sys.exit(any(name.split('.')[0] in {'spacy', 'thinc'} for name in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=False, env={"PYTHONPATH": ":".join(sys.path)}
    )
    assert done.returncode == 0
