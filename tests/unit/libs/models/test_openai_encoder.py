"""Tests of the OpenAI embedder against a real server that fails on demand."""

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import replace

import numpy as np
import pytest
import pytest_asyncio

from anamnesis_libs.errors import ModelUnavailable
from anamnesis_libs.models.openai_calls import Retries
from anamnesis_libs.models.openai_encoder import BLANK, OpenAIEncoder, OpenAIServer, load
from tests.support import openai_server as fake
from tests.support.openai_server import DIMENSION

FAST = Retries(2, first_s=0.01, longest_s=0.02, failures_max=3, open_s=1.0)


@pytest_asyncio.fixture
async def server() -> AsyncIterator[fake.OpenAIServer]:
    async with fake.openai_server() as listening:
        yield listening


def where(server: fake.OpenAIServer, dimension: int | None = DIMENSION) -> OpenAIServer:
    return OpenAIServer(server.base_url, "the key", "small", dimension, timeout_s=5)


@pytest_asyncio.fixture
async def encoder(server: fake.OpenAIServer) -> AsyncIterator[OpenAIEncoder]:
    connected = await load(where(server), FAST)
    yield connected
    await connected.close()


def unit(text: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    vector = np.array(fake.vector_of(text))
    scaled: np.ndarray[tuple[int], np.dtype[np.float64]] = vector / np.linalg.norm(vector)
    return scaled


async def test_vectors_are_the_servers_at_unit_length(
    server: fake.OpenAIServer, encoder: OpenAIEncoder
) -> None:
    rows = await encoder.encode(["tea", "coffee"])
    assert rows == pytest.approx(np.stack([unit("tea"), unit("coffee")]), abs=1e-6)
    (request,) = server.requests
    assert request.json["input"] == ["tea", "coffee"]
    assert request.json["model"] == "small"
    assert request.headers["authorization"] == "Bearer the key"
    assert encoder.model == f"openai:small:{DIMENSION}"


async def test_a_length_that_is_not_set_is_learnt_and_not_sent(server: fake.OpenAIServer) -> None:
    encoder = await load(where(server, None), FAST)
    assert encoder.dimension == DIMENSION
    await encoder.encode(["tea"])
    assert "dimensions" not in server.requests[-1].json
    await encoder.close()


async def test_a_length_that_is_set_is_sent_and_not_asked_for(server: fake.OpenAIServer) -> None:
    encoder = await load(where(server, 16), FAST)
    assert server.requests == []
    assert (await encoder.encode(["tea"])).shape == (1, 16)
    assert server.requests[-1].json["dimensions"] == 16
    await encoder.close()


async def test_a_blank_text_is_sent_as_words(
    server: fake.OpenAIServer, encoder: OpenAIEncoder
) -> None:
    await encoder.encode(["", " \n"])
    assert server.requests[-1].json["input"] == [BLANK, BLANK]


async def test_a_text_beyond_the_window_is_the_mean_of_its_windows(
    server: fake.OpenAIServer, encoder: OpenAIEncoder
) -> None:
    rows = await encoder.encode(["tea", "a" * 8000 + "b" * 100])
    assert server.requests[-1].json["input"] == ["tea", "a" * 8000, "b" * 100]
    mean = unit("a" * 8000) + unit("b" * 100)
    assert rows[1] == pytest.approx(mean / np.linalg.norm(mean), abs=1e-6)


PASSING = {
    "busy": fake.status(429),
    "busy, says when": fake.status(429, retry_after_s=0),
    "broken": fake.status(500),
    "overloaded": fake.status(503),
    "cut connection": fake.cut,
    "hung up": fake.hung_up,
    "truncated JSON": fake.truncated_json,
    "no JSON": fake.body(b"<html>"),
    "another document": fake.body(b'{"data": "none"}'),
    "no vectors": fake.body(b'{"data": []}'),
    "one vector too few": fake.embeddings_of([1.0] * DIMENSION),
    "a vector of zeros": fake.embeddings_of([1.0] * DIMENSION, [0.0] * DIMENSION),
    "a vector that is not of numbers": fake.embeddings_of([float("nan")] * 2, [1.0] * 2),
    "vectors of several lengths": fake.embeddings_of([1.0] * 2, [1.0] * 3),
}


@pytest.mark.parametrize("fault", PASSING.values(), ids=PASSING.keys())
async def test_a_failure_that_passes_is_not_noticed(
    server: fake.OpenAIServer, encoder: OpenAIEncoder, fault: fake.Fault
) -> None:
    server.faults += [fault, fault]
    rows = await encoder.encode(["tea", "coffee"])
    assert rows == pytest.approx(np.stack([unit("tea"), unit("coffee")]), abs=1e-6)
    assert len(server.requests) == 3


@pytest.mark.parametrize("fault", PASSING.values(), ids=PASSING.keys())
async def test_a_failure_that_stays_is_reported_after_the_retries(
    server: fake.OpenAIServer, encoder: OpenAIEncoder, fault: fake.Fault
) -> None:
    server.faults += [fault] * 9
    with pytest.raises(ModelUnavailable, match=r"small at http.* does not answer \(tried 3 times"):
        await encoder.encode(["tea", "coffee"])
    assert len(server.requests) == 3


@pytest.mark.slow
async def test_an_answer_that_is_too_late_is_asked_for_again(server: fake.OpenAIServer) -> None:
    encoder = await load(replace(where(server), timeout_s=0.5), FAST)
    server.faults += [fake.silence(5), fake.silence(5)]
    assert (await encoder.encode(["tea"])).shape == (1, DIMENSION)
    server.faults += [fake.silence(5)] * 3
    with pytest.raises(ModelUnavailable, match="APITimeoutError"):
        await encoder.encode(["tea"])
    assert len(server.requests) == 6
    await encoder.close()


async def test_a_server_that_is_not_there_is_reported() -> None:
    gone = OpenAIServer("http://127.0.0.1:9/v1", "key", "small", None, timeout_s=1)
    with pytest.raises(ModelUnavailable, match=r"does not answer \(tried 3 times\)"):
        await load(gone, FAST)


@pytest.mark.parametrize("code", [400, 401, 403, 404, 422])
async def test_a_refusal_is_not_tried_again(
    server: fake.OpenAIServer, encoder: OpenAIEncoder, code: int
) -> None:
    server.faults += [fake.status(code)]
    with pytest.raises(ModelUnavailable, match=f"refuses the request: .*injected {code}.*see mod"):
        await encoder.encode(["tea"])
    assert len(server.requests) == 1


async def test_vectors_of_another_length_are_refused(
    server: fake.OpenAIServer, encoder: OpenAIEncoder
) -> None:
    server.faults += [fake.embeddings_of([1.0, 2.0])]
    with pytest.raises(ModelUnavailable, match=r"vectors of 2 numbers, expected are 64; correct"):
        await encoder.encode(["tea"])
    assert len(server.requests) == 1


async def test_retry_after_is_waited_for(server: fake.OpenAIServer, encoder: OpenAIEncoder) -> None:
    server.faults += [fake.status(429, retry_after_s=0.3)]
    started_s = time.monotonic()
    await encoder.encode(["tea"])
    assert time.monotonic() - started_s >= 0.3


async def test_a_retry_after_beyond_patience_is_passed_on(
    server: fake.OpenAIServer, encoder: OpenAIEncoder
) -> None:
    server.faults += [fake.status(429, retry_after_s=120)]
    with pytest.raises(ModelUnavailable) as caught:
        await encoder.encode(["tea"])
    assert caught.value.retry_after_s == 120
    assert len(server.requests) == 1


@pytest.mark.slow
async def test_after_failures_in_a_row_the_server_is_left_alone_for_a_while(
    server: fake.OpenAIServer, encoder: OpenAIEncoder
) -> None:
    server.faults += [fake.status(500)] * 9
    for _ in range(3):
        with pytest.raises(ModelUnavailable, match="does not answer"):
            await encoder.encode(["tea"])
    assert len(server.requests) == 9
    with pytest.raises(ModelUnavailable, match="left alone") as caught:
        await encoder.encode(["tea"])
    assert len(server.requests) == 9
    await asyncio.sleep(caught.value.retry_after_s)
    assert (await encoder.encode(["tea"])).shape == (1, DIMENSION)
    assert len(server.requests) == 10


async def test_a_refusal_shows_that_the_server_is_well(
    server: fake.OpenAIServer, encoder: OpenAIEncoder
) -> None:
    server.faults += [*[fake.status(500)] * 6, fake.status(400), *[fake.status(500)] * 3]
    for _ in range(4):
        with pytest.raises(ModelUnavailable):
            await encoder.encode(["tea"])
    assert (await encoder.encode(["tea"])).shape == (1, DIMENSION)


def test_pauses_double_up_to_a_bound_and_are_spread() -> None:
    retries = Retries(9, first_s=1, longest_s=4)
    drawn = [[retries.pause_s(failed, None) for _ in range(200)] for failed in (1, 2, 3, 9)]
    for pauses, longest in zip(drawn, (1, 2, 4, 4), strict=True):
        assert 0.75 * longest <= min(pauses) < max(pauses) <= longest
    assert 7 <= retries.pause_s(1, 7) <= 7 * 1.25
