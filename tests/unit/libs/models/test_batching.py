"""Tests of models/batching.py, over encoders that tell what they were given."""

import asyncio
from collections.abc import Sequence

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from anamnesis_libs.errors import ModelUnavailable
from anamnesis_libs.models.batching import BatchingEmbedder
from anamnesis_libs.models.minilm import MiniLM
from anamnesis_libs.models.ports import Readings, Tokens
from anamnesis_libs.models.threads import ThreadedEncoder


def tokens_of(text: str) -> Tokens:
    """One token, whose code is the text's length."""
    return Tokens(np.array([[len(text)]], np.uint64), np.array([[0, len(text)]]))


class Recorder:
    """An encoder of one number a text, its length; it waits at a gate and notes its units."""

    model = "recorder"
    dimension = 1
    reads_tokens = True

    def __init__(self, unit_chars_max: int = 1000, units_at_once: int = 1) -> None:
        self.unit_chars_max = unit_chars_max
        self.units_at_once = units_at_once
        self.units: list[list[str]] = []
        self.moved = asyncio.Condition()
        self.gate = asyncio.Event()
        self.gate.set()
        self.closed = False

    async def started(self, units: int) -> None:
        async with asyncio.timeout(20), self.moved:
            await self.moved.wait_for(lambda: len(self.units) >= units)

    async def read(self, texts: Sequence[str]) -> Readings:
        self.units.append(list(texts))
        async with self.moved:
            self.moved.notify_all()
        await self.gate.wait()
        if any(text.startswith("poison") for text in texts):
            raise ModelUnavailable("the model is away")
        rows = np.array([[len(text)] for text in texts], np.float32)
        return Readings(rows, [tokens_of(text) for text in texts])

    async def close(self) -> None:
        self.closed = True


def over(recorder: Recorder, texts_max: int = 8, wait_ms: float = 1.0) -> BatchingEmbedder:
    return BatchingEmbedder(recorder, texts_max, wait_ms)


async def test_calls_at_the_same_time_share_a_unit() -> None:
    recorder = Recorder()
    embedder = over(recorder)
    answers = await asyncio.gather(embedder.embed(["aa", "b"]), embedder.embed(["cccc", "ddd"]))
    assert [answer.ravel().tolist() for answer in answers] == [[2, 1], [4, 3]]
    assert len(recorder.units) == 1


async def test_each_text_gets_its_own_tokens() -> None:
    read = await over(Recorder()).read(["aaaa", "b", "cc"])
    told = [one.codes.item() for one in read.tokens if one is not None]
    assert told == [4, 1, 2] == read.rows.ravel().tolist()


async def test_questions_asked_in_the_same_breath_share_a_unit() -> None:
    recorder = Recorder()
    embedder = over(recorder)
    answers = await asyncio.gather(*(embedder.embed(["q" * n]) for n in (1, 2, 3)))
    assert [answer.item() for answer in answers] == [1, 2, 3]
    assert recorder.units == [["q", "qq", "qqq"]]


async def test_rows_come_back_in_the_order_of_the_texts() -> None:
    recorder = Recorder(unit_chars_max=10)
    texts = ["x" * n for n in (7, 1, 5, 3, 9, 2)]
    rows = await over(recorder).embed(texts)
    assert rows.ravel().tolist() == [7, 1, 5, 3, 9, 2]
    assert [len(text) for unit in recorder.units for text in unit] == [1, 2, 3, 5, 7, 9]


async def test_a_unit_is_bounded_by_texts_and_by_padded_characters() -> None:
    recorder = Recorder(unit_chars_max=100)
    await over(recorder, texts_max=3).embed(["ab"] * 5 + ["c" * 60] * 2 + ["d" * 500])
    assert [len(unit) for unit in recorder.units] == [3, 2, 1, 1, 1]


async def test_a_question_does_not_wait_for_an_import() -> None:
    recorder = Recorder()
    embedder = over(recorder, texts_max=4)
    recorder.gate.clear()
    bulk = asyncio.create_task(embedder.embed(["text"] * 10_000))
    await recorder.started(1)
    question = asyncio.create_task(embedder.embed(["where?"]))
    await recorder.started(2)
    assert recorder.units == [["text"] * 4, ["where?"]]
    recorder.gate.set()
    assert (await question).item() == 6
    assert not bulk.done()
    assert len(await bulk) == 10_000


async def test_questions_that_queue_go_before_an_import() -> None:
    recorder = Recorder()
    embedder = over(recorder, texts_max=4)
    recorder.gate.clear()
    bulk = asyncio.create_task(embedder.embed(["text"] * 12))
    await recorder.started(1)
    asked = [asyncio.create_task(embedder.embed([text])) for text in ("first", "second")]
    await recorder.started(2)
    asked.append(asyncio.create_task(embedder.embed(["third"])))
    await asyncio.sleep(0)
    recorder.gate.set()
    await asyncio.gather(bulk, *asked)
    assert recorder.units[1:3] == [["first", "second"], ["third"]]


async def test_imports_take_turns() -> None:
    recorder = Recorder(unit_chars_max=8)
    embedder = over(recorder, wait_ms=0)
    recorder.gate.clear()
    large = asyncio.create_task(embedder.embed(["long"] * 100))
    await recorder.started(1)
    small = asyncio.create_task(embedder.embed(["s1", "s2"]))
    await asyncio.sleep(0.01)
    recorder.gate.set()
    await asyncio.gather(large, small)
    assert any("s1" in unit for unit in recorder.units[:3])
    assert len(recorder.units) == 51


async def test_no_more_units_run_at_once_than_allowed() -> None:
    recorder = Recorder(unit_chars_max=4, units_at_once=2)
    embedder = over(recorder)
    recorder.gate.clear()
    bulk = asyncio.create_task(embedder.embed(["text"] * 9))
    await recorder.started(2)
    asked = [asyncio.create_task(embedder.embed(["huge question"])) for _ in range(3)]
    await recorder.started(3)
    await asyncio.sleep(0.01)
    assert len(recorder.units) == 3
    recorder.gate.set()
    await asyncio.gather(bulk, *asked)


async def test_a_failed_unit_fails_its_callers_and_nobody_else() -> None:
    recorder = Recorder(unit_chars_max=20)
    embedder = over(recorder)
    bad, good = await asyncio.gather(
        embedder.embed(["poison" + "x" * 15, "fine"]),
        embedder.embed(["good", "better"]),
        return_exceptions=True,
    )
    assert isinstance(bad, ModelUnavailable)
    assert isinstance(good, np.ndarray)
    assert (await embedder.embed(["again"])).item() == 5


async def test_what_a_caller_left_behind_is_not_embedded() -> None:
    recorder = Recorder()
    embedder = over(recorder, texts_max=4)
    recorder.gate.clear()
    bulk = asyncio.create_task(embedder.embed(["text"] * 10_000))
    await recorder.started(1)
    bulk.cancel()
    await asyncio.wait([bulk])
    recorder.gate.set()
    await embedder.embed(["later", "on"])
    assert sum(map(len, recorder.units)) == 6


async def test_nothing_to_embed_gives_no_rows() -> None:
    recorder = Recorder()
    assert (await over(recorder).embed([])).shape == (0, 1)
    assert recorder.units == []


async def test_closing_lets_running_units_finish_and_refuses_the_rest() -> None:
    recorder = Recorder(unit_chars_max=4)
    embedder = over(recorder)
    recorder.gate.clear()
    waiting = asyncio.create_task(embedder.embed(["text", "more"]))
    asked = asyncio.create_task(embedder.embed(["q"]))
    await recorder.started(2)
    closing = asyncio.create_task(embedder.close())
    await asyncio.sleep(0)
    recorder.gate.set()
    await closing
    assert recorder.closed
    assert (await asked).item() == 1
    with pytest.raises(ModelUnavailable, match="closed"):
        await waiting
    with pytest.raises(ModelUnavailable, match="closed"):
        await embedder.embed(["too late"])


@pytest.mark.slow
async def test_the_event_loop_stays_free_while_a_model_works(mini_lm: MiniLM) -> None:
    embedder = BatchingEmbedder(ThreadedEncoder(mini_lm, threads=1), 64, 2)
    bulk = asyncio.create_task(embedder.embed(["a message about tea " * 40] * 10))
    turns = 0
    while not bulk.done():
        await asyncio.sleep(0.001)
        turns += 1
    await embedder.close()
    assert (await bulk).shape == (10, 384)
    assert turns > 20


@pytest.mark.slow
async def test_a_real_question_overtakes_a_real_import(mini_lm: MiniLM) -> None:
    embedder = BatchingEmbedder(ThreadedEncoder(mini_lm, threads=1), 64, 2)
    bulk = asyncio.create_task(embedder.embed(["a message about tea " * 40] * 12))
    await asyncio.sleep(0.02)
    row = (await embedder.embed(["tea?"]))[0]
    assert not bulk.done()
    assert np.abs(row - mini_lm.encode(["tea?"])[0]).max() < 1e-5
    await bulk
    await embedder.close()


def test_a_run_of_a_model_takes_one_thread(mini_lm: MiniLM) -> None:
    with threadpool_limits(2, user_api="blas"):
        ThreadedEncoder(mini_lm, threads=1)
        held = [one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"]
    assert set(held) <= {1}
