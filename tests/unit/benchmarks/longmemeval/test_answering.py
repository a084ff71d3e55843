"""Answers and their marks from a real server: what is asked, and that no failure is a mark."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from benchmarks.longmemeval.answering import LENIENT, STRICT, Examiner
from benchmarks.longmemeval.dataset import Case, read
from tests.support.chat_models import chat_on
from tests.support.longmemeval_file import CHOIR, KILN, VIOLIN, Element, write_file
from tests.support.openai_chat_script import refusal
from tests.support.openai_server import OpenAIServer, openai_server, status

ANSWER, LENIENT_MARK, STRICT_MARK = "extract_answer", "label_lenient", "label_strict"
CONTEXT = "Thursday 2026-03-05, user: a celadon glaze"
RIGHT = {"reason": "It says so.", "right": True}
WRONG = {"reason": "It does not.", "right": False}


@asynccontextmanager
async def _examiner() -> AsyncIterator[tuple[OpenAIServer, Examiner]]:
    """An examiner whose reader and judge are one model, which knows of a glaze."""
    async with openai_server() as server, chat_on(server) as model:
        server.chat.answer(ANSWER, {"answer": "celadon"})
        server.chat.answer(STRICT_MARK, WRONG)
        server.chat.answer(LENIENT_MARK, RIGHT)
        yield server, Examiner(model, model)


def _case(tmp_path: Path, element: Element) -> Case:
    return next(read(write_file(tmp_path / "made.json", element)))


def _prompts(server: OpenAIServer) -> list[str]:
    return [str(request.json["messages"]) for request in server.requests]


async def test_an_answer_is_read_from_the_context_and_marked_twice(tmp_path: Path) -> None:
    async with _examiner() as (server, examiner):
        answered = await examiner.examine(_case(tmp_path, KILN), CONTEXT)
    assert answered.answer == "celadon"
    assert answered.marks == {STRICT: False, LENIENT: True}
    assert answered.failure == ""
    reading, *marking = _prompts(server)
    assert CONTEXT in reading
    assert "Friday, 2026-03-20 18:40" in reading
    assert "a celadon glaze" not in reading.replace(CONTEXT, "")
    assert len(marking) == 2
    for prompt in marking:
        assert "a celadon glaze" in prompt
        assert CONTEXT not in prompt


async def test_a_type_of_question_has_its_rule(tmp_path: Path) -> None:
    async with _examiner() as (server, examiner):
        await examiner.examine(_case(tmp_path, CHOIR), "")
    assert "nothing is remembered" in _prompts(server)[0]
    assert "what held before is right" in _prompts(server)[1]


async def test_what_cannot_be_answered_is_marked_once_for_both(tmp_path: Path) -> None:
    async with _examiner() as (server, examiner):
        server.chat.answer(ANSWER, {"answer": "I do not know."})
        server.chat.answer("label_abstention", RIGHT)
        answered = await examiner.examine(_case(tmp_path, VIOLIN), "")
    assert answered.marks == {STRICT: True, LENIENT: True}
    assert len(server.requests) == 2


@pytest.mark.parametrize("fails", [ANSWER, STRICT_MARK, LENIENT_MARK])
async def test_a_call_that_fails_leaves_no_mark_and_is_told(
    tmp_path: Path, fails: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async with _examiner() as (server, examiner):
        server.chat.fail(fails, *[status(500)] * 3)
        failed = await examiner.examine(_case(tmp_path, KILN), CONTEXT)
        again = await examiner.examine(_case(tmp_path, KILN), CONTEXT)
    assert failed.failure.startswith("MODEL_UNAVAILABLE")
    assert LENIENT not in failed.marks
    assert (STRICT in failed.marks) is (fails == LENIENT_MARK)
    assert "kiln has no mark" in capsys.readouterr().err
    assert (again.marks, again.failure) == ({STRICT: False, LENIENT: True}, "")


async def test_a_model_that_declines_or_keeps_to_no_form_fails(tmp_path: Path) -> None:
    async with _examiner() as (server, examiner):
        server.chat.fail(STRICT_MARK, refusal)
        declined = await examiner.examine(_case(tmp_path, KILN), CONTEXT)
        server.chat.answer(STRICT_MARK, lambda _: {"right": "yes"})
        formless = await examiner.examine(_case(tmp_path, KILN), CONTEXT)
    assert declined.failure.startswith("MODEL_REFUSED")
    assert formless.failure.startswith("ANSWER_MALFORMED")
