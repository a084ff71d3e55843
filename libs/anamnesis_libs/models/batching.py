"""Texts of many callers joined into the units a model works best on, in a fair order.

A single text is a question somebody waits for: it goes first, and a worker is kept free
for it. Many texts are an import: they are sorted by length, cut into small units, and
imports that run at once take turns, so that a small one does not wait for a large one.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from anamnesis_libs.errors import ModelUnavailable
from anamnesis_libs.models.ports import Matrix, Readings, Tokens


class Encoder(Protocol):
    """A model that takes a unit of texts at a time."""

    @property
    def model(self) -> str:
        """Fingerprint, as in `Embedder`."""
        ...

    @property
    def dimension(self) -> int:
        """Numbers in one vector."""
        ...

    @property
    def unit_chars_max(self) -> int:
        """The most characters of a unit, each text counted as long as the longest."""
        ...

    @property
    def units_at_once(self) -> int:
        """Units of imports it works on at once; one more must be possible for questions."""
        ...

    @property
    def reads_tokens(self) -> bool:
        """As in `Embedder`."""
        ...

    async def read(self, texts: Sequence[str]) -> Readings:
        """Make one unit row a text, and tell its tokens.

        Raises:
            ModelUnavailable: the model does not answer.
        """
        ...

    async def close(self) -> None:
        """Let go of connections and threads."""
        ...


class Job:
    """One call's texts on their way, shortest first."""

    def __init__(self, texts: Sequence[str], dimension: int) -> None:
        self.texts = texts
        self.rows = np.empty((len(texts), dimension), np.float32)
        self.tokens: list[Tokens | None] = [None] * len(texts)
        self.done: asyncio.Future[Readings] = asyncio.get_running_loop().create_future()
        self._order = deque(sorted(range(len(texts)), key=lambda row: len(texts[row])))
        self._missing = len(texts)

    @property
    def waiting(self) -> int:
        """Texts not yet taken; none once the caller has gone or an answer was given."""
        return 0 if self.done.done() else len(self._order)

    @property
    def next_chars(self) -> int:
        """Length of the next text."""
        return len(self.texts[self._order[0]])

    def take(self) -> int:
        """Take the next text: its row."""
        return self._order.popleft()

    def put(self, row: int, vector: Matrix, tokens: Tokens | None) -> None:
        """Fill in one text's; the last one answers the caller."""
        self.rows[row], self.tokens[row] = vector, tokens
        self._missing -= 1
        if not self._missing and not self.done.done():
            self.done.set_result(Readings(self.rows, self.tokens))

    def fail(self, error: BaseException) -> None:
        """Answer the caller with an error, unless it has an answer already."""
        if not self.done.done():
            self.done.set_exception(error)


Unit = list[tuple[Job, int]]


class Lane:
    """Jobs of one urgency, which take turns."""

    def __init__(self, texts_max: int, chars_max: int) -> None:
        self._texts_max = texts_max
        self._chars_max = chars_max
        self.jobs: deque[Job] = deque()

    @property
    def waiting(self) -> int:
        """Texts not yet taken."""
        return sum(job.waiting for job in self.jobs)

    def take_unit(self) -> Unit:
        """The next unit: of the job whose turn it is, filled up from those behind it."""
        unit: Unit = []
        longest = 0
        while self._drop_finished():
            job = self.jobs[0]
            longest = max(longest, job.next_chars)
            if unit and self._overfull(len(unit) + 1, longest):
                break
            unit.append((job, job.take()))
        self.jobs.rotate(-1)
        return unit

    def _drop_finished(self) -> bool:
        """Drop jobs from the front that have nothing to take; whether one is left."""
        while self.jobs and not self.jobs[0].waiting:
            self.jobs.popleft()
        return bool(self.jobs)

    def _overfull(self, texts: int, longest: int) -> bool:
        return texts > self._texts_max or texts * longest > self._chars_max


class BatchingEmbedder:
    """An `Embedder` over an `Encoder`."""

    def __init__(self, encoder: Encoder, batch_texts_max: int, batch_wait_ms: float) -> None:
        self._encoder = encoder
        self._wait_s = batch_wait_ms / 1000
        self._questions = Lane(batch_texts_max, encoder.unit_chars_max)
        self._imports = Lane(batch_texts_max, encoder.unit_chars_max)
        self._texts_max = batch_texts_max
        self._running: set[asyncio.Task[None]] = set()
        self._imports_running = 0
        self._closed = False

    @property
    def model(self) -> str:
        """Fingerprint of the model."""
        return self._encoder.model

    @property
    def dimension(self) -> int:
        """Numbers in one vector."""
        return self._encoder.dimension

    @property
    def reads_tokens(self) -> bool:
        """True if the model tells tokens."""
        return self._encoder.reads_tokens

    async def embed(self, texts: Sequence[str]) -> Matrix:
        """Make one row of unit length a text; see `read`."""
        return (await self.read(texts)).rows

    async def read(self, texts: Sequence[str]) -> Readings:
        """Make one row of unit length a text, with its tokens; calls at one time share units.

        Raises:
            ModelUnavailable: the model does not answer, or is being closed.
        """
        if self._closed:
            raise _closing()
        if not texts:
            return Readings(np.empty((0, self.dimension), np.float32), ())
        job = Job(texts, self.dimension)
        (self._questions if len(texts) == 1 else self._imports).jobs.append(job)
        self._start_soon()
        return await job.done

    async def close(self) -> None:
        """Refuse what waits, let what runs finish, and close the model."""
        self._closed = True
        for job in (*self._questions.jobs, *self._imports.jobs):
            job.fail(_closing())
        await asyncio.gather(*self._running, return_exceptions=True)
        await self._encoder.close()

    def _start_soon(self) -> None:
        """Questions at once, with those asked in the same breath; imports after a short wait."""
        loop = asyncio.get_running_loop()
        if self._questions.jobs or self._imports.waiting >= self._texts_max:
            loop.call_soon(self._start)
        else:
            loop.call_later(self._wait_s, self._start)

    def _start(self) -> None:
        """Start as many units as may run; imports leave one worker to the questions."""
        at_once = self._encoder.units_at_once
        while len(self._running) <= at_once:
            unit, imports = self._questions.take_unit(), 0
            if not unit and self._imports_running < at_once:
                unit, imports = self._imports.take_unit(), 1
            if not unit:
                return
            self._run_beside(unit, imports)

    def _run_beside(self, unit: Unit, imports: int) -> None:
        self._imports_running += imports
        task = asyncio.get_running_loop().create_task(self._run(unit))
        self._running.add(task)
        task.add_done_callback(lambda ended: self._ended(ended, unit, imports))

    async def _run(self, unit: Unit) -> None:
        made = await self._encoder.read([job.texts[row] for job, row in unit])
        for (job, row), vector, tokens in zip(unit, made.rows, made.tokens, strict=True):
            job.put(row, vector, tokens)

    def _ended(self, task: asyncio.Task[None], unit: Unit, imports: int) -> None:
        """Tell the callers of a unit that failed, and start what waits."""
        self._running.discard(task)
        self._imports_running -= imports
        error = _closing() if task.cancelled() else task.exception()
        if error is not None:
            for job, _ in unit:
                job.fail(error)
        self._start()


def _closing() -> ModelUnavailable:
    return ModelUnavailable("the embedding model is being closed; try again")
