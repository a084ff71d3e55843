"""Tests of the chat client against a real server: what is asked, and answers good and bad.

After each fault: what the caller sees, how many requests were made, what is accounted. The
server's own bill is the measure: what the client reports is never less.
"""

from collections import deque
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from anamnesis_libs.errors import AnswerMalformed, ModelRefused, ModelUnavailable, PromptTooLong
from anamnesis_libs.models.chat import ChatAnswer, ChatUsage, Json
from anamnesis_libs.models.openai_chat import AGAIN, OpenAIChat
from tests.support import openai_chat_script as script
from tests.support import openai_server as fake
from tests.support.chat_models import COUNTER, FACTS, KEY, chat_on, request_for
from tests.support.openai_chat_script import Reply
from tests.support.openai_server import Fault, OpenAIServer

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


async def test_an_answer_that_fits_comes_back_with_the_servers_usage(
    server: OpenAIServer, model: OpenAIChat
) -> None:
    answer = await model.ask(REQUEST)
    assert answer == ChatAnswer(GIVEN, server.spent["extract"], repaired=False)
    assert answer.usage.calls == 1
    assert answer.usage.input_tokens == PROMPT_TOKENS
    assert answer.usage.output_tokens > 10
    assert model.name == "openai:small"


async def test_what_is_asked_is_sent_and_held_to_the_schema(
    server: OpenAIServer, model: OpenAIChat
) -> None:
    await model.ask(REQUEST)
    (request,) = server.requests
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in str(request.json)
    assert request.json == {
        "model": "small",
        "messages": [
            {"role": "system", "content": "List the facts."},
            {"role": "user", "content": "Ann: tea, please."},
        ],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "extract_facts", "schema": FACTS, "strict": True},
        },
        "temperature": 0.0,
        "max_tokens": 200,
    }


async def test_no_request_asks_for_more_than_the_cap(server: OpenAIServer) -> None:
    async with chat_on(server, output_tokens_max=150) as model:
        await model.ask(REQUEST)
    assert server.requests[-1].json["max_tokens"] == 150


READ_AS_THEY_ARE = {
    "in a fence": script.fenced,
    "behind its thinking": script.thinking,
    "before prose": script.with_prose,
}


@pytest.mark.parametrize("fault", READ_AS_THEY_ARE.values(), ids=READ_AS_THEY_ARE.keys())
async def test_what_real_models_put_around_it_is_left_out(
    server: OpenAIServer, model: OpenAIChat, fault: Fault
) -> None:
    server.faults.append(fault)
    answer = await model.ask(REQUEST)
    assert (answer.data, answer.repaired) == (GIVEN, False)
    assert answer.usage == server.spent["extract"]
    assert len(server.requests) == 1


BROKEN = {
    "bad escapes": (script.bad_escapes, r"Invalid \\escape"),
    "half a document": (script.half_document, "Unterminated string|delimiter|Expecting"),
    "another schema": (script.wrong_schema, r"\$: additionalProperties; \$: required"),
    "no words": (script.no_words, "does not begin with a JSON document"),
    "a list": (script.rewritten(lambda text: f"[{text}]"), r"\$: type"),
    "two documents": (script.rewritten(lambda text: f"{text}\n{text}"), "second document"),
}


@pytest.mark.parametrize("fault", [fault for fault, _ in BROKEN.values()], ids=BROKEN.keys())
async def test_a_broken_answer_is_shown_to_the_model_which_repairs_it(
    server: OpenAIServer, model: OpenAIChat, fault: Fault
) -> None:
    server.faults.append(fault)
    answer = await model.ask(REQUEST)
    assert (answer.data, answer.repaired) == (GIVEN, True)
    assert answer.usage == server.spent["extract"]
    assert answer.usage.calls == len(server.requests) == 2
    assert server.requests[1].json["response_format"] == server.requests[0].json["response_format"]


@pytest.mark.parametrize(("fault", "rule"), BROKEN.values(), ids=BROKEN.keys())
async def test_an_answer_that_stays_broken_is_an_error_and_never_quoted(
    server: OpenAIServer, model: OpenAIChat, fault: Fault, rule: str
) -> None:
    server.faults += [fault] * 9
    with pytest.raises(AnswerMalformed, match=rule) as caught:
        await model.ask(REQUEST)
    assert caught.value.usage == server.spent["extract"]
    assert caught.value.usage.calls == len(server.requests) == 2
    assert "tea" not in caught.value.message
    assert caught.value.metadata == {"model": "openai:small", "schema": "extract_facts"}


async def test_a_repair_shows_the_answer_and_what_is_wrong_with_it(
    server: OpenAIServer, model: OpenAIChat
) -> None:
    server.chat.answer("extract_facts", deque([{"facts": ["a", 7], "more": 1}, {"facts": []}]))
    assert (await model.ask(REQUEST)).data == {"facts": []}
    first, second = (request.json["messages"] for request in server.requests)
    assert isinstance(first, list)
    assert isinstance(second, list)
    assert second[:2] == first
    assert second[2] == {"role": "assistant", "content": '{"facts": ["a", 7], "more": 1}'}
    assert "7 is not of type 'string'" in second[3]["content"]
    assert "'more' was unexpected" in second[3]["content"]
    assert second[3]["content"].endswith(AGAIN)


async def test_a_repair_that_does_not_reach_the_server_is_unavailable(
    server: OpenAIServer, model: OpenAIChat
) -> None:
    server.faults += [script.half_document, *[fake.status(500)] * 3]
    with pytest.raises(ModelUnavailable) as caught:
        await model.ask(REQUEST)
    assert caught.value.usage == server.spent["extract"]
    assert caught.value.usage.calls == 4
    assert caught.value.usage.output_tokens > 0


async def test_a_repair_whose_answer_is_lost_is_accounted_with_what_it_showed(
    server: OpenAIServer, model: OpenAIChat
) -> None:
    server.faults += [script.half_document, *[fake.hung_up] * 3]
    with pytest.raises(ModelUnavailable) as caught:
        await model.ask(REQUEST)
    shown = server.spent["extract"].output_tokens // 4
    assert caught.value.usage.input_tokens > PROMPT_TOKENS + 3 * (PROMPT_TOKENS + shown)


@pytest.mark.parametrize("fault", [script.refusal, script.filtered], ids=["refused", "filtered"])
@pytest.mark.parametrize("before", [0, 1], ids=["at once", "in the repair"])
async def test_a_refusal_is_told_and_not_asked_again(
    server: OpenAIServer, model: OpenAIChat, fault: Fault, before: int
) -> None:
    server.faults += [*[script.half_document] * before, fault]
    with pytest.raises(ModelRefused, match="declined to answer extract_facts") as caught:
        await model.ask(REQUEST)
    assert caught.value.usage == server.spent["extract"]
    assert caught.value.usage.calls == len(server.requests) == before + 1


async def test_a_prompt_that_a_filter_stops_is_refused(
    server: OpenAIServer, model: OpenAIChat
) -> None:
    server.faults.append(fake.status(400, message="triggered the content management policy"))
    with pytest.raises(ModelRefused) as caught:
        await model.ask(REQUEST)
    assert caught.value.usage == ChatUsage(1)


async def test_an_answer_cut_short_is_malformed_even_where_it_can_be_read(
    server: OpenAIServer, model: OpenAIChat
) -> None:
    server.chat.answer("extract_facts", deque([Reply('{"facts": []}', "length")]))
    with pytest.raises(AnswerMalformed, match="cut short at 200 tokens") as caught:
        await model.ask(REQUEST)
    assert caught.value.usage == server.spent["extract"]
    with pytest.raises(AnswerMalformed, match="cut short at 4 tokens"):
        await model.ask(request_for("Ann: tea, please.", output_tokens_max=4))
    assert len(server.requests) == 2


async def test_usage_that_is_not_told_is_counted(server: OpenAIServer, model: OpenAIChat) -> None:
    told = (await model.ask(REQUEST)).usage
    server.chat.without_usage = True
    assert (await model.ask(REQUEST)).usage == told


async def test_a_prompt_beyond_the_budget_is_not_sent(server: OpenAIServer) -> None:
    async with chat_on(server, input_tokens_max=PROMPT_TOKENS) as model:
        assert (await model.ask(REQUEST)).data == GIVEN
        with pytest.raises(PromptTooLong, match=f"{PROMPT_TOKENS + 1} tokens.*split") as caught:
            await model.ask(request_for("Ann: tea, please. Now"))
        with pytest.raises(PromptTooLong, match="at least "):
            await model.ask(request_for("tea " * 1000))
    assert caught.value.usage == ChatUsage()
    assert caught.value.metadata == {"tokens_max": str(PROMPT_TOKENS)}
    assert len(server.requests) == 1


async def test_a_prompt_beyond_the_models_own_window_is_told_apart(
    server: OpenAIServer, model: OpenAIChat
) -> None:
    told = "This model's maximum context length is 4096 tokens"
    server.faults.append(fake.status(400, message=told))
    with pytest.raises(PromptTooLong, match=r"lower models\.llm_max_input_tokens") as caught:
        await model.ask(REQUEST)
    assert caught.value.usage == ChatUsage(1)
    assert len(server.requests) == 1


async def test_a_long_answer_is_shown_for_repair_as_far_as_there_is_room(
    server: OpenAIServer,
) -> None:
    long = Reply('{"facts": "' + "tea and cake. " * 1500 + '"}')
    server.chat.answer("extract_facts", deque([long, GIVEN]))
    async with chat_on(server, input_tokens_max=2000, output_tokens_max=10_000) as model:
        answer = await model.ask(request_for("Ann: tea, please.", output_tokens_max=10_000))
    assert answer.repaired
    messages = server.requests[1].json["messages"]
    assert isinstance(messages, list)
    assert 1000 < COUNTER.count(messages[2]["content"]) <= 2000 - PROMPT_TOKENS
