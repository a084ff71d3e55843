"""Where a model of this process works: on threads, but for what is quick."""

import threading
from collections.abc import Sequence

import numpy as np

from anamnesis_libs.models.ports import Readings
from anamnesis_libs.models.threads import ThreadedEncoder


class Placed:
    """A model that notes on which thread it works."""

    model = "placed"
    dimension = 1
    unit_chars_max = 100
    reads_tokens = False

    def __init__(self) -> None:
        self.threads: list[threading.Thread] = []

    def read(self, texts: Sequence[str]) -> Readings:
        """One row a text."""
        self.threads.append(threading.current_thread())
        return Readings(np.ones((len(texts), 1), np.float32), [None] * len(texts))


async def test_only_texts_that_are_short_together_are_encoded_on_the_event_loop() -> None:
    placed, here = Placed(), threading.current_thread()
    encoder = ThreadedEncoder(placed, 1, quick_chars_max=10)
    for texts in (["0123456789"], ["01234", "567890"], ["0123456789a"]):
        assert (await encoder.read(texts)).rows.shape == (len(texts), 1)
    assert [thread is here for thread in placed.threads] == [True, False, False]
    await encoder.close()


async def test_a_model_that_is_not_quick_never_works_on_the_event_loop() -> None:
    placed = Placed()
    encoder = ThreadedEncoder(placed, 1)
    await encoder.read(["a"])
    assert placed.threads[0] is not threading.current_thread()
    await encoder.close()
