"""Benchmarks of others against a running suite: files of LongMemEval's, a runner's memory."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from pathlib import Path

import grpc
import pytest
from click.testing import CliRunner, Result

from benchmarks.longmemeval.__main__ import main
from benchmarks.provider import Document, Message, Provider
from tests.support.longmemeval_file import write_file
from tests.support.openai_chat_script import Asked
from tests.support.openai_server import OpenAIServer, openai_server, status
from tests.support.processes import start

STATIC = {"ANAMNESIS_MODELS__EMBEDDER": "static"}
MAY = datetime(2026, 5, 1, 9, tzinfo=UTC)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a suite of its own is."""
    process = start(tmp_path_factory.mktemp("suite") / "data", settings=STATIC)
    yield process.address
    assert process.stop() == 0, "".join(process.output)


@pytest.fixture
async def models() -> AsyncIterator[OpenAIServer]:
    """A reader that repeats what it remembers, and a judge that looks the reference up in it."""
    async with openai_server() as server:
        server.chat.answer("extract_answer", _repeated)
        server.chat.answer("label_strict", {"reason": "strict", "right": False})
        server.chat.answer("label_lenient", _held)
        server.chat.answer("label_abstention", {"reason": "It gives nothing.", "right": True})
        yield server


def _repeated(asked: Asked) -> dict[str, object]:
    return {"answer": asked.prompt.split("<memory ")[1]}


def _held(asked: Asked) -> dict[str, object]:
    """A mark by whether the answer holds the reference word for word."""
    reference = asked.prompt.split("<reference ")[1].splitlines()[1]
    answer = asked.prompt.split("<answer ")[1]
    return {"reason": "It is looked up.", "right": reference in answer}


async def _invoked(*arguments: str) -> Result:
    """The command in a thread, since the models' server runs in this one."""
    return await asyncio.to_thread(CliRunner().invoke, main, arguments, catch_exceptions=False)


async def test_a_file_is_asked_and_its_answers_are_marked(
    address: str, models: OpenAIServer, tmp_path: Path
) -> None:
    file, figures = write_file(tmp_path / "made.json"), tmp_path / "figures.json"
    reader = ("--reader-url", models.base_url, "--reader-model", "small")
    run = await _invoked(
        *(str(file), "--server", address, *reader),
        *("--k", "1,5", "--at-once", "2", "--json", str(figures)),
    )
    assert run.exit_code == 0, run.output
    assert "made: 5 questions, 27 turns" in run.output
    written = json.loads(figures.read_text())
    assert written["recall"]["all"]["questions"] == 4
    assert written["recall"]["all"]["session all@5"] == 100.0
    assert written["recall"]["single-session-user"]["turn any@1"] == 100.0
    contexts = written["contexts"]["1000"]["anamnesis"]
    assert contexts["single-session-user"]["readable"] == 100.0
    assert contexts["all"]["over budget"] == 0.0
    answers = {question["question_id"]: question for question in written["questions"]}
    assert (answers["kiln"]["lenient"], answers["kiln"]["strict"]) == (True, False)
    assert answers["cha"]["lenient"] is True
    assert (answers["violin_abs"]["lenient"], answers["violin_abs"]["strict"]) == (True, True)
    assert written["answers"]["all"]["strict"] == 20.0
    assert models.unscripted == []
    assert models.at_once_max <= 2


async def test_a_failing_model_is_counted_and_ends_the_command_with_one(
    address: str, models: OpenAIServer, tmp_path: Path
) -> None:
    models.chat.fail("label_lenient", status(403))
    file = write_file(tmp_path / "made.json")
    reader = ("--reader-url", models.base_url, "--reader-model", "small")
    run = await _invoked(str(file), "--server", address, *reader, "--at-once", "1", "--limit", "2")
    assert run.exit_code == 1
    assert "kiln has no mark: MODEL_UNAVAILABLE" in run.output
    assert "no mark, 1 of 2: MODEL_UNAVAILABLE" in run.output
    assert "1 of 2 questions have no mark" in run.output


def test_a_runner_ingests_and_retrieves(address: str) -> None:
    memory = Provider(address, "runner")
    memory.ingest(
        [
            Document("nuts", "I am allergic to walnuts.", "ann", MAY),
            Document("tuba", "I play the tuba in a brass band.", "ann", MAY, session="music"),
            Document("tuba", "I have sold my tuba.", "bob", MAY, session="music"),
            Document(
                "trip",
                "",
                "ann",
                MAY,
                session="music",
                messages=[
                    Message("user", "Our band goes to Ghent. Where could a tuba stay?"),
                    Message("assistant", "A tuba may stay at the station in Ghent."),
                ],
            ),
        ]
    )
    found = memory.retrieve("Who plays the tuba?", k=5, user="ann", time=MAY)
    assert {each.document.id for each in found} >= {"tuba", "trip"}
    assert len({each.document.id for each in found}) == len(found)
    assert {each.document.user for each in found} == {"ann"}
    assert [each.score for each in found] == sorted((each.score for each in found), reverse=True)
    assert len(memory.retrieve("Who plays the tuba?", k=1, user="ann")) == 1
    assert memory.retrieve("Who plays the tuba?") == []
    assert memory.degraded == []
    memory.cleanup()


def test_a_runner_starts_anew_and_sends_again(address: str) -> None:
    memory = Provider(address, "runner-again")
    memory.reset()
    bees = Document("bees", "I keep bees on the roof.", "ann", MAY)
    with pytest.raises(grpc.RpcError):
        memory.ingest([bees, Document("nothing", "", "ann", MAY)])
    memory.ingest([bees, bees])
    assert [each.document for each in memory.retrieve("bees", user="ann")] == [bees]
    with pytest.raises(ValueError, match="bees"):
        memory.ingest([Document("bees", "I keep none.", "ann", MAY)])
    memory.reset()
    memory.ingest([Document("bees", "Bees are for everybody.")])
    assert [each.document.text for each in memory.retrieve("bees")] == ["Bees are for everybody."]
    memory.reset()
    memory.cleanup()
