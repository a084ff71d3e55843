"""Times searches of one large scope: exact, approximate, and right after a write."""

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from anamnesis_libs.index.memory_index import MemoryIndex
from anamnesis_libs.index.port import RECALL_ASKED, Document, Query, ScoredHits
from benchmarks.large.corpus import Life

QUESTIONS_MAX = 100
AFTER_WRITES = 20
TOP = 10


@dataclass(frozen=True, slots=True)
class Took:
    """Milliseconds of each call: by the clock, and of the processor."""

    wall_ms: Sequence[float]
    cpu_ms: Sequence[float]

    def wall(self, share: float) -> float:
        """The time within which a share of the calls ended."""
        return float(np.quantile(self.wall_ms, share))

    @property
    def cpu(self) -> float:
        """Median time of the processor."""
        return float(np.median(self.cpu_ms))


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures of one way to search at one size. `recall` is of the exact first ten."""

    memories: int
    way: str
    search: Took
    after_write: Took
    recall: float
    resident_mib: float
    index_mib: float
    trained_s: float


def measure(life: Life, memories: int) -> list[Figures]:
    """Both ways at one size: first all is scored, then candidates are."""
    index = MemoryIndex(life.model.dimension, whole_max=memories // 2)
    for batch in life.batches(memories):
        index.put(batch)
    queries = queries_of(life)
    came = [one for batch in life.batches(2 * AFTER_WRITES, memories) for one in batch]
    wanted: list[ScoredHits] = []
    search = _timed(lambda at: wanted.append(index.find(queries[at])), len(queries))
    after = _after_writes(index, queries, came[:AFTER_WRITES])
    exact = Figures(memories, "exact", search, after, 1.0, _resident_mib(), _mib(index), 0.0)
    begun_s = time.perf_counter()
    train(index)
    trained_s = time.perf_counter() - begun_s
    found: list[ScoredHits] = []
    index.find(queries[0])
    search = _timed(lambda at: found.append(index.find(queries[at])), len(queries))
    recall = float(np.mean([_shared(one, other) for one, other in zip(found, wanted, strict=True)]))
    after = _after_writes(index, queries, came[AFTER_WRITES:])
    approximate = Figures(
        memories, "approximate", search, after, recall, _resident_mib(), _mib(index), trained_s
    )
    return [exact, approximate]


def train(index: MemoryIndex) -> None:
    """Train what finds candidates, as the memory service does in the background."""
    training = index.training()
    near = training.run()
    while index.fill(near):
        pass
    asked = [index.nearest_rows(number) for number in range(RECALL_ASKED)]
    near.measure(np.stack([row for row, _ in asked]), [nearest for _, nearest in asked])
    index.adopt(near, training)


def queries_of(life: Life) -> list[Query]:
    """Questions with their vectors, some of each conversation's."""
    step = max(len(life.questions) // QUESTIONS_MAX, 1)
    asked = life.questions[::step][:QUESTIONS_MAX]
    return [Query(text, row) for text, row in zip(asked, life.model.encode(asked), strict=True)]


def _after_writes(index: MemoryIndex, queries: Sequence[Query], came: Sequence[Document]) -> Took:
    """Searches right after a memory came in, as the index learns of it: its text, its vector."""

    def write(at: int) -> None:
        index.put([replace(came[at], vectors=None)])
        vectors = came[at].vectors
        assert vectors is not None, "made with vectors"
        index.put_vectors({came[at].memory_id: vectors})

    return _timed(lambda at: index.find(queries[at]), len(came), write)


def _timed(
    call: Callable[[int], object], count: int, before: Callable[[int], None] | None = None
) -> Took:
    call_ms, cpu_ms = [], []
    for at in range(count):
        if before is not None:
            before(at)
        begun_s, cpu_s = time.perf_counter(), time.process_time()
        call(at)
        cpu_ms.append((time.process_time() - cpu_s) * 1000)
        call_ms.append((time.perf_counter() - begun_s) * 1000)
    return Took(call_ms, cpu_ms)


def _shared(found: ScoredHits, wanted: ScoredHits) -> float:
    first, exact = ({hit.memory_id for hit in one.hits[:TOP]} for one in (found, wanted))
    return len(first & exact) / max(len(exact), 1)


def _resident_mib() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def _mib(index: MemoryIndex) -> float:
    return index.memory_bytes / 2**20
