"""Tests of the chat client against a server that fails: no answer, late, cut, busy, refused.

After each fault: what the caller sees, how many requests were made, what is accounted. The
server's own bill is the measure: what the client reports is never less.
"""

import asyncio
import time
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from anamnesis_libs.errors import AnswerMalformed, ModelRefused, ModelUnavailable
from anamnesis_libs.models.chat import ChatUsage, Json, usage_of
from anamnesis_libs.models.openai_chat import OpenAIChat
from tests.support import openai_chat_script as script
from tests.support import openai_server as fake
from tests.support.chat_models import COUNTER, KEY, chat_on, request_for
from tests.support.openai_server import Fault, OpenAIServer

pytestmark = pytest.mark.long

GIVEN: dict[str, Json] = {"facts": ["Ann drinks tea.", 'She said "no".', "安喝茶。"]}
REQUEST = request_for("Ann: tea, please.")
PROMPT_TOKENS = COUNTER.count(f"{REQUEST.system}\n{REQUEST.user}")


@pytest_asyncio.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with fake.openai_server() as listening:
        listening.chat.answer("extract_facts", GIVEN)
        yield listening


@pytest_asyncio.fixture
async def model(server: OpenAIServer) -> AsyncIterator[OpenAIChat]:
    async with chat_on(server) as connected:
        yield connected


PASSING = {
    "busy": fake.status(429),
    "busy, says when": fake.status(429, retry_after_s=0),
    "broken": fake.status(500),
    "overloaded": fake.status(503),
    "cut connection": fake.cut,
    "hung up": fake.hung_up,
    "truncated body": fake.truncated_json,
    "no JSON": fake.body(b"<html>"),
    "another document": fake.body(b'{"choices": "none"}'),
    "an error under a 200": fake.body(b'{"error": {"message": "provider failed"}}'),
    "no choices": script.no_choices,
}
WITHOUT_TOKENS = {"busy", "busy, says when", "broken", "overloaded"}


@pytest.mark.parametrize("fault", PASSING)
async def test_a_failure_that_passes_is_not_noticed_but_on_the_bill(
    server: OpenAIServer, model: OpenAIChat, fault: str
) -> None:
    server.faults += [PASSING[fault]] * 2
    answer = await model.ask(REQUEST)
    assert (answer.data, answer.repaired) == (GIVEN, False)
    assert len(server.requests) == answer.usage.calls == 3
    tries_with_tokens = 1 if fault in WITHOUT_TOKENS else 3
    assert answer.usage.input_tokens == tries_with_tokens * PROMPT_TOKENS


@pytest.mark.parametrize("fault", PASSING)
async def test_a_failure_that_stays_is_reported_after_the_retries(
    server: OpenAIServer, model: OpenAIChat, fault: str
) -> None:
    server.faults += [PASSING[fault]] * 9
    told = r"chat model small at http.* does not answer \(tried 3 times"
    with pytest.raises(ModelUnavailable, match=told) as caught:
        await model.ask(REQUEST)
    assert len(server.requests) == caught.value.usage.calls == 3
    tokens = 0 if fault in WITHOUT_TOKENS else 3 * PROMPT_TOKENS
    assert caught.value.usage.input_tokens == tokens


@pytest.mark.parametrize(
    "fault",
    [fake.silence(5), fake.stalled(5), fake.dripping(0.05)],
    ids=["silent", "stalled", "dripping"],
)
async def test_a_time_out_is_of_the_whole_answer_and_its_prompt_is_accounted(
    server: OpenAIServer, fault: Fault
) -> None:
    async with chat_on(server, timeout_s=0.3) as model:
        server.faults += [fault] * 3
        with pytest.raises(
            ModelUnavailable, match=r"tried 3 times\): (API)?TimeoutError"
        ) as caught:
            await model.ask(REQUEST)
    assert caught.value.usage == ChatUsage(3, 3 * PROMPT_TOKENS, 0)
    assert len(server.requests) == 3


async def test_a_server_that_is_not_there_is_reported() -> None:
    async with chat_on(OpenAIServer()) as model:
        with pytest.raises(ModelUnavailable, match=r"does not answer \(tried 3 times\)"):
            await model.ask(REQUEST)


@pytest.mark.parametrize("code", [401, 403, 404])
async def test_a_server_that_refuses_us_is_not_asked_again(
    server: OpenAIServer, model: OpenAIChat, code: int
) -> None:
    server.faults.append(fake.status(code, message=f"no entry for {KEY}"))
    with pytest.raises(ModelUnavailable, match=r"refuses .*see models\.chat_base_url") as caught:
        await model.ask(REQUEST)
    assert KEY not in caught.value.message
    assert "no entry for ***" in caught.value.message
    assert caught.value.usage == ChatUsage(1)


async def test_after_failures_in_a_row_the_server_is_left_alone_for_a_while(
    server: OpenAIServer, model: OpenAIChat
) -> None:
    server.faults += [fake.status(500)] * 9
    for _ in range(3):
        with pytest.raises(ModelUnavailable, match="does not answer"):
            await model.ask(REQUEST)
    with pytest.raises(ModelUnavailable, match="left alone") as caught:
        await model.ask(REQUEST)
    assert len(server.requests) == 9
    assert caught.value.usage == ChatUsage()
    await asyncio.sleep(caught.value.retry_after_s)
    assert (await model.ask(REQUEST)).data == GIVEN
    assert (await model.ask(REQUEST)).data == GIVEN
    assert len(server.requests) == 11


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (script.refusal, ModelRefused),
        (script.length, AnswerMalformed),
        (fake.status(400, message="content_filter"), ModelRefused),
    ],
    ids=["refused", "cut short", "stopped by a filter"],
)
async def test_answers_of_no_use_show_that_the_server_is_well(
    server: OpenAIServer, model: OpenAIChat, fault: Fault, error: type[Exception]
) -> None:
    server.faults += [*[fake.status(500)] * 6, fault, *[fake.status(500)] * 3]
    for expected in (ModelUnavailable, ModelUnavailable, error, ModelUnavailable):
        with pytest.raises(expected):
            await model.ask(REQUEST)
    assert (await model.ask(REQUEST)).data == GIVEN


async def test_no_more_requests_run_at_once_than_are_set(server: OpenAIServer) -> None:
    async with chat_on(server, calls_max=2) as model:
        server.faults += [fake.silence(0.2)] * 5
        answers = await asyncio.gather(*(model.ask(REQUEST) for _ in range(5)))
    assert [answer.data for answer in answers] == [GIVEN] * 5
    assert (len(server.requests), server.at_once_max) == (5, 2)


async def test_a_cancelled_call_tells_what_it_spent_and_gives_its_place_back(
    server: OpenAIServer,
) -> None:
    async with chat_on(server, calls_max=1) as model:
        server.faults += [fake.status(500), fake.silence(5)]
        asked = asyncio.create_task(model.ask(REQUEST))
        await server.arrived(2)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError) as caught:
            await asked
        assert usage_of(caught.value) == ChatUsage(2, PROMPT_TOKENS, 0)
        assert (await model.ask(REQUEST)).data == GIVEN


async def test_retry_after_is_waited_for_or_passed_on(
    server: OpenAIServer, model: OpenAIChat
) -> None:
    server.faults.append(fake.status(429, retry_after_s=0.3))
    started_s = time.monotonic()
    await model.ask(REQUEST)
    assert time.monotonic() - started_s >= 0.3
    server.faults.append(fake.status(429, retry_after_s=120))
    with pytest.raises(ModelUnavailable) as caught:
        await model.ask(REQUEST)
    assert caught.value.retry_after_s == 120
    assert caught.value.usage == ChatUsage(1)
    assert len(server.requests) == 3


async def test_calls_under_way_and_later_end_when_the_model_is_closed(
    server: OpenAIServer, model: OpenAIChat
) -> None:
    server.faults.append(fake.silence(5))
    asked = asyncio.create_task(model.ask(REQUEST))
    await server.arrived(1)
    await model.close()
    with pytest.raises(ModelUnavailable, match="is being closed") as caught:
        await asked
    assert caught.value.usage == ChatUsage(1, PROMPT_TOKENS)
    with pytest.raises(ModelUnavailable, match="is being closed"):
        await model.ask(REQUEST)
    assert len(server.requests) == 1


ALL_FAULTS = {
    **PASSING,
    "fenced": script.fenced,
    "thinking": script.thinking,
    "bad escapes": script.bad_escapes,
    "half a document": script.half_document,
    "wrong schema": script.wrong_schema,
    "no words": script.no_words,
    "refusal": script.refusal,
    "filtered": script.filtered,
    "cut short": script.length,
    "refused": fake.status(400),
}


@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize("fault", ALL_FAULTS.values(), ids=ALL_FAULTS.keys())
async def test_no_fault_gives_another_answer_than_the_right_one(
    server: OpenAIServer, model: OpenAIChat, fault: Fault, times: int
) -> None:
    server.faults += [fault] * times
    data: Json = GIVEN
    try:
        answer = await model.ask(REQUEST)
        data, usage = answer.data, answer.usage
    except (ModelUnavailable, ModelRefused, AnswerMalformed) as error:
        usage = error.usage
    assert data == GIVEN
    assert usage.calls == len(server.requests) > 0
