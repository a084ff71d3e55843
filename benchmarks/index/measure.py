"""Times one form at one size."""

import functools
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from anamnesis_libs.index import snapshot
from anamnesis_libs.index.port import RowNumbers, Rows, Vector
from anamnesis_libs.index.postings import Postings
from anamnesis_libs.index.records import Records
from anamnesis_libs.index.vector_forms import VectorForm
from anamnesis_libs.index.vectors import VectorRows

TOP = 10
SCOPE_SHARE = 0.05
BATCH_ROWS = 256
TIMED_QUESTIONS = 25
RECALL_QUESTIONS_MAX = 100


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures of one form at one size. `recall` is against the exact ten, `error` of a cosine."""

    form: str
    rows: int
    scored_ms: float
    part_ms: float
    mib: float
    recall: float
    error_max: float
    added_per_s: float
    deleted_ms: float
    saved_s: float | None
    loaded_s: float | None
    file_mib: float | None


def measure(
    name: str, make: Callable[[int], VectorForm], rows: Rows, questions: Rows, truth: Rows
) -> Figures:
    """Every figure of a form; `truth` is the exact scores, shape (questions, rows)."""
    form, added_s = _filled(make, rows)
    part: RowNumbers = np.arange(0, len(rows), round(1 / SCOPE_SHARE), dtype=np.int32)
    asked = questions[:TIMED_QUESTIONS]
    scored = [_timed_ms(functools.partial(form.scores, each)) for each in asked]
    partly = [_timed_ms(functools.partial(form.scores_at, part, each)) for each in asked]
    recall, error_max = _agreement(form, questions, truth)
    alive = np.flatnonzero(np.arange(len(rows)) % 4).astype(np.int32)
    deleted_ms = _timed_ms(lambda: form.kept(alive))
    saved_s, loaded_s, file_mib = _kept_on_disk(name, rows)
    return Figures(
        form=name,
        rows=len(rows),
        scored_ms=statistics.median(scored),
        part_ms=statistics.median(partly),
        mib=form.nbytes / 2**20,
        recall=recall,
        error_max=error_max,
        added_per_s=len(rows) / added_s,
        deleted_ms=deleted_ms,
        saved_s=saved_s,
        loaded_s=loaded_s,
        file_mib=file_mib,
    )


def exact_scores(rows: Rows, questions: Rows) -> Rows:
    """The truth, shape (questions, rows)."""
    scores: Rows = questions[:RECALL_QUESTIONS_MAX] @ rows.T
    return scores


def _filled(make: Callable[[int], VectorForm], rows: Rows) -> tuple[VectorForm, float]:
    """A form with all rows, added as the index adds them, and the seconds it took.

    A form that must be trained has a first batch to train on.
    """
    form = make(rows.shape[1])
    start = time.perf_counter()
    first = min(len(rows), 5_000)
    form.add(rows[:first])
    for at in range(first, len(rows), BATCH_ROWS):
        form.add(rows[at : at + BATCH_ROWS])
    return form, time.perf_counter() - start


def _agreement(form: VectorForm, questions: Rows, truth: Rows) -> tuple[float, float]:
    """The share of the exact ten among the form's ten, and the largest error of a score."""
    shares, errors = [], []
    for question, exact in zip(questions, truth, strict=False):
        scores = form.scores(question)
        errors.append(float(np.abs(scores - exact).max()))
        shares.append(len(np.intersect1d(_top(scores), _top(exact))) / TOP)
    return statistics.mean(shares), max(errors)


def _top(scores: Vector) -> NDArray[np.intp]:
    return np.argpartition(scores, -TOP)[-TOP:]


def _kept_on_disk(name: str, rows: Rows) -> tuple[float | None, float | None, float | None]:
    """Seconds to save and to load a snapshot, and its size; None if the form has no snapshot."""
    bounds = {"exact": len(rows), "8-bit rows": 0}
    if name not in bounds:
        return None, None, None
    vectors = VectorRows(rows.shape[1], bounds[name])
    vectors.add(rows)
    held = snapshot.SnapshotContents(Records(vectors.dump()[0].shape[1]), Postings(), vectors)
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "index"
        saved_ms = _timed_ms(lambda: snapshot.write(path, rows.shape[1], held))
        loaded_ms = _timed_ms(lambda: snapshot.read(path, rows.shape[1], bounds[name]))
        return saved_ms / 1000, loaded_ms / 1000, path.stat().st_size / 2**20


def _timed_ms(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000
